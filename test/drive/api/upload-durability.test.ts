/** Uploads under kills, restarts, odd chunk sizes and great size. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { GRANULE, resumable, startResumable } from '../../support/resumable.ts'
import { rounds } from '../../support/rounds.ts'

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
const restarted = ({ folder, token }: Drive) => startDrive({ folder, token })
const moved = (drive: Drive, { url }: { readonly url: string }) =>
  resumable(drive, `${drive.url}${url.slice(new URL(url).origin.length)}`)
const heldOf = (range: string | null) => (range === null ? 0 : Number(range.split('-')[1]) + 1)

describe('after a kill', () => {
  test('an upload goes on where it was told to be', async () => {
    const content = randomBytes(5 * GRANULE + 99)
    let drive = await startDrive()
    let upload = await startResumable(drive, { body: { title: 'killed' } })
    await upload.send(`0-${2 * GRANULE - 1}/*`, content.subarray(0, 2 * GRANULE))
    const range = `bytes ${2 * GRANULE}-${content.length - 1}/${content.length}`
    const length = String(content.length - 2 * GRANULE)
    const asked = beginRequest(drive, 'PUT', upload.url, { 'content-range': range, 'content-length': length })
    asked.on('error', () => undefined)
    asked.write(content.subarray(2 * GRANULE, 4 * GRANULE))
    await new Promise((over) => setTimeout(over, 200))
    await drive.stop('SIGKILL')
    drive = await restarted(drive)
    upload = moved(drive, upload)
    const { status, headers } = await upload.send(`*/${content.length}`)
    const held = heldOf(headers.get('range'))
    expect([status, held >= 2 * GRANULE]).toEqual([308, true])
    const { json } = await upload.send(
      `${held}-${content.length - 1}/${content.length}`,
      content.subarray(held),
    )
    expect(json).toMatchObject({
      title: 'killed',
      fileSize: String(content.length),
      md5Checksum: md5(content),
    })
    await drive.stop('SIGKILL')
    drive = await restarted(drive)
    const again = await moved(drive, upload).send(`*/${content.length}`)
    expect([again.status, again.json.id]).toEqual([200, json.id])
    const query = { alt: 'media' }
    expect(
      (await drive.ask('GET', `/drive/v2/files/${json.id}`, { query })).headers.get('content-length'),
    ).toBe(String(content.length))
  })

  test('what was told is there, in many moments', async () => {
    let drive = await startDrive()
    for (let kill = 0; kill < 4; kill++) {
      const content = randomBytes(12 * GRANULE)
      const upload = await startResumable(drive, { body: { title: `killed ${kill}` } })
      let told = 0
      const sending = (async () => {
        for (let at = 0; at < content.length; at += GRANULE) {
          const { headers } = await upload.send(
            `${at}-${at + GRANULE - 1}/*`,
            content.subarray(at, at + GRANULE),
          )
          told = heldOf(headers.get('range'))
        }
      })().catch(() => undefined)
      await new Promise((over) => setTimeout(over, 5 + kill * 20))
      await drive.stop('SIGKILL')
      await sending
      drive = await restarted(drive)
      const next = moved(drive, upload)
      const held = heldOf((await next.send('*/*')).headers.get('range'))
      expect(held).toBeGreaterThanOrEqual(told)
      const rest = held === content.length ? undefined : content.subarray(held)
      const range = rest === undefined ? `*/${held}` : `${held}-${content.length - 1}/${content.length}`
      expect((await next.send(range, rest)).json).toMatchObject({ md5Checksum: md5(content) })
    }
  })
})

test('however it is cut, a content stays what it is', async () => {
  const drive = await startDrive()
  const piece = fc.record({
    granules: fc.integer({ min: 1, max: 3 }),
    back: fc.nat(300_000),
    more: fc.nat(5000),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 900_000 }),
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      async (size, pieces) => {
        const content = randomBytes(size)
        const upload = await startResumable(drive)
        let held = 0
        for (const { granules, back, more } of pieces) {
          const start = Math.max(0, held - back)
          const end = Math.min(size, held + granules * GRANULE + more)
          if (end === size || end - start < GRANULE) break
          held = heldOf(
            (await upload.send(`${start}-${end - 1}/*`, content.subarray(start, end))).headers.get('range'),
          )
        }
        const range = size === held ? `*/${size}` : `${held}-${size - 1}/${size}`
        const { json } = await upload.send(range, content.subarray(held))
        expect(json).toMatchObject({ fileSize: String(size), md5Checksum: md5(content) })
        const bytes = await fetch(`${drive.url}/drive/v2/files/${json.id}?alt=media`, {
          headers: { authorization: `Bearer ${drive.token}` },
        })
        expect(md5(new Uint8Array(await bytes.arrayBuffer()))).toBe(md5(content))
      },
    ),
    { numRuns: rounds(15) },
  )
})

const MIB = 1024 * 1024
/** MiB. Large enough that the data in flight is a fraction of it, also on a busy machine. */
const GREAT = 192

test.skipIf(process.platform !== 'linux')('a great content passes without being held', async () => {
  const drive = await startDrive()
  const peak = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${drive.child.pid}/status`, 'utf8'))?.[1]) / 1024
  await drive.ask('POST', '/upload/drive/v2/files', { body: randomBytes(MIB) })
  const before = peak()
  const block = randomBytes(MIB)
  const hash = createHash('md5')
  const asked = beginRequest(drive, 'POST', '/upload/drive/v2/files', { 'content-type': 'a/b' })
  for (let sent = 0; sent < GREAT; sent++) {
    hash.update(block)
    if (!asked.write(block)) await once(asked, 'drain')
  }
  asked.end()
  const file = JSON.parse((await replyTo(asked)).text)
  expect(file).toMatchObject({ fileSize: String(GREAT * MIB), md5Checksum: hash.digest('hex') })
  const { body } = await fetch(`${drive.url}/drive/v2/files/${file.id}?alt=media`, {
    headers: { authorization: `Bearer ${drive.token}` },
  })
  let received = 0
  for await (const chunk of body ?? []) received += (chunk as Uint8Array).length
  expect(received).toBe(GREAT * MIB)
  expect(peak() - before).toBeLessThan(GREAT / 2)
  expect(readdirSync(join(drive.folder, 'staging'))).toEqual([])
})
