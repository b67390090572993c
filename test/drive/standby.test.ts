/**
 * What docs/drive/standby.md prepares for: a machine is lost, and another one continues with its volume, as it was at any
 * moment, or with the last backup.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../support/drive.ts'
import { GRANULE, resumable, startResumable } from '../support/resumable.ts'
import { rounds } from '../support/rounds.ts'
import { callHla } from '../support/call-hla.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { noteSkipped } from '../support/skipped.ts'

const temp = tempFolder()
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

const mounted: string[] = []
afterAll(() => {
  for (const one of mounted.toReversed()) spawnSync('umount', ['-l', one])
})

/** Makes a file system in a file, and mounts it; false without the rights or programs. */
function mountNew(image: string, folder: string, size: string, make: readonly string[]): boolean {
  const [program = '', ...args] = make
  mkdirSync(folder, { recursive: true })
  const isMade = [
    ['truncate', '-s', size, image],
    [program, ...args, image],
  ].every(([name = '', ...words]) => spawnSync(name, words).status === 0)
  return isMade && mount(image, folder)
}

function mount(image: string, folder: string): boolean {
  if (process.platform !== 'linux' || spawnSync('mount', ['-o', 'loop', image, folder]).status !== 0)
    return false
  mounted.push(folder)
  return true
}

/** XFS copies a file in one step, so that a copy of the volume is its state of one moment. */
const hasVolume =
  mountNew(temp('disks.img'), temp('disks'), '2G', ['mkfs.xfs', '-q', '-m', 'reflink=1']) &&
  mountNew(temp('disks/one.img'), temp('one'), '512M', ['mkfs.ext4', '-q'])
if (!hasVolume)
  noteSkipped('a volume that another machine takes over needs mkfs.xfs, mkfs.ext4 and mount, as root')

async function expectAll(server: Drive, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, digest] of acknowledged) {
    const { json } = await server.ask('GET', `/drive/v2/files/${id}`)
    expect([json.id, json.md5Checksum]).toEqual([id, digest])
    const response = await fetch(`${server.url}/drive/v2/files/${id}?alt=media`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    expect(md5(Buffer.from(await response.arrayBuffer()))).toBe(digest)
  }
}

describe.skipIf(!hasVolume)('a volume that another machine takes over', () => {
  test('has everything acknowledged before the first was lost, at whatever moment', async () => {
    const server = await startDrive({ folder: temp('one/store'), args: ['--access-log', 'off'] })
    const acknowledged = new Map<string, string>()
    const lane = async (size: number, state: { readonly isOver: boolean }) => {
      while (!state.isOver) {
        const bytes = randomBytes(size)
        const { status, json } = await server.ask('POST', '/upload/drive/v2/files?uploadType=media', {
          body: bytes,
        })
        if (status === 200) acknowledged.set(json.id, md5(bytes))
        await sleep(20)
      }
    }
    for (let round = 0; round < rounds(30, 3); round += 1) {
      const state = { isOver: false }
      const lanes = [500, 5000, 40_000, 300_000].map((size) => lane(size, state))
      await sleep(200 + 90 * (round % 9))
      const before = new Map(acknowledged)
      const image = temp(`disks/other-${round}.img`)
      execFileSync('cp', ['--reflink=always', temp('disks/one.img'), image])
      state.isOver = true
      await Promise.all(lanes)
      const folder = temp(`other-${round}`)
      mkdirSync(folder)
      expect(mount(image, folder)).toBe(true)
      const other = await startDrive({ folder: join(folder, 'store'), token: server.token })
      await expectAll(other, before)
      await other.stop()
      const checked = await callHla(['drive', 'fsck', '--deep', '--data', join(folder, 'store')], {
        cwd: temp('.'),
      })
      expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining('hla: clean')])
      spawnSync('umount', [folder])
      rmSync(image)
      // the volume is small
      for (const [id] of [...acknowledged].slice(0, -20)) {
        acknowledged.delete(id)
        await server.ask('DELETE', `/drive/v2/files/${id}`)
      }
    }
    await server.stop()
  })
})

describe('a backup on another machine', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/drive/standby.md'), 'utf8')
  const [, script = ''] = /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(page) ?? []
  const [, start = ''] = /```sh\n(hla drive restore [^`]*)```/.exec(page) ?? []
  const other = temp('standby')
  /** The other machine is a folder of this one. */
  const own = (text: string, data: string) =>
    text
      .replaceAll('/var/lib/hla-drive', data)
      .replaceAll('/var/backups/hla', temp('backups'))
      .replaceAll('standby:/srv/hla', other)
      .replaceAll('/srv/hla', other)
      .replace(/^ssh standby (.*)$/gm, 'sh -c $1')
      .replaceAll('systemctl start hla-drive', 'true')

  test('is sent by the script of the page, again and again, and served there', async () => {
    mkdirSync(other)
    const data = temp('data')
    const server = await startDrive({ folder: data, args: ['--access-log', 'off'] })
    const acknowledged = new Map<string, string>()
    const upload = await startResumable(server, { body: { title: 'open' } })
    await server.ask('GET', '/drive/v2/files/root')
    for (let round = 0; round < 3; round += 1) {
      for (const size of [500, 40_000, 300_000]) {
        const bytes = randomBytes(size)
        const path = '/upload/drive/v2/files?uploadType=media'
        acknowledged.set((await server.ask('POST', path, { body: bytes })).json.id, md5(bytes))
      }
      const sent = await runShell(own(script, data), { cwd: temp('.') })
      expect([sent.status, sent.stderr]).toEqual([0, expect.stringContaining('hla: clean')])
    }
    // later than the last backup
    const late = await server.ask('POST', '/drive/v2/files', { body: { title: 'late' } })
    await server.stop('SIGKILL')
    const there = temp('restored')
    const begun = await runShell(own(start, there), { cwd: temp('.') })
    expect([begun.status, begun.stderr]).toEqual([0, expect.any(String)])
    const again = await startDrive({ folder: there, token: server.token })
    await expectAll(again, acknowledged)
    expect((await again.ask('GET', `/drive/v2/files/${late.json.id}`)).status).toBe(404)
    // an upload in several requests begins again: its bytes are in no backup
    const held = await resumable(again, upload.url).send(`0-${GRANULE - 1}/*`, randomBytes(GRANULE))
    expect([held.status, held.headers.get('range')]).toEqual([308, `bytes=0-${GRANULE - 1}`])
    await again.stop()
  })
})
