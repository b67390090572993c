/** Several servers of one store: what one has answered all know, and no two of them change the same at once. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { revokeToken } from '../../support/shared-commands.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

interface Servers {
  readonly all: readonly Drive[]
  readonly url: string
}

describe.skipIf(POSTGRES === undefined)('servers of one store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
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

  const stopAll = ({ all }: Servers) => Promise.all(all.map((one) => one.stop()))

  test('what one has answered the other knows', async () => {
    const servers = await serveTwo('known')
    const [one, other] = servers.all as [Drive, Drive]
    for (let at = 0; at < 30; at += 1) {
      const [writer, reader] = at % 2 === 0 ? [one, other] : [other, one]
      const made = await writer.ask('POST', '/drive/v2/files', { body: { title: `file ${at}` } })
      expect(made.status).toBe(200)
      const read = await reader.ask('GET', `/drive/v2/files/${made.json.id}`)
      expect(read.json.title).toBe(`file ${at}`)
      const found = await reader.ask('GET', '/drive/v2/files', { query: { q: `title = 'file ${at}'` } })
      expect(found.json.items).toHaveLength(1)
    }
    await stopAll(servers)
  })

  test('of those who change one state, one does', async () => {
    const servers = await serveTwo('one')
    const [one, other] = servers.all as [Drive, Drive]
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
    await stopAll(servers)
  })

  test('a reader of changes misses none, and none comes twice', async () => {
    const servers = await serveTwo('changes')
    const [one, other] = servers.all as [Drive, Drive]
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
    await stopAll(servers)
  })

  test('a token that one has revoked is good for none', async () => {
    const servers = await serveTwo('revoked')
    const [one, other] = servers.all as [Drive, Drive]
    expect((await other.ask('GET', '/drive/v2/about')).status).toBe(200)
    await revokeToken(one, one.token)
    expect((await other.ask('GET', '/drive/v2/about')).status).toBe(401)
    await stopAll(servers)
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
    await expect(serve('own', address('own'))).rejects.toThrow('holds a store of its own')
    const first = await serve('foreign', address('others'))
    await first.stop()
    await expect(serve('foreign', address('others_too'), 'x')).rejects.toThrow(
      'holds a copy of another store',
    )
    // nor is a copy a store, which could be checked and backed up without the contents of all
    for (const words of [['fsck'], ['backup', temp('others-backup')]]) {
      const told = await runHla(['drive', ...words, '--data', temp('foreign')], { cwd: temp('foreign') })
      expect(told.stderr).toContain('a copy of a shared store')
      expect(told.status).not.toBe(0)
    }
    await expect(startDrive({ folder: temp('foreign'), token: 'x' })).rejects.toThrow(
      'a copy of a shared store',
    )
  })

  test(
    'while the database is away nothing is answered wrongly, and then all goes on',
    { timeout: 60_000 },
    async () => {
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
    },
  )

  test('a copy that differs from what the log says is made anew', async () => {
    const url = address('differs')
    const first = await serve('differs-1', url)
    for (let at = 0; at < 5; at += 1) await first.ask('POST', '/drive/v2/files', { body: { title: `${at}` } })
    await first.stop()
    // the entries that its copy has not yet are gone: they are in a snapshot alone
    rmSync(join(temp('differs-1'), 'store.db'), { force: true })
    rmSync(join(temp('differs-1'), 'store.db-wal'), { force: true })
    const again = await serve('differs-1', url, first.token)
    expect((await again.ask('GET', '/drive/v2/files')).json.items).toHaveLength(5)
    expect(query('differs', 'SELECT count(*) FROM hla_log')).not.toBe('0')
    await again.stop()
  })
})
