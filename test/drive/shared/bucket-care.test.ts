/** Maintenance of a shared store with contents in a bucket: check, repair, backup, move to one machine. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bucketPlace } from '../../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { digestBytes } from '../../../src/drive/persistence/contents/digest.ts'
import { PROGRAM, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { SWIFT, startOwnSwift } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe.skipIf(POSTGRES === undefined || !SWIFT)('a store with its contents in a bucket', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const swift = postgres === undefined || !SWIFT ? undefined : await startOwnSwift()
  const bucket = (await swift?.bucket('care')) ?? ''
  const env = swift?.env ?? {}
  const hla = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await runHla(['drive', ...words], { cwd: temp('.'), env })
    return { status, text: stdout + stderr }
  }

  test('copies and backups that are killed are not taken for whole, and are made again', async () => {
    const folder = temp('killed')
    const alone = await startDrive({ folder })
    for (let at = 0; at < 30; at += 1)
      await alone.ask('POST', '/upload/drive/v2/files', { body: randomBytes(300_000) })
    await alone.stop()
    const database = postgres?.database('killed') ?? ''
    const contents = `${bucket}/killed`
    const killed = async (words: readonly string[], isTime: () => Promise<boolean>) => {
      const child = spawn(process.execPath, [PROGRAM, 'drive', ...words], {
        stdio: 'ignore',
        env: { ...process.env, ...env },
      })
      const ended = once(child, 'exit')
      while (child.exitCode === null && !(await isTime()))
        await new Promise((resolve) => setTimeout(resolve, 5))
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
    }

    const place = bucketPlace(contents, env)
    const copied = async () => {
      let count = 0
      for await (const { size } of place.contents.list()) count += Math.sign(size)
      return count
    }
    const copy = ['copy', '--from', folder, '--to', database, '--contents', contents]
    await killed(copy, async () => (await copied()) >= 3)
    const shared = ['--database', database, '--contents', contents]
    await expect(startDrive({ folder: temp('early'), args: shared, env, token: 'x' })).rejects.toThrow(
      'a copy that is not finished',
    )
    expect(await hla(...copy)).toMatchObject({ status: 0 })
    expect(await copied()).toBe(30)
    await place.close()

    const kept = temp('killed-backup')
    // an unfinished backup has another name
    const part = temp('.killed-backup.part/blobs')
    await killed(['backup', ...shared, kept], async () => existsSync(part) && readdirSync(part).length >= 3)
    expect(existsSync(kept)).toBe(false)
    expect((await hla('restore', temp('.killed-backup.part'), '--data', temp('half'))).status).not.toBe(0)
    expect(await hla('backup', ...shared, kept)).toEqual({
      status: 0,
      text: expect.stringContaining('30 count'),
    })
    expect((await hla('restore', kept, '--data', temp('whole'))).status).toBe(0)
    expect(await hla('fsck', '--deep', '--data', temp('whole'))).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 30 contents'),
    })
  })

  test('is checked, mended, backed up and moved', async () => {
    const shared = ['--database', postgres?.database('care') ?? '', '--contents', `${bucket}/lab`]
    const server = await startDrive({ folder: temp('1'), args: shared, env })
    const contents = Array.from({ length: 4 }, () => randomBytes(40_000))
    for (const body of contents)
      await server.ask('POST', '/upload/drive/v2/files', { body, query: { uploadType: 'media' } })
    expect(await hla('fsck', ...shared, '--deep')).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 4 contents, 160,000 bytes'),
    })
    expect(await hla('backup', ...shared, temp('kept'))).toEqual({
      status: 0,
      text: expect.stringContaining('4 count'),
    })
    await server.stop()

    const [lost = '', changed = ''] = contents.map((bytes) => digestBytes(bytes).sha256)
    const place = bucketPlace(`${bucket}/lab`, env)
    await place.contents.remove(lost)
    const wrong = await hla('fsck', ...shared)
    expect([wrong.status, wrong.text]).toEqual([
      3,
      expect.stringContaining(`content ${lost} is not in s3://`),
    ])
    expect(wrong.text).not.toContain(changed)
    const mended = await hla('fsck', ...shared, '--deep', '--repair', '--from', temp('kept'))
    expect([mended.status, mended.text]).toEqual([0, expect.stringContaining('taken from')])
    expect((await place.contents.find(lost))?.size).toBe(40_000)
    await place.close()
    expect((await hla('fsck', ...shared, '--deep')).status).toBe(0)

    const moved = await hla(
      'copy',
      '--from',
      shared[1] ?? '',
      '--contents',
      `${bucket}/lab`,
      '--to',
      temp('moved'),
    )
    expect([moved.status, moved.text]).toEqual([0, expect.any(String)])
    expect(await hla('fsck', '--data', temp('moved'), '--deep')).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 4 contents, 160,000 bytes'),
    })

    const again = postgres?.database('again') ?? ''
    const into = (contents: string) =>
      hla('copy', '--from', temp('moved'), '--to', again, '--contents', contents)
    // the bucket has the contents of another store
    expect((await into(`${bucket}/lab`)).text).toContain('nothing is copied: there are contents in s3://')
    expect((await into(`${bucket}/again`)).status).toBe(0)
    const whole = ['--database', again, '--contents', `${bucket}/again`]
    expect(await hla('fsck', ...whole, '--deep')).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 4 contents, 160,000 bytes'),
    })
    const next = await startDrive({ folder: temp('2'), args: whole, env, token: server.token })
    expect((await next.ask('GET', '/drive/v2/about')).status).toBe(200)
    await next.stop()

    // last, because the store is not started again
    await swift?.kill()
    const away = await hla('fsck', ...shared)
    expect([away.status === 0, away.text]).toEqual([
      false,
      expect.stringContaining('cannot reach the contents'),
    ])
  })
})
