/** A store moves into a database and back: complete, verified, and resumable after interruptions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { runHla } from '../../support/run-hla.ts'
import { madeBytes } from '../../support/store.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../../bin/hla.cjs')

const copy = (from: string, to: string, contents: string) => {
  const words = ['drive', 'copy', '--from', from, '--to', to, '--contents', contents, '--json']
  return runHla(words, { cwd: temp('.') })
}

async function upload(server: Drive, seed: number, size = 20_000): Promise<string> {
  const made = await server.ask('POST', '/upload/drive/v2/files', {
    body: madeBytes(size, seed),
    headers: { 'content-type': 'application/octet-stream' },
    query: { uploadType: 'media' },
  })
  expect(made.status).toBe(200)
  return made.json.id
}

/** A store with small and large contents, folders, changes, a trashed and a deleted file. */
async function filled(folder: string): Promise<string> {
  const server = await startDrive({ folder })
  const { json: above } = await server.ask('POST', '/drive/v2/files', {
    body: { title: 'above', mimeType: 'application/vnd.google-apps.folder' },
  })
  const ids: string[] = []
  for (let at = 0; at < 12; at += 1) ids.push(await upload(server, at, at % 3 === 0 ? 100 : 20_000 + at))
  for (const id of ids.slice(0, 6))
    await server.ask('PUT', `/drive/v2/files/${id}`, {
      body: { title: `words of ${id}`, parents: [{ id: above.id }] },
    })
  await server.ask('POST', `/drive/v2/files/${ids[7]}/trash`)
  await server.ask('DELETE', `/drive/v2/files/${ids[8]}`)
  await server.stop()
  return server.token
}

/** What a client sees: all files, the change feed, every content, and full-text results. */
async function seen(server: Drive): Promise<unknown> {
  const list = await server.ask('GET', '/drive/v2/files', { query: { maxResults: 100 } })
  const changes = await server.ask('GET', '/drive/v2/changes', { query: { maxResults: 100 } })
  const found = await server.ask('GET', '/drive/v2/files', { query: { q: `fullText contains 'words'` } })
  const contents: string[] = []
  for (const { id, md5Checksum } of list.json.items) {
    if (md5Checksum === undefined) continue
    const content = await server.ask('GET', `/drive/v2/files/${id}`, { query: { alt: 'media' } })
    contents.push(`${content.status} ${content.text.length}`)
  }
  // links contain the address of the server
  return JSON.parse(
    JSON.stringify([list.json, changes.json, found.json.items.length, contents]).replaceAll(server.url, ''),
  )
}

describe.skipIf(POSTGRES === undefined)('hla drive copy', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const address = (name: string) => postgres?.database(name) ?? ''
  const serveShared = (url: string, folder: string, contents: string, token: string) =>
    startDrive({ folder: temp(folder), args: ['--database', url, '--contents', contents], token })

  test('there and back: every file, content and change is as it was', async () => {
    const token = await filled(temp('lab'))
    const before = await startDrive({ folder: temp('lab'), token })
    const known = await seen(before)
    await before.stop()
    const url = address('there')
    const contents = temp('there-contents')

    const there = await copy(temp('lab'), url, contents)
    expect([there.stderr, there.status]).toEqual(['hla: the copy is complete and verified\n', 0])
    const told = JSON.parse(there.stdout)
    expect(told).toMatchObject({ contents: 8, largestChange: expect.any(Number) })
    const shared = await serveShared(url, 'server', contents, token)
    expect(await seen(shared)).toEqual(known)
    const running = await copy(url, temp('back'), contents)
    expect([running.status, running.stderr]).toEqual([4, expect.stringContaining('a service uses the store')])
    await shared.stop()

    const back = await copy(url, temp('back'), contents)
    expect([back.stderr, back.status]).toEqual(['hla: the copy is complete and verified\n', 0])
    // the server wrote only its address, which is removed here
    expect(JSON.parse(back.stdout)).toEqual(told)
    expect(readdirSync(temp('back')).toSorted()).toEqual(['blobs', 'staging', 'store.db'])
    expect(
      (await runHla(['drive', 'fsck', '--deep', '--data', temp('back')], { cwd: temp('.') })).status,
    ).toBe(0)
    const after = await startDrive({ folder: temp('back'), token })
    expect(await seen(after)).toEqual(known)
    await after.ask('POST', '/drive/v2/files', { body: { title: 'goes on' } })
    await after.stop()
  })

  test('what servers have written since is copied back', async () => {
    const token = await filled(temp('more'))
    const url = address('more')
    const contents = temp('more-contents')
    expect((await copy(temp('more'), url, contents)).status).toBe(0)
    const shared = await serveShared(url, 'more-server', contents, token)
    await upload(shared, 77)
    const known = await seen(shared)
    await shared.stop()
    expect((await copy(url, temp('more-back'), contents)).status).toBe(0)
    const after = await startDrive({ folder: temp('more-back'), token })
    expect(await seen(after)).toEqual(known)
    await after.stop()
  })

  test('cut off, it goes on; meanwhile nobody can serve what is there', async () => {
    const server = await startDrive({ folder: temp('many') })
    for (let at = 0; at < 150; at += 1) await upload(server, at + 1000, 300_000)
    await server.stop()
    const url = address('many')
    const contents = temp('many-contents')
    const stored = (folder: string) => {
      const blobs = join(folder, 'blobs')
      return existsSync(blobs)
        ? readdirSync(blobs, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length
        : 0
    }
    const cutOff = async (from: string, to: string, target: string) => {
      const words = ['drive', 'copy', '--from', from, '--to', to, '--contents', contents]
      const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      while (stored(target) < 20 && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 2))
      child.kill('SIGKILL')
      expect(await ended).toEqual([null, 'SIGKILL'])
      expect(stored(target)).toBeLessThan(150)
    }
    await cutOff(temp('many'), url, contents)
    await expect(serveShared(url, 'many-server', contents, 'x')).rejects.toThrow(
      'a copy that is not finished',
    )
    await filled(temp('other'))
    const other = await copy(temp('other'), url, contents)
    expect([other.status, other.stderr]).toEqual([
      4,
      expect.stringContaining('an unfinished copy of another store'),
    ])
    const elsewhere = await copy(temp('many'), url, temp('elsewhere'))
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      4,
      expect.stringContaining('the contents of the unfinished copy are in'),
    ])
    const there = await copy(temp('many'), url, contents)
    expect([there.stderr, JSON.parse(there.stdout).contents]).toEqual([expect.any(String), 150])

    await cutOff(url, temp('many-back'), temp('.many-back.copy'))
    expect(existsSync(temp('many-back'))).toBe(false)
    const back = await copy(url, temp('many-back'), contents)
    expect(back.stdout).toBe(there.stdout)
    const again = await copy(url, temp('many-back'), contents)
    expect([again.status, again.stderr]).toEqual([4, expect.stringContaining('is not empty')])
  })

  test('a target that is not empty, a store in use, a damaged content', async () => {
    const url = address('refused')
    const refused = async (from: string, to: string, contents: string) => {
      const { status, stderr } = await copy(from, to, contents)
      return [status, stderr.split('\n')[0]]
    }
    const token = await filled(temp('refused'))
    // the source does not exist
    expect(await refused(temp('none'), url, temp('c'))).toEqual([
      4,
      expect.stringContaining('there is no store in'),
    ])
    expect(await refused(url, temp('new'), temp('c'))).toEqual([
      4,
      expect.stringContaining('there is no store in this database'),
    ])
    expect(await refused(temp('refused'), temp('new'), temp('c'))).toEqual([
      2,
      expect.stringContaining('one of --from and --to is a folder'),
    ])
    const server = await startDrive({ folder: temp('refused'), token })
    expect(await refused(temp('refused'), url, temp('c'))).toEqual([
      4,
      expect.stringContaining('a service uses the store'),
    ])
    await server.stop()
    // contents of another store
    expect(await refused(temp('refused'), url, temp('refused'))).toEqual([
      4,
      expect.stringContaining('there are contents in'),
    ])
    const [folder = ''] = readdirSync(join(temp('refused'), 'blobs'))
    const [content = ''] = readdirSync(join(temp('refused'), 'blobs', folder))
    appendFileSync(join(temp('refused'), 'blobs', folder, content), 'x')
    expect(await refused(temp('refused'), url, temp('c'))).toEqual([
      3,
      expect.stringContaining('bytes instead of'),
    ])
    rmSync(join(temp('refused'), 'blobs', folder, content))
    expect(await refused(temp('refused'), url, temp('c'))).toEqual([3, expect.stringContaining('is missing')])
    const served = address('served')
    await (
      await startDrive({ folder: temp('served'), args: ['--database', served, '--contents', temp('d')] })
    ).stop()
    expect(await refused(temp('refused'), served, temp('e'))).toEqual([
      4,
      expect.stringContaining('the database holds a store'),
    ])
  })
})
