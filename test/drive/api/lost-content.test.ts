/** A file whose content is lost keeps its metadata, and the operator sees its owner. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'

test('can be renamed; the log names it, and a repair marks it', async () => {
  const first = await startDrive()
  const query = { uploadType: 'media' }
  const body = 'word '.repeat(10_000)
  const headers = { 'content-type': 'text/plain' }
  const { id, headRevisionId } = (await first.ask('POST', '/upload/drive/v2/files', { body, headers, query }))
    .json
  for (const folder of readdirSync(join(first.folder, 'blobs')))
    rmSync(join(first.folder, 'blobs', folder), { recursive: true })
  const path = `/drive/v2/files/${id}`
  const renamed = await first.ask('PATCH', path, { body: { title: 'another' } })
  expect([renamed.status, renamed.json.title]).toEqual([200, 'another'])
  const lost = await first.ask('GET', path, { query: { alt: 'media' } })
  expect([lost.status, lost.json.error.message]).toEqual([500, 'The content of this file cannot be read.'])
  await first.stop()
  const [line = ''] = first
    .printed()
    .split('\n')
    .filter((one) => one.includes('"err"'))
  for (const word of [id, headRevisionId, 'owner@localhost', 'blobs/']) expect(line).toContain(word)
  const fsck = (...args: string[]) =>
    callHla(['drive', 'fsck', '--data', first.folder, ...args], { cwd: first.folder })
  expect((await fsck()).stdout).toContain(
    `revision ${headRevisionId} of file ${id} (/another) of owner@localhost`,
  )
  expect(await fsck('--repair')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('marked as lost') as unknown,
  })
  expect((await fsck()).stderr).toContain('clean')
  const second = await startDrive({ folder: first.folder, token: first.token })
  expect((await second.ask('GET', path, { query: { alt: 'media' } })).status).toBe(403)
  // an upload of the same bytes restores it
  await second.ask('POST', '/upload/drive/v2/files', { body, headers, query })
  expect((await second.ask('GET', path, { query: { alt: 'media' } })).text).toBe(body)
})
