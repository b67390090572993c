/**
 * The service is killed at random under load: acknowledged changes are complete, and no other change is partly there.
 */
import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { type Hooks, startHooks } from '../../support/hooks.ts'
import { tempFolder } from '../../support/temp.ts'

const PROGRAM = join(import.meta.dirname, '../../../bin/hla.cjs')
const ROUNDS = process.env['HLA_LONG'] === undefined ? 5 : 50
const WORKERS = 8
const PIECE = 256 * 1024

/** Changes that were acknowledged to a worker. */
interface Acknowledged {
  readonly id: string
  readonly title: string
  readonly md5: string
  readonly isShared: boolean
}

/** An unfinished upload, and the number of bytes that the service acknowledged. */
interface Begun {
  readonly session: string
  readonly content: Buffer
  held: number
}

const temp = tempFolder()
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

test(`${ROUNDS} times`, { timeout: ROUNDS * 20_000 }, async () => {
  const folder = temp('killed')
  const known = new Map<string, Acknowledged>()
  const hooks = await startHooks()
  let token = ''
  let begun: Begun[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const args = ['--allow-local-notifications']
    const drive = await startDrive({ folder, args, ...(token === '' ? {} : { token }) })
    if (token === '') await watchRoot(drive, hooks.url)
    token = drive.token
    await expectAll(drive, known)
    for (const upload of begun) await finish(drive, upload)
    if (round === ROUNDS) {
      await expectAllTold(drive, hooks)
      await drive.stop()
      break
    }
    begun = []
    const load = Promise.all(Array.from({ length: WORKERS }, (_, n) => work(drive, n, { known, begun })))
    await new Promise((over) => setTimeout(over, 150 + Math.random() * 600))
    await drive.stop('SIGKILL')
    await load
    execFileSync(process.execPath, [PROGRAM, 'drive', 'fsck', '--data', folder, '--deep'], { stdio: 'pipe' })
  }
  expect(known.size).toBeGreaterThan(ROUNDS)
})

/** Opens a channel on the root folder, so that each new file there sends a message. */
async function watchRoot(drive: Drive, address: string): Promise<void> {
  const body = { id: 'root', type: 'web_hook', address, params: { ttl: '86400' } }
  expect((await drive.ask('POST', '/drive/v2/files/root/watch', { body })).status).toBe(200)
}

/** Checks that message numbers have no gaps: no message is lost, and none belongs to a lost change. */
async function expectAllTold(drive: Drive, hooks: Hooks): Promise<void> {
  const waiting = async () =>
    /notifications_waiting (\d+)/.exec((await drive.ask('GET', '/metrics')).text)?.[1]
  await expect.poll(waiting, { timeout: 30_000, interval: 100 }).toBe('0')
  const numbers = [...new Set(hooks.taken.map(({ headers }) => Number(headers['x-goog-message-number'])))]
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1))
}

interface Seen {
  readonly known: Map<string, Acknowledged>
  readonly begun: Begun[]
}

/** Sends requests until the service is gone. */
async function work(drive: Drive, worker: number, { known, begun }: Seen): Promise<void> {
  try {
    for (let n = 0; ; n += 1) {
      if (worker === 0) await beginUpload(drive, begun)
      else if (n % 3 === 2) await change(drive, known)
      else if (n % 5 === 1) await share(drive, known)
      else await insert(drive, known, worker % 2 === 0 ? 100 : 40_000)
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

async function insert(drive: Drive, known: Seen['known'], size: number): Promise<void> {
  const content = randomBytes(size)
  const headers = { 'content-type': 'application/octet-stream' }
  const { status, json } = await drive.ask('POST', '/upload/drive/v2/files', { body: content, headers })
  expect(status).toBe(200)
  known.set(json.id, { id: json.id, title: json.title, md5: md5(content), isShared: false })
}

/** Renames a file. It is left out of `known` until the answer arrives: its title may be the old or the new one. */
async function change(drive: Drive, known: Seen['known']): Promise<void> {
  const [file] = [...known.values()].slice(-5)
  if (file === undefined || !known.delete(file.id)) return
  const title = `changed ${Math.random()}`
  const { status } = await drive.ask('PATCH', `/drive/v2/files/${file.id}`, { body: { title } })
  expect(status).toBe(200)
  known.set(file.id, { ...file, title })
}

/** Shares a file, which is left out of `known` until the answer arrives: it may be shared or not. */
async function share(drive: Drive, known: Seen['known']): Promise<void> {
  const [file] = [...known.values()].filter(({ isShared }) => !isShared).slice(-5)
  if (file === undefined || !known.delete(file.id)) return
  const body = { type: 'user', role: 'reader', value: `p${known.size % 7}@lab.example` }
  const { status } = await drive.ask('POST', `/drive/v2/files/${file.id}/permissions`, { body })
  expect(status).toBe(200)
  known.set(file.id, { ...file, isShared: true })
}

async function beginUpload(drive: Drive, begun: Begun[]): Promise<void> {
  const content = randomBytes(3 * PIECE)
  const path = '/upload/drive/v2/files?uploadType=resumable'
  const started = await drive.ask('POST', path, { body: { title: 'large' } })
  const location = started.headers.get('location') ?? ''
  const upload: Begun = { session: location.slice(drive.url.length), content, held: 0 }
  begun.push(upload)
  for (let at = 0; at < 2; at += 1) {
    const range = `bytes ${at * PIECE}-${(at + 1) * PIECE - 1}/${content.length}`
    const body = content.subarray(at * PIECE, (at + 1) * PIECE)
    const reply = await drive.ask('PUT', upload.session, { body, headers: { 'content-range': range } })
    expect(reply.status).toBe(308)
    upload.held = heldIn(reply.headers)
  }
}

const heldIn = (headers: Headers) => Number(/-(\d+)$/.exec(headers.get('range') ?? '')?.[1] ?? -1) + 1

/** Completes the upload from the bytes that the service has, which are never fewer than it acknowledged. */
async function finish(drive: Drive, { session, content, held }: Begun): Promise<void> {
  const query = { 'content-range': `bytes */${content.length}` }
  const asked = await drive.ask('PUT', session, { body: '', headers: query })
  expect(asked.status).toBe(308)
  const from = heldIn(asked.headers)
  expect(from).toBeGreaterThanOrEqual(held)
  const range = `bytes ${from}-${content.length - 1}/${content.length}`
  const done = await drive.ask('PUT', session, {
    body: content.subarray(from),
    headers: { 'content-range': range },
  })
  expect([done.status, done.json.md5Checksum]).toEqual([200, md5(content)])
}

interface Found {
  readonly title: string
  readonly md5Checksum: string
  readonly shared: boolean
}

async function expectAll(drive: Drive, known: Seen['known']): Promise<void> {
  const found = new Map<string, Found>()
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query = { maxResults: 1000, fields: 'items(id,title,md5Checksum,shared),nextPageToken' }
    const more: Record<string, string> = pageToken === '' ? {} : { pageToken }
    const { json } = await drive.ask('GET', '/drive/v2/files', { query: { ...query, ...more } })
    for (const file of json.items) found.set(file.id, file)
    pageToken = json.nextPageToken
  }
  const lost = [...known.values()].filter(
    ({ id, title, md5: sum, isShared }) =>
      found.get(id)?.title !== title ||
      found.get(id)?.md5Checksum !== sum ||
      found.get(id)?.shared !== isShared,
  )
  expect(lost).toEqual([])
}
