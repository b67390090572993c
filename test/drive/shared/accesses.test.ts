/** Each server of a store records its own accesses, and reports the number of servers. */
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe.skipIf(POSTGRES === undefined)('the record of accesses of servers that share a store', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()

  test('is of one server, which the answer names', async () => {
    const args = ['--database', postgres?.database('accesses') ?? '', '--contents', temp('contents')]
    const first = await startDrive({ folder: temp('1'), args })
    const second = await startDrive({ folder: temp('2'), args, token: first.token })
    const commits = () => Number(postgres?.query('accesses', 'SELECT max(number) FROM hla_log'))
    const { id } = (await first.ask('POST', '/drive/v2/files', { body: { title: 'shared.csv' } })).json
    const accessesAt = async (server: Drive) =>
      (await server.ask('GET', '/drive/admin/v1/accesses', { query: { file: id } })).json
    await expect.poll(async () => (await accessesAt(second)).servers, { timeout: 30_000 }).toBe(2)
    const before = commits()
    for (let at = 0; at < 30; at += 1)
      await second.ask('GET', `/drive/v2/files/${id}`, { query: { prettyPrint: at % 2 === 0 } })
    const [one, other] = [await accessesAt(first), await accessesAt(second)]
    expect(one.server).not.toBe(other.server)
    expect(one.items.map((item: { action: string }) => item.action)).toEqual(['change'])
    expect(new Set(other.items.map((item: { action: string }) => item.action))).toEqual(new Set(['open']))
    // servers commit periodically, but not for each read
    expect(commits() - before).toBeLessThan(30)
    const env = { HLA_DRIVE_URL: second.url, HLA_DRIVE_TOKEN: first.token }
    const { stderr, stdout } = await runHla(['drive', 'log', '--reads', id], { cwd: temp('2'), env })
    expect(stderr).toContain(`this log covers only server ${other.server} of 2 servers`)
    expect(stdout).toContain('open')
    await second.stop()
    await first.stop()
  })
})
