/** Several servers of one store: each knows what another has answered, and concurrent changes are ordered. */
import { EventEmitter } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { openSharedStore } from '../../../src/drive/persistence/shared/shared-store.ts'
import { type Drive, PROGRAM, startDrive } from '../../support/drive.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import { revokeToken } from '../../support/shared-commands.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

interface Servers {
  readonly all: readonly Drive[]
  readonly url: string
}

describe.skipIf(POSTGRES === undefined)('servers of one store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const address = (name: string) => postgres?.database(name) ?? ''
  const query = (name: string, sql: string) => postgres?.query(name, sql) ?? ''

  const serve = (folder: string, url: string, token?: string) =>
    startDrive({
      folder: temp(folder),
      args: ['--database', url, '--contents', temp(`contents-${url.split('/').at(-1)}`)],
      ...(token === undefined ? {} : { token }),
    })

  const serveTwo = async (name: string): Promise<Servers> => {
    const url = address(name)
    const first = await serve(`${name}-1`, url)
    return { all: [first, await serve(`${name}-2`, url, first.token)], url }
  }

  let pair: Promise<Servers> | undefined
  /** Two servers for most tests of the file; starting them takes longer than most tests. */
  const together = async () => (await (pair ??= serveTwo('together'))).all as [Drive, Drive]

  const stopAll = ({ all }: Servers) => Promise.all(all.map((one) => one.stop()))

  test('what one has answered the other knows', async () => {
    const [one, other] = await together()
    for (let at = 0; at < 30; at += 1) {
      const [writer, reader] = at % 2 === 0 ? [one, other] : [other, one]
      const made = await writer.ask('POST', '/drive/v2/files', { body: { title: `file ${at}` } })
      expect(made.status).toBe(200)
      const read = await reader.ask('GET', `/drive/v2/files/${made.json.id}`)
      expect(read.json.title).toBe(`file ${at}`)
      const found = await reader.ask('GET', '/drive/v2/files', { query: { q: `title = 'file ${at}'` } })
      expect(found.json.items).toHaveLength(1)
    }
  })

  test('what a server has only followed does not stay in its write-ahead log', async () => {
    const [one, other] = await together()
    const file = join(other.folder, 'store.db')
    const before = statSync(file).size
    for (let at = 0; at < 100; at += 1)
      await one.ask('POST', '/drive/v2/files', { body: { title: `${at}`, description: 'x'.repeat(5000) } })
    await expect.poll(() => statSync(file).size, { timeout: 20_000 }).toBeGreaterThan(before + 400_000)
  })

  test('of those who change one state, one does', async () => {
    const [one, other] = await together()
    const made = await one.ask('POST', '/drive/v2/files', { body: { title: '0' } })
    const path = `/drive/v2/files/${made.json.id}`
    for (let round = 1; round <= 10; round += 1) {
      const { etag } = (await one.ask('GET', path)).json
      const asked = Array.from({ length: 8 }, (_, at) =>
        (at % 2 === 0 ? one : other).ask('PUT', path, {
          body: { title: `${round}.${at}` },
          headers: { 'if-match': etag },
        }),
      )
      const statuses = (await Promise.all(asked)).map((reply) => reply.status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
    }
  })

  test('a reader of changes misses none, and none comes twice', async () => {
    const [one, other] = await together()
    const begun = Number((await one.ask('GET', '/drive/v2/about')).json.largestChangeId)
    const titles = Array.from({ length: 60 }, (_, at) => `change ${at}`)
    let isOver = false
    const writing = Promise.all(
      [one, other].map(async (writer, which) => {
        for (const title of titles.filter((_, at) => at % 2 === which))
          await writer.ask('POST', '/drive/v2/files', { body: { title } })
      }),
    ).then(() => (isOver = true))
    const seen: string[] = []
    let [next, reader] = [begun + 1, one]
    for (let isLast = false; !isLast;) {
      isLast = isOver
      const page = await reader.ask('GET', '/drive/v2/changes', {
        query: { startChangeId: next, maxResults: 7 },
      })
      for (const { id, file } of page.json.items) {
        expect(Number(id)).toBeGreaterThanOrEqual(next)
        next = Number(id) + 1
        if (titles.includes(file?.title)) seen.push(file.title)
      }
      if (page.json.items.length > 0) isLast = false
      reader = reader === one ? other : one
    }
    await writing
    expect(seen.toSorted((a, b) => a.localeCompare(b))).toEqual(titles.toSorted((a, b) => a.localeCompare(b)))
  })

  test('a new name of a user is shown by all', async () => {
    const [one, other] = await together()
    const about = async () => (await other.ask('GET', '/drive/v2/about')).json
    const { user } = await about()
    const { json } = await one.ask('POST', '/drive/v2/files', { body: { title: 'of whom?' } })
    const owners = async () => (await other.ask('GET', `/drive/v2/files/${json.id}`)).json.ownerNames
    expect(await owners()).toEqual([user.displayName])
    const path = `/drive/admin/v1/users/${user.emailAddress}`
    expect((await one.ask('PATCH', path, { body: { name: 'Renamed' } })).status).toBe(200)
    expect(await owners()).toEqual(['Renamed'])
  })

  // last of the tests with these servers, which share the token
  test('a token that one has revoked is good for none', async () => {
    const [one, other] = await together()
    expect((await other.ask('GET', '/drive/v2/about')).status).toBe(200)
    await revokeToken(one, one.token)
    expect((await other.ask('GET', '/drive/v2/about')).status).toBe(401)
  })

  test('what a server remembers is forgotten before it answers on top of what others did', async () => {
    const url = address('remembered')
    const one = await serve('remembered-1', url)
    // a second server, in this process
    const other = await openSharedStore(temp('remembered-2'), {
      url,
      contents: temp('contents-remembered'),
      writer: { file: PROGRAM, argv: ['__drive-writer'] },
      isService: true,
      onBroken: (error) => {
        throw error
      },
      onWarning: () => undefined,
    })
    let told = 0
    other.sharing?.onChange(() => (told += 1))
    await other.sharing?.current()
    const before = told
    // the copy is up to date, but the message of its thread comes late
    const late = vi.spyOn(Worker.prototype, 'emit').mockImplementation(function (this: Worker, ...event) {
      const send = () => EventEmitter.prototype.emit.apply(this, event)
      if (event[1] !== 'followed') return send()
      setTimeout(send, 3000)
      return true
    })
    await one.ask('POST', '/drive/v2/files', { body: { title: 'one' } })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(told).toBe(before)
    await other.sharing?.current()
    expect(told).toBe(before + 1)
    late.mockRestore()
    await other.close()
    await one.stop()
  })

  test('a server with nothing of its own, and one that was away, come to the same', async () => {
    const servers = await serveTwo('late')
    const [one, other] = servers.all as [Drive, Drive]
    await one.ask('POST', '/drive/v2/files', { body: { title: 'first' } })
    await other.stop('SIGKILL')
    for (let at = 0; at < 20; at += 1)
      await one.ask('POST', '/drive/v2/files', { body: { title: `later ${at}` } })
    const back = await serve('late-2', servers.url, one.token)
    const fresh = await serve('late-3', servers.url, one.token)
    const lists = await Promise.all(
      [one, back, fresh].map((server) =>
        server.ask('GET', '/drive/v2/files', { query: { maxResults: 100, fields: 'items(id,title,etag)' } }),
      ),
    )
    expect(lists[0]?.json.items).toHaveLength(21)
    expect(lists[1]?.text).toBe(lists[0]?.text)
    expect(lists[2]?.text).toBe(lists[0]?.text)
    await Promise.all([one, back, fresh].map((server) => server.stop()))
  })

  test('a folder with a store of its own, or a copy of another store, is refused', async () => {
    const alone = await startDrive({ folder: temp('own') })
    await alone.stop()
    await expect(serve('own', address('own'))).rejects.toThrow('holds a store in a folder')
    const first = await serve('foreign', address('others'))
    await first.stop()
    const other = address('others_too')
    await expect(serve('foreign', other, 'x')).rejects.toThrow('holds a copy of one')
    await (await serve('second', other)).stop()
    await expect(serve('foreign', other, 'x')).rejects.toThrow('holds a copy of another store')
    // a copy is not a store: it cannot be checked or backed up without the contents
    for (const words of [['fsck'], ['backup', temp('others-backup')]]) {
      const told = await runHla(['drive', ...words, '--data', temp('foreign')], { cwd: temp('foreign') })
      expect(told.stderr).toContain('copy of a shared store')
      expect(told.status).not.toBe(0)
    }
    await expect(startDrive({ folder: temp('foreign'), token: 'x' })).rejects.toThrow(
      'copy of a shared store',
    )
  })

  test('while the database is away nothing is answered wrongly, and then all goes on', async () => {
    const servers = await serveTwo('away')
    const [one, other] = servers.all as [Drive, Drive]
    await one.ask('POST', '/drive/v2/files', { body: { title: 'before' } })
    for (const isAtOnce of [false, true]) {
      postgres?.stop(isAtOnce)
      for (const server of servers.all) {
        const read = await server.ask('GET', '/drive/v2/files')
        expect([read.status, read.headers.get('retry-after')]).toEqual([503, '5'])
        const written = await server.ask('POST', '/drive/v2/files', { body: { title: 'lost' } })
        expect(written.status).toBe(503)
        expect((await server.ask('GET', '/healthz')).status).toBe(200)
      }
      postgres?.start()
      for (const server of servers.all)
        await expect
          .poll(async () => (await server.ask('GET', '/drive/v2/files')).status, { timeout: 20_000 })
          .toBe(200)
    }
    const list = await other.ask('GET', '/drive/v2/files')
    expect(list.json.items.map(({ title }: { title: string }) => title)).toEqual(['before'])
    expect((await other.ask('POST', '/drive/v2/files', { body: { title: 'after' } })).status).toBe(200)
    await stopAll(servers)
  })

  test('a limit of requests is that of all servers together', async () => {
    const url = address('limited')
    const start = (folder: string, token?: string) =>
      startDrive({
        folder: temp(folder),
        args: ['--database', url, '--contents', temp('contents-limited'), '--rate-limit', '40'],
        ...(token === undefined ? {} : { token }),
      })
    const first = await start('limited-1')
    const all = [first, await start('limited-2', first.token), await start('limited-3', first.token)]
    // the servers have found each other, and earlier requests no longer count
    await new Promise((resolve) => setTimeout(resolve, 3500))
    const began = performance.now()
    const replies = await Promise.all(
      Array.from({ length: 240 }, (_, at) => (all[at % 3] ?? first).ask('GET', '/drive/v2/about')),
    )
    const seconds = (performance.now() - began) / 1000
    const taken = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(240 - taken)
    expect(taken).toBeGreaterThan(20)
    // a burst of 1 s, and the requests allowed during the test
    expect(taken).toBeLessThanOrEqual(40 * (1 + seconds) + 3)
    await Promise.all(all.map((one) => one.stop()))
  })

  test('a server joins a store that has contents; a new store has none that are there', async () => {
    const servers = await serveTwo('joined')
    const [one] = servers.all as [Drive, Drive]
    const body = 'a content that is a file '.repeat(2000)
    const made = await one.ask('POST', '/upload/drive/v2/files', {
      body,
      headers: { 'content-type': 'text/plain' },
      query: { uploadType: 'media' },
    })
    const third = await serve('joined-3', servers.url, one.token)
    const read = await third.ask('GET', `/drive/v2/files/${made.json.id}`, { query: { alt: 'media' } })
    expect(read.text).toBe(body)
    await third.stop()
    await stopAll(servers)
    // an empty database with this store's contents, which a clean-up would remove
    const args = ['--database', address('joined_not'), '--contents', temp('contents-joined')]
    await expect(startDrive({ folder: temp('joined-4'), args })).rejects.toThrow(
      'the database has no store yet, but there are contents in',
    )
  })

  test('a copy that differs from what the log says is made anew', async () => {
    const url = address('differs')
    const first = await serve('differs-1', url)
    for (let at = 0; at < 5; at += 1) await first.ask('POST', '/drive/v2/files', { body: { title: `${at}` } })
    await first.stop()
    // delete the copy; the first log entries exist only in a snapshot
    rmSync(join(temp('differs-1'), 'store.db'), { force: true })
    rmSync(join(temp('differs-1'), 'store.db-wal'), { force: true })
    const again = await serve('differs-1', url, first.token)
    expect((await again.ask('GET', '/drive/v2/files')).json.items).toHaveLength(5)
    expect(query('differs', 'SELECT count(*) FROM hla_log')).not.toBe('0')
    await again.stop()
  })
})
