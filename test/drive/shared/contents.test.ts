/**
 * Contents shared by several servers, in a folder and in a bucket: each server serves and continues what another
 * stored.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readBucketAddress } from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { putBytes } from '../../../src/drive/persistence/contents/bucket/bucket-objects.ts'
import { openBucket } from '../../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { type Drive, type Reply, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { GRANULE, type Resumable, resumable, startResumable } from '../../support/resumable.ts'
import { IS_LONG } from '../../support/rounds.ts'
import { runHla } from '../../support/run-hla.ts'
import { startOwnSwift, startSwift, SWIFT } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const ROUNDS = 20
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

interface Put {
  readonly title: string
  readonly type?: string
  /** Id of an existing file. */
  readonly id?: string
}

function put(server: Drive, { title, type = 'a/b', id }: Put, body: Uint8Array | string): Promise<Reply> {
  const path = `/upload/drive/v2/files${id === undefined ? '' : `/${id}`}`
  const query = { uploadType: 'media', title }
  return server.ask(id === undefined ? 'POST' : 'PUT', path, {
    body,
    headers: { 'content-type': type },
    query,
  })
}

async function bytesOf(server: Drive, id: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/drive/v2/files/${id}?alt=media`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  })
  return {
    status: response.status,
    bytes: Buffer.from(await response.arrayBuffer()),
    headers: response.headers,
  }
}

const rangeOf = ({ status, headers }: Reply) => [status, headers.get('range')]

const postgres = POSTGRES === undefined ? undefined : await startPostgres()
const hasSwift = POSTGRES !== undefined && SWIFT
/** At night one that tests may kill. */
const own = hasSwift && IS_LONG ? await startOwnSwift() : undefined
const swift = own ?? (hasSwift ? await startSwift() : undefined)
const bucket = (await swift?.bucket('contents')) ?? ''

interface Servers {
  readonly one: Drive
  readonly other: Drive
  readonly again: (name: string) => Promise<Drive>
}

async function serveTwo(name: string, contents: string): Promise<Servers> {
  const url = postgres?.database(name) ?? ''
  const env = swift?.env ?? {}
  const start = (server: string, token?: string) =>
    startDrive({
      folder: temp(`${name}-${server}`),
      args: ['--database', url, '--contents', contents, '--access-log', 'off'],
      env,
      ...(token === undefined ? {} : { token }),
    })
  const one = await start('1')
  const other = await start('2', one.token)
  return {
    one,
    other,
    again: (server) => start(server, one.token),
  }
}

/** Two servers for most tests of the file; starting them takes longer than most tests. */
function sharedTwo(name: string, contents: string): () => Promise<Servers> {
  let started: Promise<Servers> | undefined
  return () => (started ??= serveTwo(name, contents))
}

function sameContents(kind: string, contents: string) {
  const serve = sharedTwo(kind, contents)

  test('what one took the other gives: whole, in part, copied, and as it was', async () => {
    const { one, other } = await serve()
    const bytes = randomBytes(700_000)
    const made = await put(one, { title: 'a' }, bytes)
    expect([made.status, made.json.md5Checksum]).toEqual([200, md5(bytes)])
    const { id } = made.json
    expect((await bytesOf(other, id)).bytes.equals(bytes)).toBe(true)
    const part = await bytesOf(other, id, { range: 'bytes=100000-199999' })
    expect([part.status, part.bytes.equals(bytes.subarray(100_000, 200_000))]).toEqual([206, true])
    const head = await other.ask('HEAD', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '700000'])
    const copy = await other.ask('POST', `/drive/v2/files/${id}/copy`, { body: { title: 'b' } })
    const newer = randomBytes(50_000)
    expect((await put(other, { title: 'a', id }, newer)).status).toBe(200)
    expect((await bytesOf(one, id)).bytes.equals(newer)).toBe(true)
    expect((await bytesOf(one, copy.json.id)).bytes.equals(bytes)).toBe(true)
    const { items } = (await one.ask('GET', `/drive/v2/files/${id}/revisions`)).json
    const old = await one.ask('GET', `/drive/v2/files/${id}/revisions/${items[0].id}`)
    expect(old.json.md5Checksum).toBe(md5(bytes))
    expect((await one.ask('DELETE', `/drive/v2/files/${id}`)).status).toBe(204)
    expect((await bytesOf(other, copy.json.id)).bytes.equals(bytes)).toBe(true)
  })

  test('words of a content are found, also when another server indexes it anew', async () => {
    const { one, other } = await serve()
    const made = await put(one, { title: 'a', type: 'text/plain' }, `${'lorem '.repeat(5000)} nucleotide`)
    const find = async (server: Drive, word: string) =>
      (await server.ask('GET', '/drive/v2/files', { query: { q: `fullText contains '${word}'` } })).json.items
        .length
    expect(await find(other, 'nucleotide')).toBe(1)
    // this server has never read the content
    const changed = await other.ask('PUT', `/drive/v2/files/${made.json.id}`, {
      body: { indexableText: { text: 'sequencing' } },
    })
    expect(changed.status).toBe(200)
    expect([await find(one, 'nucleotide'), await find(one, 'sequencing')]).toEqual([1, 1])
  })

  const CONTENT = randomBytes(9 * GRANULE + 777)
  const LAST = CONTENT.length - 1
  const sendPart = (upload: Resumable, from: number, to: number, total: number | string = '*') =>
    upload.send(`${from}-${to}/${total}`, CONTENT.subarray(from, to + 1))
  const expectWhole = async (server: Drive, reply: Reply) => {
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
    expect(reply.json.md5Checksum).toBe(md5(CONTENT))
    expect((await bytesOf(server, reply.json.id)).bytes.equals(CONTENT)).toBe(true)
  }

  test('an upload whose last bytes are there ends where it is asked for', async () => {
    const { one, other } = await serve()
    const upload = await startResumable(one, { body: { title: 'a' } })
    await sendPart(upload, 0, 9 * GRANULE - 1)
    const there = resumable(other, upload.url)
    const reply = await there.send(`*/${9 * GRANULE}`)
    expect([reply.status, reply.json.md5Checksum]).toEqual([200, md5(CONTENT.subarray(0, 9 * GRANULE))])
  })

  test('of two servers that take the same upload at once, one is told that another does', async () => {
    const { one, other } = await serve()
    const upload = await startResumable(one, { body: { title: 'a' } })
    await sendPart(upload, 0, GRANULE - 1)
    // other bytes, from a client that was considered dead
    const slow = beginRequest(one, 'PUT', upload.url, {
      'content-range': `bytes ${GRANULE}-${3 * GRANULE - 1}/*`,
      'content-length': String(2 * GRANULE),
    })
    slow.write(randomBytes(GRANULE))
    await sleep(300)
    const there = resumable(other, upload.url)
    expect((await sendPart(there, GRANULE, 4 * GRANULE - 1)).status).toBe(308)
    slow.end(randomBytes(GRANULE))
    const late = await replyTo(slow)
    expect([late.status, late.headers['retry-after']]).toEqual([503, '1'])
    expect(rangeOf(await upload.send('*/*'))).toEqual([308, `bytes=0-${4 * GRANULE - 1}`])
    await expectWhole(one, await sendPart(upload, 4 * GRANULE, LAST, CONTENT.length))
  })

  // last, because it stops one of the servers
  test('an upload goes on with any server, also when the one that began it is dead', async () => {
    const { one, other, again } = await serve()
    const upload = await startResumable(one, { body: { title: 'a' } })
    const there = resumable(other, upload.url)
    expect(rangeOf(await sendPart(upload, 0, 2 * GRANULE - 1))).toEqual([308, `bytes=0-${2 * GRANULE - 1}`])
    expect(rangeOf(await there.send('*/*'))).toEqual([308, `bytes=0-${2 * GRANULE - 1}`])
    await sendPart(there, 2 * GRANULE, 5 * GRANULE - 1)
    await sendPart(upload, 5 * GRANULE, 6 * GRANULE - 1)
    await one.stop('SIGKILL')
    expect(rangeOf(await there.send('*/*'))).toEqual([308, `bytes=0-${6 * GRANULE - 1}`])
    const last = await sendPart(there, 6 * GRANULE, LAST, CONTENT.length)
    await expectWhole(other, last)
    const back = await again('1')
    const told = await resumable(back, upload.url).send('*/*')
    expect([told.status, told.json.id]).toEqual([200, last.json.id])
    await back.stop()
  })
}

describe.skipIf(postgres === undefined)('in a folder', () => {
  sameContents('folder', temp('contents-folder'))
})

describe.skipIf(swift === undefined)('in a bucket', () => {
  sameContents('bucket', `${bucket}/same`)
  const serve = sharedTwo('kept', `${bucket}/kept`)
  const { url, env } = swift as NonNullable<typeof swift>

  test.runIf(IS_LONG)('that is away, metadata goes on and contents are asked for again later', async () => {
    const { one, other, again } = await serve()
    const bytes = randomBytes(300_000)
    const { id } = (await put(one, { title: 'a' }, bytes)).json
    const upload = await startResumable(one, { body: { title: 'b' } })
    await own?.kill()
    const late = (reply: { readonly status: number; readonly headers: Headers }) =>
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    const asked = [
      bytesOf(one, id),
      bytesOf(other, id, { range: 'bytes=5-9' }),
      put(one, { title: 'c' }, bytes),
      upload.send(`0-${GRANULE - 1}/*`, bytes.subarray(0, GRANULE)),
    ]
    expect((await one.ask('GET', `/drive/v2/files/${id}`)).json.md5Checksum).toBe(md5(bytes))
    expect((await other.ask('PUT', `/drive/v2/files/${id}`, { body: { title: 'd' } })).status).toBe(200)
    // small contents are in the database
    expect((await put(other, { title: 'e' }, 'small')).status).toBe(200)
    for (const reply of await Promise.all(asked)) late(reply)
    // a server starts without the bucket
    const third = await again('3')
    expect(third.said()).toContain('cannot reach the contents')
    expect((await third.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('d')
    await own?.start()
    for (const server of [one, other, third])
      expect((await bytesOf(server, id)).bytes.equals(bytes)).toBe(true)
    expect(rangeOf(await upload.send('*/*'))).toEqual([308, null])
    // reads recover first; the client repeats requests answered with 503 and Retry-After
    const ended = async () => (await upload.send('0-299999/300000', bytes)).status
    await expect.poll(ended, { interval: 1000, timeout: 60_000 }).toBe(200)
    await third.stop()
  })

  test.runIf(IS_LONG)(
    'uploads under way when it is killed are whole or are not there',
    { timeout: 60_000 + ROUNDS * 60_000 },
    async () => {
      const servers = await serve()
      const made = new Map<string, string>()
      for (let round = 0; round < ROUNDS; round += 1) {
        const uploads = Array.from({ length: 8 }, async (_, at) => {
          const bytes = randomBytes(1_500_000)
          const reply = await put(
            at % 2 === 0 ? servers.one : servers.other,
            { title: `${round}.${at}` },
            bytes,
          )
          expect([200, 503]).toContain(reply.status)
          if (reply.status === 200) made.set(reply.json.id, md5(bytes))
        })
        await sleep(150)
        await own?.kill()
        await sleep(500)
        await own?.start()
        await Promise.all(uploads)
      }
      for (const [id, digest] of made) expect(md5((await bytesOf(servers.other, id)).bytes)).toBe(digest)
    },
  )

  test('of another store, without keys, or without a database is refused', async () => {
    await serve()
    const begin = (words: readonly string[], variables: Readonly<Record<string, string>>) =>
      startDrive({
        folder: temp(`refused-${randomBytes(4).toString('hex')}`),
        args: words,
        env: variables,
        token: 'x',
      })
    const database = ['--database', postgres?.database('another') ?? '']
    await expect(begin([...database, '--contents', `${bucket}/kept`], env)).rejects.toThrow(
      'has the contents of another store',
    )
    const none = { AWS_ENDPOINT_URL_S3: url, AWS_SHARED_CREDENTIALS_FILE: temp('none') }
    await expect(begin([...database, '--contents', `${bucket}/kept`], none)).rejects.toThrow(
      'no access keys found',
    )
    await expect(begin(['--contents', `${bucket}/kept`], env)).rejects.toThrow(
      '--contents is for a store with --database',
    )
  })

  test('what a server has of it is gone with its folder, and nothing is lost', async () => {
    const { one, other, again } = await serve()
    const bytes = randomBytes(400_000)
    const { id } = (await put(one, { title: 'a' }, bytes)).json
    expect(readdirSync(join(one.folder, 'spool'))).toEqual([])
    await one.stop()
    rmSync(one.folder, { recursive: true })
    const back = await again('1')
    expect((await bytesOf(back, id)).bytes.equals(bytes)).toBe(true)
    // the clean-up runs from the server's folder, and keeps contents that have a row
    const swept = await runHla(['drive', 'gc', '--data', back.folder, '--grace', '1h'], { cwd: back.folder })
    expect([swept.status, swept.stderr]).toEqual([0, ''])
    expect((await bytesOf(other, id)).bytes.equals(bytes)).toBe(true)
    // a download of changed bytes is cut off
    const raw = openBucket(readBucketAddress(`${bucket}/kept`, env), env)
    const { sha256 } = digestBytes(bytes)
    const wrong = randomBytes(bytes.length)
    await putBytes(raw, `blobs/${sha256.slice(0, 2)}/${sha256}`, wrong, digestBytes(wrong))
    await raw.close()
    await expect(bytesOf(back, id)).rejects.toThrow('terminated')
    await back.stop()
    await other.stop()
  })
})
