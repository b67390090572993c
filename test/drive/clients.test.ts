/**
 * Real client libraries against a running service: one server, and two servers of one store behind a round-robin
 * proxy.
 */
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../support/drive.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'
import { noteSkipped } from '../support/skipped.ts'

const SUPPORT = join(import.meta.dirname, '../support')
const PYTHON = '/usr/bin/python3'
/** Folder into which `npm install --prefix` put `@googleapis/drive`. */
const modules = join(process.env['HLA_CLIENTS'] ?? '', 'node_modules')
/** Environment to compile with Debian's Go libraries. */
const GO = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '0' }

interface Client {
  readonly title: string
  readonly isThere: boolean
  /** How to install the library. */
  readonly missing: string
  /** Minimum number of checks. */
  readonly least: number
  /** Command that runs the checks, given the address and the token of a store. */
  readonly command: (url: string, token: string) => Promise<readonly [string, ...string[]]>
}

const temp = tempFolder()

const CLIENTS: readonly Client[] = [
  {
    title: "Google's client for Node",
    isThere: hasShared && existsSync(join(modules, '@googleapis/drive')),
    missing: 'HLA_CLIENTS names no folder with @googleapis/drive',
    least: 26,
    command() {
      const folder = temp('node')
      if (!existsSync(folder)) {
        mkdirSync(folder)
        copyFileSync(sharedPath('storage/clients/node/smoke.mjs'), join(folder, 'smoke.mjs'))
        symlinkSync(modules, join(folder, 'node_modules'))
      }
      return Promise.resolve([process.execPath, join(folder, 'smoke.mjs')])
    },
  },
  {
    title: "Google's client for Python",
    isThere: hasShared && answersTo(PYTHON, ['-c', 'import googleapiclient']),
    missing: `no googleapiclient for ${PYTHON}`,
    least: 26,
    command: () => Promise.resolve([PYTHON, sharedPath('storage/clients/python/smoke_googleapi.py')]),
  },
  {
    title: "Google's client for Go",
    isThere: existsSync(`${GO.GOPATH}/src/google.golang.org/api/drive/v2`) && answersTo('go', ['version']),
    missing: 'no Google client for Go (apt-get install golang-go golang-google-api-dev)',
    least: 30,
    async command(url, token) {
      const program = temp('go-suite')
      const words = ['build', '-o', program, join(SUPPORT, 'go_suite.go')]
      // compiled once, which takes a while
      if (!existsSync(program))
        await promisify(execFile)('go', words, { env: { ...GO, GOCACHE: temp('go-cache') }, cwd: temp('.') })
      return [program, url, token]
    },
  },
]

for (const { isThere, title, missing } of CLIENTS) if (!isThere) noteSkipped(`${title}: ${missing}`)

const ARGS = ['--allow-local-notifications']

describe('every check passes over one server', () => {
  let drive: Drive
  beforeAll(async () => {
    drive = await startDrive({ args: ARGS })
  })

  test.for(CLIENTS)('$title', async (client, { skip }) => {
    if (!client.isThere) skip()
    await expectAll(client, drive.url, drive.token)
  })
})

async function expectAll({ command, least }: Client, url: string, token: string): Promise<void> {
  const [program, ...words] = await command(url, token)
  const env = { ...process.env, BASE_URL: url, TOKEN: token }
  // exit status 1: a check failed
  const { stdout, stderr, code } = await promisify(execFile)(program, words, { env }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { readonly stdout: string; readonly stderr: string; readonly code: number }) => error,
  )
  const checks = [...stdout.matchAll(/^(ok|FAIL) +(.*)$/gm)].map(([, result, text = '']) => ({
    result,
    text,
  }))
  expect(checks.filter(({ result }) => result === 'FAIL')).toEqual([])
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(checks.length).toBeGreaterThanOrEqual(least)
}

function answersTo(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
