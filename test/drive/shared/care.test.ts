/** Maintenance of a shared store by its database address: check, repair, backup, clean-up. */
import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { encodeEntry } from '../../../src/drive/persistence/shared/commit-entry.ts'
import { openCommitLog } from '../../../src/drive/persistence/shared/commit-log.ts'
import { DATABASE_LOCKS } from '../../../src/drive/persistence/shared/postgres.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const BODY = 'a content that is a file '.repeat(2000)

describe.skipIf(POSTGRES === undefined)('a shared store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const serve = (name: string, url: string, token?: string) =>
    startDrive({
      folder: temp(name),
      args: ['--database', url, '--contents', temp('contents')],
      ...(token === undefined ? {} : { token }),
    })
  const hla = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await runHla(['drive', ...words], { cwd: temp('.') })
    return { status, text: stdout + stderr }
  }
  const upload = (server: Drive, title: string) =>
    server.ask('POST', '/upload/drive/v2/files', {
      body: title + BODY,
      headers: { 'content-type': 'text/plain' },
      query: { uploadType: 'media' },
    })
  const contentFiles = () =>
    readdirSync(temp('contents/blobs'), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
  const list = async (server: Drive) => {
    const query = { maxResults: 100, fields: 'items(id,title,etag,md5Checksum,fileSize)' }
    return (await server.ask('GET', '/drive/v2/files', { query })).json.items
  }

  test('is checked, mended, copied and cleaned up', async () => {
    const url = postgres?.database('care') ?? ''
    const shared = ['--database', url, '--contents', temp('contents')]
    const one = await serve('1', url)
    const other = await serve('2', url, one.token)
    for (let at = 0; at < 6; at += 1) await upload(at % 2 === 0 ? one : other, `${at}`)
    const known = await list(one)

    // while its servers run
    const clean = await hla('fsck', ...shared, '--deep')
    expect(clean).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 6 contents, 300,006 bytes'),
    })
    const kept = await hla('backup', ...shared, '--copy', temp('kept'))
    expect(kept).toEqual({ status: 0, text: expect.stringContaining('6 count') })
    const repairing = await hla('fsck', ...shared, '--repair')
    expect(repairing).toEqual({ status: 4, text: expect.stringContaining('a service uses the store') })
    expect((await hla('gc', '--data', temp('1'))).status).toBe(0)
    expect(contentFiles()).toHaveLength(6)

    // a clean-up and a check exclude each other, also across machines
    const holding = spawn('psql', [
      '-qAt',
      url,
      '-c',
      `SELECT pg_advisory_lock(${DATABASE_LOCKS.contents}), pg_sleep(60)`,
    ])
    await expect
      .poll(() =>
        postgres?.query('care', `SELECT count(*) FROM pg_locks WHERE objid = ${DATABASE_LOCKS.contents}`),
      )
      .toBe('1')
    for (const words of [
      ['gc', '--data', temp('2')],
      ['fsck', ...shared],
      ['backup', ...shared, temp('none')],
    ])
      expect(await hla(...words)).toEqual({
        status: 4,
        text: expect.stringContaining('a backup, check or clean-up of a store in this database is running'),
      })
    // end the session that holds the lock
    postgres?.query(
      'care',
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = ${DATABASE_LOCKS.contents}`,
    )
    holding.kill()
    await Promise.all([one.stop(), other.stop()])

    // a lost content, a damaged one, an inconsistent row
    const [lost = '', damaged = ''] = contentFiles()
    rmSync(lost)
    appendFileSync(damaged, 'x')
    const log = openCommitLog({ url, server: 'test' })
    const sql = `UPDATE files SET size = size + 1 WHERE pk = (SELECT max(pk) FROM files)`
    const turn = await log.takeTurn()
    await turn.append(encodeEntry([{ sql, values: [], changes: 1, key: -1 }]))
    await log.close()
    const found = await hla('fsck', ...shared)
    expect(found.status).toBe(3)
    expect(found.text).toMatch(/lost-content/)
    expect(found.text).toMatch(/damaged-content/)
    expect(found.text).toMatch(/has not the size of its head/)
    const mended = await hla('fsck', ...shared, '--repair', '--from', temp('kept'))
    expect(mended).toEqual({ status: 0, text: expect.stringContaining('3 problems, 0 not repaired') })
    expect((await hla('fsck', ...shared, '--deep')).status).toBe(0)
    const again = await serve('1', url, one.token)
    const fresh = await serve('3', url, one.token)
    expect(await list(again)).toEqual(known)
    expect(await list(fresh)).toEqual(known)
    await Promise.all([again.stop(), fresh.stop()])

    // a backup is a store of one machine, which can be moved into a database
    expect((await hla('restore', '--data', temp('restored'), temp('kept'))).status).toBe(0)
    expect((await hla('fsck', '--data', temp('restored'), '--deep')).status).toBe(0)
    const alone = await startDrive({ folder: temp('restored'), token: one.token })
    expect(await list(alone)).toEqual(known)
    await alone.stop()
  })

  test('is where its database says', async () => {
    const url = postgres?.database('nothing') ?? ''
    const shared = ['--database', url, '--contents', temp('contents')]
    for (const words of [
      ['fsck', ...shared],
      ['backup', ...shared, temp('nothing')],
    ])
      expect(await hla(...words)).toEqual({
        status: 4,
        text: expect.stringContaining('there is no store in this database'),
      })
    expect(await hla('fsck', '--database', url)).toEqual({
      status: 2,
      text: expect.stringContaining('--database needs --contents'),
    })
  })
})
