/**
 * Debian's Chromium without a window; the headless shell opens a page with two thirds of the whole browser's processor
 * time.  [disk, process]
 */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { countPage } from './costs.ts'
import { noteSkipped } from './skipped.ts'

const ASKED = process.env['HLA_CHROMIUM']
const PROGRAMS = ASKED === undefined ? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] : [ASKED]
const PROGRAM = PROGRAMS.find((path) => existsSync(path))

export const hasChromium = PROGRAM !== undefined

if (!hasChromium)
  noteSkipped(`tests of the page need ${PROGRAMS.join(' or ')} (apt-get install chromium-headless-shell)`)

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PROGRAM === undefined ? {} : { executablePath: PROGRAM }),
    args: [
      // the tests may run as root, in a container
      '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu',
      // no requests except those of the page
      '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync',
    ], // prettier-ignore
  })
}

/** Opens a page. `complaints` receives console output, errors, and requests to other servers. */
export async function visitPage(
  browser: Browser,
  url: string,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await emptyPage(browser, url, complaints, options)
  await page.goto(url)
  return page
}

/** The page of `visitPage` before it is loaded. */
export async function emptyPage(
  browser: Browser,
  url: string,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options })
  const page = await context.newPage()
  countPage()
  const { origin } = new URL(url)
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    // `chrome:` URLs belong to the browser's document viewer
    if (
      ![origin, `blob:${origin}`, 'chrome:', 'chrome-extension:'].some((own) => request.url().startsWith(own))
    )
      complaints.push(request.url())
  })
  return page
}

interface Barrier {
  readonly id: string
  readonly where: readonly string[]
}

/** Accessibility violations that axe finds on the current page. */
export async function barriersOf(page: Page): Promise<readonly Barrier[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    // the script above defines it
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: AxeViolation[] }> }
    }
    return (await axe.run()).violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map(({ html }) => html),
    }))
  })
}

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}
