/** Servers of two program versions share a store: the later version adds tables that the earlier does not know. */
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { makeNextVersion } from '../../support/next-version.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/** A typical migration: a column, and a table that is filled from existing rows and kept by a trigger. */
const MIGRATION = `ALTER TABLE files ADD COLUMN trial INTEGER NOT NULL DEFAULT 7;
CREATE TABLE trials(file INTEGER PRIMARY KEY, title TEXT NOT NULL);
INSERT INTO trials SELECT pk, title FROM files;
CREATE TRIGGER trials_kept AFTER INSERT ON files BEGIN INSERT INTO trials VALUES (new.pk, new.title); END`

describe.skipIf(POSTGRES === undefined)('servers of two versions', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()

  test('work together, and the earlier one does not come back to tables that it does not know', async () => {
    const later = makeNextVersion(temp('later'), MIGRATION)
    const args = ['--database', postgres?.database('versions') ?? '', '--contents', temp('contents')]
    const first = await startDrive({ folder: temp('1'), args })
    const start = (folder: string, program?: string) =>
      startDrive({
        folder: temp(folder),
        args,
        token: first.token,
        ...(program === undefined ? {} : { program }),
      })
    const second = await start('2')
    const list = async (server: Drive) => {
      const items: unknown[] = []
      let pageToken: string | undefined
      do {
        const query = { maxResults: 1000, fields: 'nextPageToken,items(id,title,etag,md5Checksum)' }
        const more = pageToken === undefined ? {} : { pageToken }
        const { json } = await server.ask('GET', '/drive/v2/files', { query: { ...query, ...more } })
        items.push(...json.items)
        pageToken = json.nextPageToken
      } while (pageToken !== undefined)
      return items
    }
    // a rolling upgrade under load
    const current = { second, isOver: false }
    const made: string[] = []
    const write = async (servers: readonly (() => Drive)[]) => {
      for (let at = 0; !current.isOver; at += 1) {
        const server = servers[at % servers.length]?.() ?? first
        const title = `file ${at}`
        const { status } = await server.ask('POST', '/drive/v2/files', { body: { title } })
        expect(status).toBe(200)
        made.push(title)
      }
    }
    const load = write([() => first, () => current.second])
    const newer = await start('3', later)
    // requests go to the new server only
    current.second = newer
    await new Promise((resolve) => setTimeout(resolve, 500))
    await second.stop()
    await new Promise((resolve) => setTimeout(resolve, 2000))
    current.isOver = true
    await load
    const items = await list(first)
    expect(await list(newer)).toEqual(items)
    expect(items).toHaveLength(made.length)
    // search, folders and the change log work on both servers
    const { json } = await first.ask('POST', '/drive/v2/files', {
      body: { title: 'written by the earlier' },
    })
    await newer.ask('PUT', `/drive/v2/files/${json.id}`, { body: { title: 'changed by the later' } })
    const found = await first.ask('GET', '/drive/v2/files', {
      query: { q: `fullText contains 'changed by the later'` },
    })
    expect(found.json.items).toHaveLength(1)

    await first.stop()
    await expect(start('1')).rejects.toThrow(/the store has tables of version \d+, this program knows \d+/)
    const upgraded = await start('1', later)
    const fresh = await start('4', later)
    expect(await list(fresh)).toEqual(await list(newer))
    expect(await list(upgraded)).toEqual(await list(newer))
    await Promise.all([newer, upgraded, fresh].map((one) => one.stop()))
  })

  test('a change of tables that fails is in nobody’s way: it does not get into the log', async () => {
    const failing = makeNextVersion(
      temp('failing'),
      'CREATE TABLE trials(title TEXT UNIQUE); INSERT INTO trials SELECT title FROM files',
    )
    const args = ['--database', postgres?.database('failing') ?? '', '--contents', temp('failing-contents')]
    const first = await startDrive({ folder: temp('a'), args })
    const start = (folder: string, more: { readonly program?: string } = {}) =>
      startDrive({ folder: temp(folder), args, token: first.token, ...more })
    const insert = async (server: Drive) => {
      const { status } = await server.ask('POST', '/drive/v2/files', { body: { title: 'twice' } })
      expect(status).toBe(200)
    }
    await insert(first)
    await insert(first)
    await expect(start('b', { program: failing })).rejects.toThrow(/UNIQUE constraint failed/)
    await insert(first)
    const second = await start('b')
    await insert(second)
    const { json } = await first.ask('GET', '/drive/v2/files')
    expect(json.items).toHaveLength(4)
    await Promise.all([first, second].map((one) => one.stop()))
  })
})
