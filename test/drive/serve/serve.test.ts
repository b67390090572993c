/** `hla drive serve` in this process, with the threads that it starts: a first start, the next ones, and a lost disk. */
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ServeOptions } from '../../../src/drive/commands/options/serve-options.ts'
import { ADMIN_ROOT } from '../../../src/drive/contract/admin-requests.ts'
import { COMMANDS } from '../../../src/drive/domain/commands.ts'
import { storeFolder } from '../../../src/drive/persistence/folder.ts'
import { connectInFolder } from '../../../src/drive/persistence/service-socket.ts'
import { serveDrive } from '../../../src/drive/serve/serve.ts'
import { isHlaError } from '../../../src/errors.ts'
import { asRun, STREAMS } from '../../../src/io/run.ts'
import { closeConnections } from '../../support/close-connections.ts'
import { ask } from '../../support/drive.ts'
import { keepSignals } from '../../support/signals.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const DAY_MS = 86_400_000
/** Bytes of a page of the database. */
const PAGE_BYTES = 4096

interface Started {
  readonly url: () => string
  readonly said: () => string
  /** `ended`, or the code, message and hint of its error. */
  readonly end: () => unknown
  readonly over: Promise<void>
}

const running: Started[] = []
keepSignals()
let starts = 0

function serve(more: Partial<ServeOptions>): Started {
  const options = {
    data: temp('store'),
    host: '127.0.0.1',
    port: 0,
    owner: 'ada@lab.example',
    accessLog: temp('access.log'),
    maxUpload: 1_000_000,
    release: 'starter',
    idleTimeout: 60_000,
    rateLimit: 0,
    keepTrash: 30 * DAY_MS,
    keepRevisions: 30 * DAY_MS,
    mostRevisions: 100,
    drainDelay: 0,
    drainTimeout: 30_000,
    ...more,
  } as ServeOptions
  let end: unknown
  const file = temp(`messages-${(starts += 1)}`)
  const messages = openSync(file, 'a')
  const over = asRun([], { ...STREAMS, messages }, () => serveDrive(options))
    .then(
      () => void (end = 'ended'),
      (error: unknown) =>
        void (end = isHlaError(error) ? [error.code, error.message, error.hint] : [String(error)]),
    )
    .finally(() => closeSync(messages))
  const said = () => readFileSync(file, 'utf8')
  const url = () => / on (http:\S+)\n/.exec(said())?.[1] ?? ''
  const started = { url, said, end: () => end, over }
  running.push(started)
  return started
}

async function isUp(one: Started): Promise<void> {
  await expect.poll(() => one.url() || one.end(), { interval: 5 }).toMatch(/^http/)
}

async function stop(one: Started): Promise<void> {
  closeConnections()
  process.emit('SIGTERM')
  await expect.poll(one.end, { interval: 5 }).toBe('ended')
}

/** Accounts can be read still, and no more can be added: their folders are found by damaged pages. */
function loseTables(data: string): void {
  const database = join(data, 'store.db')
  writeFileSync(database, readFileSync(database).fill(0xff, 26 * PAGE_BYTES, 31 * PAGE_BYTES))
}

afterEach(async () => {
  for (const one of running.splice(0)) {
    if (one.end() !== undefined) continue
    process.emit('SIGTERM')
    process.emit('SIGINT')
    await one.over
  }
})

test('the first start makes the store and its owner, and the next serves it', async () => {
  const folder = temp('store')
  const first = serve({ host: '0.0.0.0' })
  await isUp(first)
  const port = Number(new URL(first.url()).port)
  const file = join(folder, 'owner-token')
  const [unencrypted, ...rest] = first.said().split('\n')
  expect(unencrypted).toMatch(/^hla: warning: what clients send to 0\.0\.0\.0, .* travels unencrypted/)
  expect(rest).toEqual([
    `hla: created a store owned by ada@lab.example; its sign-in token, valid for a month, is in ${file}`,
    `hla: serving the files in ${folder} on http://0.0.0.0:${port}`,
    '',
  ])
  const written = readFileSync(file, 'utf8')
  expect([statSync(file).mode & 0o777, written]).toEqual([0o600, expect.stringMatching(/^[\w-]{20,}\n$/)])
  const token = written.trim()
  const about = await ask(`http://127.0.0.1:${port}/drive/v2/about`, 'GET', { token })
  expect([about.status, about.json.user.emailAddress]).toEqual([200, 'ada@lab.example'])
  // space for deletions on a full disk
  expect(existsSync(join(folder, 'reserve'))).toBe(true)
  const beside = serve({})
  await expect.poll(beside.end).toEqual(['io', expect.stringContaining(folder), expect.anything()])
  await stop(first)
  expect(readFileSync(temp('access.log'), 'utf8')).toContain('"route":"/drive/v2/about"')
  const next = serve({ owner: 'bo@lab.example' })
  await isUp(next)
  expect(next.said()).toBe(`hla: serving the files in ${folder} on ${next.url()}\n`)
  expect((await ask(`${next.url()}/drive/v2/about`, 'GET', { token })).status).toBe(200)
  await stop(next)
})

test('an owner that is no address: nothing is served', async () => {
  const started = serve({ data: temp('ownerless'), owner: 'nobody' })
  await expect.poll(started.end).toEqual(['usage', expect.stringContaining('nobody'), undefined])
  expect(started.said()).toBe('')
})

const LOST = [
  'io',
  expect.stringMatching(/^the store cannot be written any more: \S/),
  'Everything acknowledged is on disk. Check the rest with hla drive fsck --deep.',
]

test('a database that is lost while it is served ends the service', async () => {
  const data = temp('lost')
  const first = serve({ data })
  await isUp(first)
  await stop(first)
  const started = serve({ data })
  await isUp(started)
  const send = await connectInFolder(storeFolder(data))
  loseTables(data)
  const body = JSON.stringify({ email: 'bo@lab.example' })
  // it may have ended before, by a change of its own
  await send?.({ method: 'POST', url: `${ADMIN_ROOT}/users`, body }).catch(() => undefined)
  await expect.poll(started.end).toEqual(LOST)
})

test('a database that is lost at the first start: the owner is not made, and the reason is told', async () => {
  const data = temp('lost-early')
  const opened = await openTestStore(data, { writer: COMMANDS })
  await opened.close()
  loseTables(data)
  const started = serve({ data })
  await expect.poll(started.end).toEqual(LOST)
  expect([started.said(), existsSync(join(data, 'owner-token'))]).toEqual(['', false])
})
