/** A server of a shared store while its database or its contents are unreachable: status and answers. */
import { renameSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe.skipIf(POSTGRES === undefined)('a server of a shared store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const serve = (name: string, url: string, args: readonly string[] = []) =>
    startDrive({
      folder: temp(name),
      args: ['--database', url, '--contents', temp(`${name}-contents`), ...args],
    })
  const ready = async (server: Drive) => {
    const { status, json } = await server.ask('GET', '/readyz')
    return [status, json.status]
  }
  const gauges = async (server: Drive) => {
    const { text } = await server.ask('GET', '/metrics')
    const value = (name: string) =>
      Number(new RegExp(`^hla_drive_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN)
    return {
      database: value('database_up'),
      contents: value('contents_up'),
      leader: value('leader'),
      entry: value('log_entry'),
    }
  }

  test('tells whether it is the database or the contents that is away', async () => {
    const server = await serve('told', postgres?.database('told') ?? '')
    await server.ask('POST', '/drive/v2/files', { body: { title: 'one' } })
    expect(await ready(server)).toEqual([200, 'ready'])
    await expect
      .poll(() => gauges(server), { timeout: 10_000 })
      .toMatchObject({ database: 1, contents: 1, leader: 1 })
    expect((await gauges(server)).entry).toBeGreaterThan(1)
    // requests that need no contents succeed
    renameSync(temp('told-contents'), temp('unmounted'))
    expect(await ready(server)).toEqual([200, 'contents away'])
    expect(await gauges(server)).toMatchObject({ database: 1, contents: 0 })
    expect((await server.ask('POST', '/drive/v2/files', { body: { title: 'two' } })).status).toBe(200)
    renameSync(temp('unmounted'), temp('told-contents'))
    expect(await ready(server)).toEqual([200, 'ready'])

    postgres?.stop(true)
    expect(await ready(server)).toEqual([503, 'database away'])
    expect(await gauges(server)).toMatchObject({ database: 0, contents: 1, leader: 0 })
    expect((await server.ask('GET', '/drive/v2/files')).status).toBe(503)
    postgres?.start()
    await expect.poll(() => ready(server), { timeout: 20_000 }).toEqual([200, 'ready'])
    await server.stop()
  })

  test('reads on for a while where that was asked for, and says how old it is', async () => {
    const server = await serve('stale', postgres?.database('stale') ?? '', ['--read-while-away', '6s'])
    const { json } = await server.ask('POST', '/drive/v2/files', { body: { title: 'one' } })
    const path = `/drive/v2/files/${json.id}`
    const fresh = await server.ask('GET', path)
    expect([fresh.headers.get('warning'), fresh.headers.get('age')]).toEqual([null, null])
    postgres?.stop(true)
    const began = Date.now()
    for (const one of [path, '/drive/v2/files', '/drive/v2/changes']) {
      const read = await server.ask('GET', one)
      expect([read.status, read.headers.get('warning')]).toEqual([200, '110 - "Response is Stale"'])
      expect(Number(read.headers.get('age'))).toBeLessThanOrEqual(6)
    }
    const written = await server.ask('PUT', path, { body: { title: 'two' } })
    expect([written.status, written.headers.get('retry-after')]).toEqual([503, '5'])
    await expect.poll(async () => (await server.ask('GET', path)).status, { timeout: 20_000 }).toBe(503)
    expect(Date.now() - began).toBeGreaterThan(2000)
    postgres?.start()
    await expect
      .poll(async () => (await server.ask('GET', path)).headers.get('warning'), { timeout: 20_000 })
      .toBe(null)
    expect((await server.ask('GET', path)).json.title).toBe('one')
    await server.stop()
  })

  test('is not taken for dead when a grant expires meanwhile', async () => {
    const server = await serve('expiring', postgres?.database('expiring') ?? '')
    const { json } = await server.ask('POST', '/drive/v2/files', { body: { title: 'one' } })
    const expirationDate = new Date(Date.now() + 2000).toISOString()
    const granted = await server.ask('POST', `/drive/v2/files/${json.id}/permissions`, {
      body: { type: 'user', role: 'reader', value: 'guest@example.org', expirationDate },
    })
    expect([granted.status, granted.json.expirationDate]).toEqual([200, expirationDate])
    postgres?.stop(true)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect((await server.ask('GET', '/healthz')).status).toBe(200)
    expect(await ready(server)).toEqual([503, 'database away'])
    // reads continue until the lease ends
    expect((await server.ask('GET', `/drive/v2/files/${json.id}`)).status).toBe(503)
    postgres?.start()
    await expect.poll(() => ready(server), { timeout: 20_000 }).toEqual([200, 'ready'])
    const left = await server.ask('GET', `/drive/v2/files/${json.id}/permissions`)
    expect(left.json.items).toHaveLength(1)
    await server.stop()
  })

  test('forgets nothing of a content while its folder is away', async () => {
    const server = await serve('kept', postgres?.database('kept') ?? '')
    const { json } = await server.ask('POST', '/upload/drive/v2/files', {
      body: `haplotype ${'filler '.repeat(5000)}`,
      headers: { 'content-type': 'text/plain' },
      query: { uploadType: 'media' },
    })
    const path = `/drive/v2/files/${json.id}`
    const found = async () =>
      (await server.ask('GET', '/drive/v2/files', { query: { q: `fullText contains 'haplotype'` } })).json
        .items.length
    expect(await found()).toBe(1)
    renameSync(temp('kept-contents'), temp('kept-unmounted'))
    const renamed = await server.ask('PUT', path, { body: { title: 'other' } })
    const read = await server.ask('GET', path, { query: { alt: 'media' } })
    expect([renamed.status, read.status, read.headers.get('retry-after')]).toEqual([503, 503, '5'])
    expect(await found()).toBe(1)
    renameSync(temp('kept-unmounted'), temp('kept-contents'))
    expect((await server.ask('PUT', path, { body: { title: 'other' } })).status).toBe(200)
    expect((await server.ask('GET', path, { query: { alt: 'media' } })).status).toBe(200)
    expect(await found()).toBe(1)
    await server.stop()
  })

  test('keeps few connections, however many ask', async () => {
    const server = await serve('few', postgres?.database('few') ?? '')
    const count = () =>
      Number(postgres?.query('postgres', `SELECT count(*) FROM pg_stat_activity WHERE datname = 'few'`))
    const counts: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const asked = Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0
          ? server.ask('POST', '/drive/v2/files', { body: { title: `${round}.${at}` } })
          : server.ask('GET', '/drive/v2/files'),
      )
      counts.push(count())
      await Promise.all(asked)
    }
    // the maximum of docs/deployment.md
    expect(Math.max(...counts)).toBeLessThanOrEqual(6)
    await server.stop()
  })
})
