/**
 * `hla drive fsck --database` requests the digest of each running server's copy, and names servers that differ or do
 * not answer.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { answerChecks, askServers } from '../../../src/drive/persistence/shared/running-copies.ts'
import { openServerCopy, withConnection } from '../../../src/drive/persistence/database/open-database.ts'
import { DATABASE_LOCKS, withClient } from '../../../src/drive/persistence/shared/postgres.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/**
 * Changes a title in the file of a copy and restores the file time, so that neither SQLite nor the file system shows
 * it.
 */
function damage(file: string, title: string): void {
  const at = readFileSync(file).indexOf(title)
  if (at < 0) throw new Error(`${title} is not in ${file}`)
  const times = temp('times')
  spawnSync('touch', ['-r', file, times])
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from('X'), 0, 1, at)
  closeSync(handle)
  spawnSync('touch', ['-r', times, file])
}

/** Until every page is in the file: readers take a page from SQLite's log while that has a newer one. */
async function emptyLog(file: string): Promise<void> {
  await withConnection(openServerCopy(file), async (connection) => {
    const left = () => {
      const [row] = connection.all<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(FULL)')
      return row === undefined ? undefined : row.log - row.checkpointed
    }
    await expect.poll(left, { timeout: 20_000 }).toBe(0)
  })
}

describe.skipIf(POSTGRES === undefined)('copies of servers that run', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const started: Drive[] = []
  afterEach(async () => {
    for (const one of started.splice(0)) if (one.child.exitCode === null) await one.stop('SIGKILL')
  })

  async function serve(name: string, shared: readonly string[], token?: string): Promise<Drive> {
    const server = await startDrive({
      folder: temp(name),
      args: [...shared, '--access-log', 'off'],
      ...(token === undefined ? {} : { token }),
    })
    started.push(server)
    return server
  }

  const fsck = (shared: readonly string[]) => runHla(['drive', 'fsck', ...shared], { cwd: temp('.') })
  const add = (server: Drive, title: string) =>
    server.ask('POST', '/drive/v2/files', { body: { title } }).then(({ status }) => expect(status).toBe(200))

  test('are compared: one that was damaged after its last entry is named, and made anew', async () => {
    const shared = ['--database', postgres?.database('compared') ?? '', '--contents', temp('compared')]
    const one = await serve('one', shared)
    const other = await serve('other', shared, one.token)
    await add(one, 'patient seven')
    await add(other, 'patient eight')
    const same = (server: Drive) =>
      expect.stringMatching(new RegExp(`hla: server ${server.folder}: same \\(entry \\d+\\)\n`)) as unknown
    const clean = await fsck(shared)
    expect(clean).toMatchObject({ status: 0, stderr: same(one) })
    expect(clean).toMatchObject({ status: 0, stderr: same(other) })
    // another entry would show the damage before fsck does
    const last = () => postgres?.query('compared', 'SELECT max(number) FROM hla_log')
    for (let seen; seen !== last();) {
      seen = last()
      await new Promise((resolve) => setTimeout(resolve, 3000))
    }
    await emptyLog(join(other.folder, 'store.db'))
    damage(join(other.folder, 'store.db'), 'patient seven')
    let found = clean
    // fsck misses a server that has lost its connection to PostgreSQL for a second
    await expect
      .poll(async () => (found = await fsck(shared)).status, { timeout: 60_000, interval: 1000 })
      .toBe(3)
    expect(found.stderr).toEqual(same(one))
    expect(found.stderr).toContain(`hla: server ${other.folder}: differs\n`)
    expect(found.stdout).toMatch(/damaged-copy.*are not those of entry/)
    await expect.poll(() => other.said(), { timeout: 30_000 }).toContain('rebuilt')
    await expect.poll(async () => (await fsck(shared)).status, { timeout: 60_000 }).toBe(0)
  })

  test('are compared with the log: one that agrees with itself alone, and one that is ahead of it', async () => {
    const url = postgres?.database('itself') ?? ''
    const shared = ['--database', url, '--contents', temp('itself')]
    const one = await serve('itself-one', shared)
    await add(one, 'patient seven')
    const answering = async (number: number) => {
      const folder = `/copy at ${number}`
      const check = () => Promise.resolve({ number, sum: 'another' })
      return withClient(url, async (client) => {
        await answerChecks(client, { folder, check, told: () => undefined })
        await client.query(`SELECT pg_advisory_lock_shared(${DATABASE_LOCKS.serving})`)
        return fsck(shared)
      })
    }
    const last = Number(postgres?.query('itself', 'SELECT max(number) FROM hla_log'))
    const differing = await answering(last)
    expect(differing.status).toBe(3)
    expect(differing.stderr).toContain(`hla: server /copy at ${last}: differs\n`)
    expect(differing.stderr).toContain(`hla: server ${one.folder}: same`)
    expect(differing.stdout).toMatch(/damaged-copy.*its rows have the digest another/)
    const ahead = await answering(last + 1000)
    expect(ahead.status).toBe(3)
    expect(ahead.stdout).toMatch(/unchecked-copy.*which is not in the log/)
  })

  test('that do not answer are named', async () => {
    const url = postgres?.database('silent') ?? ''
    await withClient(url, async (silent) => {
      await silent.query(`SELECT pg_advisory_lock_shared(${DATABASE_LOCKS.serving})`)
      const asked = await withClient(url, (client) => askServers(client, 1000))
      expect(asked).toEqual([
        { server: expect.stringMatching(/^of PostgreSQL process \d+$/) as unknown, answer: undefined },
      ])
    })
  })
})
