/** A store of one server whose contents are in a bucket: served, killed, checked, backed up and moved. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readBucketAddress } from '../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { putBytes } from '../../src/drive/persistence/contents/bucket/bucket-objects.ts'
import { bucketPlace } from '../../src/drive/persistence/contents/bucket/bucket-place.ts'
import { openBucket } from '../../src/drive/persistence/contents/bucket/bucket-requests.ts'
import { digestBytes } from '../../src/drive/persistence/contents/digest.ts'
import { ownedBy } from '../support/bucket-owner.ts'
import { type Drive, PROGRAM, type Reply, startDrive } from '../support/drive.ts'
import { GRANULE, resumable, startResumable } from '../support/resumable.ts'
import { rounds } from '../support/rounds.ts'
import { callHla } from '../support/call-hla.ts'
import { startOwnSwift, startSwift, SWIFT } from '../support/swift.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

function put(server: Drive, title: string, body: Uint8Array | string, type = 'a/b'): Promise<Reply> {
  const query = { uploadType: 'media', title }
  return server.ask('POST', '/upload/drive/v2/files', { body, headers: { 'content-type': type }, query })
}

async function bytesOf(server: Drive, id: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/drive/v2/files/${id}?alt=media`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  })
  return {
    status: response.status,
    bytes: Buffer.from(await response.arrayBuffer()),
    headers: response.headers,
  }
}

describe.skipIf(!SWIFT)('a store with its contents in a bucket', async () => {
  const swift = SWIFT ? await startSwift() : undefined
  const bucket = (await swift?.bucket('one')) ?? ''
  const env = swift?.env ?? {}
  const hla = async (words: readonly string[], variables: Readonly<Record<string, string>> = env) => {
    const { status, stdout, stderr } = await callHla(['drive', ...words], { cwd: temp('.'), env: variables })
    return { status, text: stdout + stderr }
  }
  const start = (name: string, args: readonly string[] = ['--contents', `${bucket}/${name}`]) =>
    startDrive({ folder: temp(name), args: [...args, '--access-log', 'off'], env })
  const again = (server: Drive, args: readonly string[] = []) =>
    startDrive({ folder: server.folder, args: [...args, '--access-log', 'off'], env, token: server.token })

  test('answers with what it took: whole, in part, copied, found by its words, and as it was', async () => {
    const server = await start('whole')
    const bytes = randomBytes(700_000)
    const made = await put(server, 'a', bytes)
    expect([made.status, made.json.md5Checksum]).toEqual([200, md5(bytes)])
    const { id } = made.json
    expect((await bytesOf(server, id)).bytes.equals(bytes)).toBe(true)
    const part = await bytesOf(server, id, { range: 'bytes=100000-199999' })
    expect([part.status, part.bytes.equals(bytes.subarray(100_000, 200_000))]).toEqual([206, true])
    const copy = await server.ask('POST', `/drive/v2/files/${id}/copy`, { body: { title: 'b' } })
    expect((await server.ask('DELETE', `/drive/v2/files/${id}`)).status).toBe(204)
    expect((await bytesOf(server, copy.json.id)).bytes.equals(bytes)).toBe(true)

    const text = await put(server, 'text', `${'lorem '.repeat(5000)} nucleotide`, 'text/plain')
    // a server without a copy of the first bytes reads them from the bucket to index them
    await server.stop()
    const back = await again(server)
    const indexableText = { text: 'sequencing' }
    const changed = await back.ask('PUT', `/drive/v2/files/${text.json.id}`, { body: { indexableText } })
    expect(changed.status).toBe(200)
    for (const word of ['nucleotide', 'sequencing']) {
      const query = { q: `fullText contains '${word}'` }
      expect((await back.ask('GET', '/drive/v2/files', { query })).json.items).toHaveLength(1)
    }
    // every content is an object, and none is left in the folder
    for (const name of ['blobs', 'staging', 'spool'])
      expect([name, readdirSync(join(back.folder, name))]).toEqual([name, []])
    await back.stop()
  })

  test('converts the tables of a rule, large ones also, each content once though it is killed', async () => {
    const rules = { ...env, HLA_RELEASE: 'starter' }
    const args = ['--access-log', 'off']
    const place = ['--contents', `${bucket}/rules`]
    let server = await startDrive({ folder: temp('rules'), args: [...place, ...args], env: rules })
    const restart = async () => {
      await server.stop('SIGKILL')
      server = await startDrive({ folder: server.folder, args, env: rules, token: server.token })
    }
    const body = { title: 'tables', mimeType: 'application/vnd.google-apps.folder' }
    const { id: parent } = (await server.ask('POST', '/drive/v2/files', { body })).json
    expect((await server.ask('POST', '/rules', { body: { folder: parent, method: 'lgx' } })).status).toBe(200)
    const table = (name: string) =>
      `ID,A1,A2\n${Array.from({ length: 2000 }, (_, at) => `${name}${at},A*01:01:01,02:01:01\n`).join('')}`
    const meta = { title: 'donors.csv', mimeType: 'text/csv', parents: [{ id: parent }] }
    const { id } = (await server.ask('POST', '/drive/v2/files', { body: meta })).json
    const send = (name: string) =>
      server.ask('PUT', `/upload/drive/v2/files/${id}`, {
        body: table(name),
        headers: { 'content-type': 'text/csv' },
      })
    const output = async () => {
      const query = { q: `'${parent}' in parents and title = 'donors.lgx.csv'` }
      const [found, ...more] = (await server.ask('GET', '/drive/v2/files', { query })).json.items
      expect(more).toEqual([])
      return found === undefined ? '' : (await bytesOf(server, found.id)).bytes.toString()
    }
    const rowsOf = async (name: string) =>
      (await output()).split('\n').filter((line) => line.startsWith(name)).length
    const converts = async (name: string) => {
      await expect.poll(() => rowsOf(name), { timeout: 60_000 }).toBe(2000)
    }
    expect((await send('R')).status).toBe(200)
    await converts('R')
    expect(await output()).toContain('R1999,A*01:01:01,A*01:01,02:01:01,A*02:01\n')
    for (const name of ['S', 'T', 'U']) {
      expect((await send(name)).status).toBe(200)
      await sleep(Math.random() * 900)
      await restart()
      await converts(name)
    }
    const [{ id: made }] = (
      await server.ask('GET', '/drive/v2/files', { query: { q: "title = 'donors.lgx.csv'" } })
    ).json.items
    const revisions = (await server.ask('GET', `/drive/v2/files/${made}/revisions`)).json.items
    expect(revisions).toHaveLength(4)
    const [rule] = (await server.ask('GET', '/rules', { query: { folder: parent } })).json.items
    expect([rule.converted, rule.failed]).toEqual([4, 0])
    await server.stop()
    for (const name of ['blobs', 'staging', 'spool'])
      expect([name, readdirSync(join(server.folder, name))]).toEqual([name, []])
    expect((await hla(['fsck', '--deep', '--data', server.folder])).text).toContain('clean')
  })

  test('goes on with an upload after it was killed, and keeps every acknowledged byte', async () => {
    const content = randomBytes(4 * GRANULE + 777)
    const server = await start('killed')
    const upload = await startResumable(server, { body: { title: 'a' } })
    expect((await upload.send(`0-${3 * GRANULE - 1}/*`, content.subarray(0, 3 * GRANULE))).status).toBe(308)
    await server.stop('SIGKILL')
    const back = await again(server)
    const rest = resumable(back, upload.url)
    const held = await rest.send('*/*')
    expect([held.status, held.headers.get('range')]).toEqual([308, `bytes=0-${3 * GRANULE - 1}`])
    const range = `${3 * GRANULE}-${content.length - 1}/${content.length}`
    const done = await rest.send(range, content.subarray(3 * GRANULE))
    expect([done.status, done.json.md5Checksum]).toEqual([200, md5(content)])
    expect((await bytesOf(back, done.json.id)).bytes.equals(content)).toBe(true)
    await back.stop()
  })

  test('keeps what it acknowledged, however it is killed', async () => {
    let server = await start('kills')
    const made = new Map<string, string>()
    for (let round = 0; round < rounds(20); round += 1) {
      const uploads = Array.from({ length: 6 }, async (_, at) => {
        const bytes = randomBytes(40_000 + 300_000 * at)
        const reply = await put(server, `${round}.${at}`, bytes).catch(() => undefined)
        if (reply?.status === 200) made.set(reply.json.id, md5(bytes))
      })
      await sleep(40 * (1 + (round % 7)))
      await server.stop('SIGKILL')
      await Promise.all(uploads)
      server = await again(server)
    }
    for (const [id, digest] of made) expect(md5((await bytesOf(server, id)).bytes)).toBe(digest)
    await server.stop()
    const checked = await hla(['fsck', '--deep', '--data', server.folder])
    expect([checked.status, checked.text]).toEqual([0, expect.stringContaining('hla: clean')])
  })

  test('is told of a bucket once; other places are refused as soon as it has contents', async () => {
    const server = await start('told')
    const { id } = (await put(server, 'a', randomBytes(50_000))).json
    await server.stop()
    await expect(again(server, ['--contents', `${bucket}/elsewhere`])).rejects.toThrow(
      `this store has its contents in ${bucket}/told/, not in ${bucket}/elsewhere/`,
    )
    await expect(start('taken', ['--contents', `${bucket}/told`])).rejects.toThrow(
      'has the contents of another store',
    )
    await expect(start('word', ['--contents', '/srv/contents'])).rejects.toThrow(
      'is not the address of a bucket',
    )
    // without its option and its prefix's last slash, and with them
    for (const words of [[], ['--contents', `${bucket}/told/`]]) {
      const back = await again(server, words)
      expect((await bytesOf(back, id)).status).toBe(200)
      await back.stop()
    }
    const folder = await startDrive({ folder: temp('folder') })
    await put(folder, 'a', randomBytes(50_000))
    await folder.stop()
    await expect(again(folder, ['--contents', `${bucket}/folder`])).rejects.toThrow(
      'this store has its contents in its folder',
    )
  })

  test('does not take an emptied or another bucket for its own', async () => {
    const server = await start('emptied')
    await put(server, 'a', randomBytes(50_000))
    await server.stop()
    const raw = openBucket(readBucketAddress(`${bucket}/emptied`, env), env)
    await (await raw.send({ method: 'DELETE', object: 'store' })).body.dump()
    await raw.close()
    await expect(again(server)).rejects.toThrow('does not have the contents of this store')
  })

  test('is administered without the keys of the bucket, which a clean-up asks for', async () => {
    const server = await start('keys')
    await server.stop()
    const none = {
      AWS_ENDPOINT_URL_S3: swift?.url ?? '',
      AWS_SHARED_CREDENTIALS_FILE: temp('none'),
      AWS_EC2_METADATA_DISABLED: 'true',
    }
    const data = ['--data', server.folder]
    expect(await hla(['user', 'add', 'bo@lab.example', ...data], none)).toMatchObject({ status: 0 })
    const swept = await hla(['gc', ...data], none)
    expect([swept.status, swept.text]).toEqual([
      2,
      expect.stringContaining('no access keys for the S3 bucket'),
    ])
    expect(await hla(['gc', ...data, '--grace', '0s'])).toMatchObject({ status: 0 })
    await expect(startDrive({ folder: server.folder, env: none, token: 'x' })).rejects.toThrow(
      'no access keys for the S3 bucket',
    )
  })

  test('is checked, repaired, backed up, and restored into a folder and into a bucket', async () => {
    const server = await start('care')
    const contents = Array.from({ length: 4 }, () => randomBytes(40_000))
    for (const [at, body] of contents.entries()) await put(server, `${at}`, body)
    const data = ['--data', server.folder]
    const clean = { status: 0, text: expect.stringContaining('hla: clean; 4 contents, 160,000 bytes') }
    expect(await hla(['fsck', '--deep', ...data])).toEqual(clean)
    const backup = await hla(['backup', ...data, temp('kept')])
    expect([backup.status, backup.text]).toEqual([0, expect.stringContaining('160,000 bytes')])
    expect(await hla(['fsck', '--deep', '--data', temp('kept')], {})).toEqual(clean)
    await server.stop()

    const [lost = '', changed = ''] = contents.map((bytes) => digestBytes(bytes).sha256)
    const place = bucketPlace(`${bucket}/care`, ownedBy('none'), env)
    await place.contents.remove(lost)
    const wrong = await hla(['fsck', ...data])
    expect([wrong.status, wrong.text]).toEqual([
      3,
      expect.stringContaining(`content ${lost} is not in s3://`),
    ])
    expect(wrong.text).not.toContain(changed)
    const mended = await hla(['fsck', ...data, '--deep', '--repair', '--from', temp('kept')])
    expect([mended.status, mended.text]).toEqual([0, expect.stringContaining('taken from')])
    expect((await place.contents.find(lost))?.size).toBe(40_000)
    await place.close()

    // a folder needs no bucket, and a bucket no folder
    expect(await hla(['restore', temp('kept'), '--data', temp('in-folder')], {})).toMatchObject({ status: 0 })
    expect(await hla(['fsck', '--deep', '--data', temp('in-folder')], {})).toEqual(clean)
    const into = ['restore', temp('kept'), '--data', temp('in-bucket'), '--contents']
    const taken = await hla([...into, `${bucket}/care`])
    expect([taken.status, taken.text]).toEqual([
      3,
      expect.stringContaining('has the contents of another store'),
    ])
    expect(await hla([...into, `${bucket}/restored`])).toMatchObject({ status: 0 })
    expect(await hla(['fsck', '--deep', '--data', temp('in-bucket')])).toEqual(clean)
    expect(readdirSync(temp('in-bucket/blobs'))).toEqual([])
    const restored = await startDrive({ folder: temp('in-bucket'), env, token: server.token })
    const { items } = (await restored.ask('GET', '/drive/v2/files')).json
    const sums = new Set(items.map((item: { readonly md5Checksum: string }) => item.md5Checksum))
    expect(sums).toEqual(new Set(contents.map(md5)))
    for (const item of items) expect(md5((await bytesOf(restored, item.id)).bytes)).toBe(item.md5Checksum)
    await restored.stop()
  })

  test('a backup that is killed is not taken for a whole one, and is made again', async () => {
    const server = await start('backups')
    for (let at = 0; at < 30; at += 1) await put(server, `${at}`, randomBytes(300_000))
    const words = ['backup', '--data', server.folder, temp('later')]
    const child = spawn(process.execPath, [PROGRAM, 'drive', ...words], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    })
    const ended = once(child, 'exit')
    const part = temp('.later.part/blobs')
    const isTime = () => existsSync(part) && readdirSync(part).length >= 3
    while (child.exitCode === null && !isTime()) await sleep(5)
    child.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(existsSync(temp('later'))).toBe(false)
    expect(await hla(words)).toMatchObject({ status: 0 })
    expect(await hla(['fsck', '--deep', '--data', temp('later')])).toEqual({
      status: 0,
      text: expect.stringContaining('hla: clean; 30 contents'),
    })
    await server.stop()
  })

  test('cuts off a download of bytes that have changed', async () => {
    const server = await start('changed')
    const bytes = randomBytes(400_000)
    const { id } = (await put(server, 'a', bytes)).json
    const raw = openBucket(readBucketAddress(`${bucket}/changed`, env), env)
    const { sha256 } = digestBytes(bytes)
    const wrong = randomBytes(bytes.length)
    await putBytes(raw, `blobs/${sha256.slice(0, 2)}/${sha256}`, wrong, digestBytes(wrong))
    await raw.close()
    await expect(bytesOf(server, id)).rejects.toThrow('terminated')
    await server.stop()
  })

  test('answers without its bucket from the database, and takes contents when it is back', async () => {
    const own = await startOwnSwift(temp('swift'))
    const place = await own.bucket('away')
    const args = ['--contents', place, '--access-log', 'off']
    const server = await startDrive({ folder: temp('away'), args, env: own.env })
    const bytes = randomBytes(300_000)
    const { id } = (await put(server, 'a', bytes)).json
    await own.kill()
    // each of them tries again for some seconds
    const asked = [bytesOf(server, id), bytesOf(server, id, { range: 'bytes=5-9' }), put(server, 'c', bytes)]
    const checking = hla(['fsck', '--data', server.folder], own.env)
    expect((await server.ask('PUT', `/drive/v2/files/${id}`, { body: { title: 'd' } })).status).toBe(200)
    // small contents are in the database
    expect((await put(server, 'e', 'small')).status).toBe(200)
    expect((await server.ask('GET', '/readyz')).json.status).toBe('contents away')
    for (const { status, headers } of await Promise.all(asked))
      expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    const check = await checking
    expect([check.status === 0, check.text]).toEqual([
      false,
      expect.stringContaining('cannot reach the contents'),
    ])
    await server.stop()
    const back = await startDrive({ folder: server.folder, env: own.env, token: server.token })
    expect(back.said()).toContain('cannot reach the contents')
    expect((await back.ask('GET', `/drive/v2/files/${id}`)).json.title).toBe('d')
    await own.start()
    const ended = async () => (await put(back, 'f', bytes)).status
    await expect.poll(ended, { interval: 1000, timeout: 60_000 }).toBe(200)
    expect((await bytesOf(back, id)).bytes.equals(bytes)).toBe(true)
    await back.stop()
  })
})
