/**
 * Measures the pages: their size, and the run time of their scripts until the page appears.  [process, network, clock]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { packagePath } from '../../src/package-root.ts'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { atMost, type BenchRow, reported } from './bench-row.ts'
import { heard, startDrive } from './drive-server.ts'
import { median } from './statistics.ts'

const ROUNDS = 7
/** Goals: compressed kB of a page, and ms of its script. */
const [MOST_KB, MOST_MS] = [100, 100]

export async function benchPages(): Promise<BenchRow[]> {
  if (!hasChromium) return []
  const browser = await openBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'hla-pages-'))
  const service = spawn(process.execPath, [
    packagePath('bin/hla.cjs'),
    'serve',
    '-r',
    'starter',
    '--port',
    '0',
  ])
  const hla = /on (http:\S+)/.exec(await heard(service, 'stderr', /on http:\S+\n/))?.[1] ?? ''
  const drive = await startDrive(folder, {})
  try {
    return [
      ...(await measure(browser, 'page of the service', `${hla}/`, 'dist/page')),
      ...(await measure(browser, '/docs', `${hla}/docs`, 'dist/page')),
      ...(await measure(browser, 'page of the store', `http://127.0.0.1:${drive.port}/`, 'dist/drive-page')),
    ]
  } finally {
    for (const child of [drive.child, service]) child.kill('SIGKILL')
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `folder`: all files that the page can request. */
async function measure(browser: Browser, name: string, url: string, folder: string): Promise<BenchRow[]> {
  const files = packagePath(folder)
  const bytes = readdirSync(files)
    .map((file) => gzipSync(readFileSync(join(files, file))).length)
    .reduce((sum, one) => sum + one, 0)
  const rounds: { script: number; paint: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await load(browser, url))
  return [
    atMost(`${name}, compressed`, [bytes / 1000, 'kB'], MOST_KB),
    atMost(`${name}, script until it is shown`, [median(rounds.map(({ script }) => script)), 'ms'], MOST_MS),
    reported(`${name}, first paint`, [median(rounds.map(({ paint }) => paint)), 'ms']),
  ]
}

/** Uses a new browser context, so nothing is cached. */
async function load(browser: Browser, url: string): Promise<{ script: number; paint: number }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(url, { waitUntil: 'networkidle' })
  const { metrics } = await session.send('Performance.getMetrics')
  const script = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  const paint = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
  )
  await context.close()
  return { script: script * 1000, paint }
}
