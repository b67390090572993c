/**
 * Backups of a shared store as docs/deployment.md describes them: a restore is complete, and no server continues from
 * lost changes.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startOwnPostgres } from '../../support/postgres.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const BODY = 'a content that is a file '.repeat(2000)

describe.skipIf(POSTGRES === undefined)('a shared store that was restored', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startOwnPostgres()
  const serve = (name: string, url: string, contents: string, token?: string) =>
    startDrive({
      folder: temp(name),
      args: ['--database', url, '--contents', temp(contents)],
      ...(token === undefined ? {} : { token }),
    })
  const upload = async (server: Drive, title: string) => {
    const { json } = await server.ask('POST', '/upload/drive/v2/files', {
      body: title + BODY,
      headers: { 'content-type': 'text/plain' },
      query: { uploadType: 'media' },
    })
    await server.ask('PUT', `/drive/v2/files/${json.id}`, { body: { title } })
    return String(json.id)
  }
  const list = async (server: Drive) => {
    const query = { maxResults: 100, fields: 'items(id,title,etag)' }
    return (await server.ask('GET', '/drive/v2/files', { query })).json.items as { title: string }[]
  }
  const dump = (url: string, file: string) => void execFileSync('pg_dump', ['-Fc', '-f', temp(file), url])
  const restore = (name: string, file: string) => {
    postgres?.query('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    const url = postgres?.database(name) ?? ''
    execFileSync('pg_restore', ['-d', url, temp(file)])
    return url
  }

  test('is whole, on another server of PostgreSQL too', async () => {
    const url = postgres?.database('whole') ?? ''
    const server = await serve('whole', url, 'whole-contents')
    const ids = [await upload(server, 'one')]
    // the order of the page: contents, rows, new contents
    cpSync(temp('whole-contents'), temp('kept-contents'), { recursive: true })
    ids.push(await upload(server, 'two'))
    dump(url, 'whole.dump')
    cpSync(temp('whole-contents'), temp('kept-contents'), { recursive: true, force: false })
    const known = await list(server)
    await upload(server, 'later')
    await server.stop()
    for (const one of ['whole', 'whole-contents']) rmSync(temp(one), { recursive: true })
    const elsewhere = restore('whole_again', 'whole.dump')
    const again = await serve('whole-again', elsewhere, 'kept-contents', server.token)
    expect(await list(again)).toEqual(known)
    for (const id of ids) {
      const read = await again.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
      expect(read.text.endsWith(BODY)).toBe(true)
    }
    expect((await again.ask('POST', '/drive/v2/files', { body: { title: 'goes on' } })).status).toBe(200)
    await again.stop()
  })

  test('is not mixed with what servers had of what came after the backup', async () => {
    const url = postgres?.database('mixed') ?? ''
    const one = await serve('mixed-1', url, 'mixed-contents')
    const other = await serve('mixed-2', url, 'mixed-contents', one.token)
    const make = async (title: string) =>
      String((await one.ask('POST', '/drive/v2/files', { body: { title } })).json.id)
    const [first, second] = [await make('first'), await make('second')]
    dump(url, 'mixed.dump')
    const rename = (server: Drive, id: string, title: string) =>
      server.ask('PUT', `/drive/v2/files/${id}`, { body: { title } })
    // a start adds a log entry, as below, so that later entries have the same keys
    await (await serve('mixed-0', url, 'mixed-contents', one.token)).stop()
    for (let at = 0; at < 5; at += 1) await rename(one, first, `lost ${at}`)
    await list(other)
    await one.stop()
    restore('mixed', 'mixed.dump')
    // a running server has more entries than the log
    const ended = once(other.child, 'exit')
    const asked = await other.ask('GET', '/drive/v2/files').catch(() => undefined)
    expect(asked?.status ?? 503).toBe(503)
    expect((await ended)[0]).toBe(4)
    expect(other.said()).toContain('the database was restored')
    expect(other.said()).toContain('changes acknowledged since that backup are gone')
    expect(other.said()).not.toContain('Everything acknowledged is on disk')
    // other servers write as many entries before the first restarts
    const fresh = await serve('mixed-3', url, 'mixed-contents', one.token)
    for (let at = 0; at < 9; at += 1) await rename(fresh, second, `new ${at}`)
    const known = await list(fresh)
    expect(known.map(({ title }) => title)).toEqual(['new 8', 'first'])
    const back = await serve('mixed-1', url, 'mixed-contents', one.token)
    expect(await list(back)).toEqual(known)
    await Promise.all([back.stop(), fresh.stop()])
  })

  test('is not gone on with by a server that stood still while others wrote more', async () => {
    const url = postgres?.database('still') ?? ''
    const one = await serve('still-1', url, 'still-contents')
    const [first, second] = [await upload(one, 'first'), await upload(one, 'second')]
    dump(url, 'still.dump')
    const rename = (server: Drive, id: string, title: string) =>
      server.ask('PUT', `/drive/v2/files/${id}`, { body: { title } })
    // a start adds a log entry, as below, so that later entries fit this copy
    await (await serve('still-0', url, 'still-contents', one.token)).stop()
    for (let at = 0; at < 3; at += 1) await rename(one, first, `lost ${at}`)
    one.child.kill('SIGSTOP')
    restore('still', 'still.dump')
    const fresh = await serve('still-2', url, 'still-contents', one.token)
    for (let at = 0; at < 9; at += 1) await rename(fresh, second, `new ${at}`)
    const known = await list(fresh)
    const ended = once(one.child, 'exit')
    one.child.kill('SIGCONT')
    // it answers no reads from its copy, and accepts no changes
    for (const method of ['GET', 'POST']) {
      const answer = await one
        .ask(method, '/drive/v2/files', method === 'GET' ? {} : { body: { title: 'more' } })
        .catch(() => undefined)
      expect(answer?.status ?? 503).toBe(503)
    }
    expect((await ended)[0]).toBe(4)
    expect(one.said()).toContain('the database was restored')
    expect(await list(fresh)).toEqual(known)
    const back = await serve('still-1', url, 'still-contents', one.token)
    expect(await list(back)).toEqual(known)
    await Promise.all([back.stop(), fresh.stop()])
  })

  test('gets no new store in its place from a server that is started too early', async () => {
    const url = postgres?.database('early') ?? ''
    const server = await serve('early', url, 'early-contents')
    await server.ask('POST', '/drive/v2/files', { body: { title: 'kept' } })
    dump(url, 'early.dump')
    await server.stop()
    postgres?.query('postgres', 'DROP DATABASE early WITH (FORCE)')
    postgres?.database('early')
    await expect(serve('early', url, 'early-contents', server.token)).rejects.toThrow(
      'the database has no store, and',
    )
    execFileSync('pg_restore', ['-d', url, temp('early.dump')])
    const again = await serve('early', url, 'early-contents', server.token)
    expect((await list(again)).map(({ title }) => title)).toEqual(['kept'])
    await again.stop()
  })
})
