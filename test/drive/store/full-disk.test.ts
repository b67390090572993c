/**
 * A full disk can be emptied by requests: deletions and revocations use a reserve, which is restored when there is
 * space.
 */
import { existsSync, readdirSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freeBytes } from '../../../src/drive/persistence/disk-reserve.ts'
import { bundled } from '../../support/bundled.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { runHla } from '../../support/run-hla.ts'
import { assertion, BEARER, type Credentials, tokenRequest } from '../../support/service-account.ts'
import { smallDisk } from '../../support/small-disk.ts'
import {
  addFile,
  heldContent,
  madeBytes,
  openTestStore,
  pieces,
  runSql,
  titlesOf,
} from '../../support/store.ts'
import { NOBODY } from '../../support/store-commands.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const thread = { file: bundled('test/support/store-writer.ts') }
const MESSAGE = 'The disk of the service is full: only deletions and revocations are accepted.'
const FULL = { status: 503, reason: 'backendError', message: MESSAGE, details: { retryAfter: 60 } }
const PATIENCE = { timeout: 20_000, interval: 100 }

/** Fills the disk to the last byte. */
function fillUp(folder: string): string {
  const path = join(folder, 'ballast')
  for (let size = 1 << 20; size >= 1; size >>= 1)
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
      } catch {
        break
      }
    }
  expect(freeBytes(statfsSync(folder))).toBe(0)
  return path
}

const own = smallDisk(temp('own'), 96)

describe.skipIf(own === undefined)('a store on a full disk', () => {
  const folder = own ?? ''
  const open = (warnings: string[]) =>
    openTestStore(join(folder, 'store'), {
      writer: thread,
      keepsReserve: true,
      onWarning: (text) => warnings.push(text),
    })
  const reserve = join(folder, 'store/reserve')

  test('gives its reserve up, deletes, starts, and makes it again', async () => {
    const warnings: string[] = []
    const store = await open(warnings)
    expect(statSync(reserve).size).toBe(6 << 20)
    for (const title of ['one', 'two', 'three']) await addFile(store, title)
    const ballast = fillUp(folder)
    await store.write('remove', NOBODY, 'one')
    expect(existsSync(reserve)).toBe(false)
    await expect(addFile(store, 'more')).rejects.toMatchObject(FULL)
    const content = pieces(madeBytes(200_000))
    await expect(heldContent(store.blobs, content)).rejects.toMatchObject(FULL)
    // in one group with a command that has no space
    const [removed, refused] = await Promise.allSettled([
      store.write('remove', NOBODY, 'two'),
      addFile(store, 'more'),
    ])
    expect([removed.status, refused.status]).toEqual(['fulfilled', 'rejected'])
    await expect.poll(() => warnings, PATIENCE).toEqual([expect.stringContaining('is full: until 8 MiB')])
    await store.close()
    rmSync(join(folder, 'store/contents.lock.holder'), { force: true })
    const again = await open(warnings)
    expect(titlesOf(again)).toEqual(['three'])
    await expect(addFile(again, 'more')).rejects.toMatchObject(FULL)
    await again.write('remove', NOBODY, 'three')
    rmSync(ballast)
    await expect.poll(() => existsSync(reserve), PATIENCE).toBe(true)
    await addFile(again, 'more')
    expect(titlesOf(again)).toEqual(['more'])
    await again.close()
    expect(warnings.at(-1)).toContain('has room again')
  })

  test('that its database has filled has room for what was deleted there', async () => {
    const store = await open([])
    const fill = () => store.write('fill', NOBODY, 500_000)
    let kept = 0
    for (; ; kept++)
      if (
        await fill().then(
          () => false,
          () => true,
        )
      )
        break
    expect(kept).toBeGreaterThan(20)
    await expect(fill()).rejects.toMatchObject(FULL)
    await runSql(store, 'DELETE FROM settings WHERE length(value) = 500000')
    for (let more = 0; more < kept / 2; more++) await fill()
    await store.close()
  })
})

const small = smallDisk(temp('small'), 16)

test.skipIf(small === undefined)(
  'a disk that is too small for a reserve has none, which is said',
  async () => {
    const warnings: string[] = []
    const onWarning = (text: string) => warnings.push(text)
    const store = await openTestStore(join(small ?? '', 'store'), { keepsReserve: true, onWarning })
    await addFile(store, 'one')
    await store.close()
    expect(warnings).toEqual([expect.stringContaining('too small for a reserve')])
    expect(readdirSync(join(small ?? '', 'store'))).not.toContain('reserve')
  },
)

const served = smallDisk(temp('served'), 96)

describe.skipIf(served === undefined)('a service on a full disk', () => {
  const folder = join(served ?? '', 'store')

  let uploads = 0
  const add = (drive: Drive, title: string) => drive.ask('POST', '/drive/v2/files', { body: { title } })
  const upload = (drive: Drive, size: number) =>
    drive.ask('POST', '/upload/drive/v2/files?uploadType=media', {
      body: madeBytes(size, (uploads += 1)),
      headers: { 'content-type': 'application/octet-stream' },
    })
  const metric = async (drive: Drive, name: string) => {
    const { text } = await drive.ask('GET', '/metrics')
    return Number(new RegExp(`^hla_drive_${name} (\\d+)$`, 'm').exec(text)?.[1])
  }

  test('deletes, trashes, revokes, tells its state, and takes changes again when contents are gone', async () => {
    const drive = await startDrive({ folder })
    const ids: string[] = []
    for (const title of ['a', 'b', 'c', 'd']) ids.push((await add(drive, title)).json.id)
    const [a, b, c, d] = ids
    const permission = await drive.ask('POST', `/drive/v2/files/${d}/permissions`, {
      body: { role: 'reader', type: 'anyone' },
    })
    const hla = (...words: readonly string[]) =>
      runHla(['drive', ...words, '--data', folder], { cwd: folder })
    await hla('user', 'add', 'ada@example.org')
    const token = (
      await hla('token', 'create', '--user', 'ada@example.org', '--scopes', 'drive.readonly')
    ).stdout.trim()
    const about = (one = token) => drive.ask('GET', '/drive/v2/about', { token: one })
    expect((await about()).status).toBe(200)
    const added = await hla('account', 'add', 'robot@example.org', '--url', drive.url)
    const robot = JSON.parse(added.stdout) as Credentials // the output of `hla drive account add`
    const signIn = () =>
      drive.ask('POST', '/token', tokenRequest({ grant_type: BEARER, assertion: assertion(robot) }))
    const { access_token: ofRobot } = (await signIn()).json
    expect((await drive.ask('GET', '/readyz')).json).toEqual({ status: 'ready' })
    expect(await metric(drive, 'disk_full')).toBe(0)
    // uploads fill the disk
    const contents: string[] = []
    for (let size = 8 << 20; size > 17_000;) {
      // a service that refuses early may close the connection while the client still sends
      const sent = await upload(drive, size).catch(() => undefined)
      if (sent?.status === 200) contents.push(sent.json.id)
      else size >>= 3
    }
    fillUp(served ?? '')
    const refused = await upload(drive, 50_000)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    // on the same connection
    expect((await drive.ask('DELETE', `/drive/v2/files/${a}`)).status).toBe(204)
    const created = await add(drive, 'more')
    expect([created.status, created.json.error.message, created.headers.get('retry-after')]).toEqual([
      503,
      MESSAGE,
      '60',
    ])
    expect((await drive.ask('GET', '/readyz')).json).toEqual({ status: 'disk full' })
    expect(await metric(drive, 'disk_full')).toBe(1)
    expect((await drive.ask('POST', `/drive/v2/files/${b}/trash`)).status).toBe(200)
    const trashed = { labels: { trashed: true } }
    expect((await drive.ask('PATCH', `/drive/v2/files/${c}`, { body: trashed })).status).toBe(200)
    expect((await drive.ask('DELETE', '/drive/v2/files/trash')).status).toBe(204)
    const shared = `/drive/v2/files/${d}/permissions/${permission.json.id}`
    expect((await drive.ask('DELETE', shared)).status).toBe(204)
    expect((await hla('token', 'revoke', token)).status).toBe(0)
    expect((await about()).status).toBe(401)
    // a service account can sign in until its key is revoked
    expect((await signIn()).status).toBe(200)
    expect((await about(ofRobot)).status).toBe(200)
    expect((await hla('key', 'revoke', robot.private_key_id)).status).toBe(0)
    expect((await about(ofRobot)).status).toBe(401)
    const unknown = await signIn()
    expect([unknown.status, unknown.json.error]).toEqual([400, 'invalid_grant'])
    for (const id of contents) expect((await drive.ask('DELETE', `/drive/v2/files/${id}`)).status).toBe(204)
    const beside = await hla('gc')
    expect([beside.status, beside.stderr]).toEqual([0, ''])
    await drive.stop()
    // make the files old enough
    for (const name of readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }))
      utimesSync(join(folder, 'blobs', name), 1e9, 1e9)
    const alone = await hla('gc', '--grace', '0s')
    expect(alone.status).toBe(0)
    const again = await startDrive({ folder, token: drive.token })
    await expect.poll(async () => (await again.ask('GET', '/readyz')).json.status, PATIENCE).toBe('ready')
    expect(await metric(again, 'disk_full')).toBe(0)
    expect((await upload(again, 1 << 20)).status).toBe(200)
    await again.stop()
  })
})
