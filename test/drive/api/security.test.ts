/** Guarantees of docs/security.md: contents, headers, paths, secrets (spec 3, 7, 23). */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { beginRequest, replyTo } from '../../support/raw-request.ts'
import { tempFolder } from '../../support/temp.ts'
import { rounds } from '../../support/rounds.ts'

const temp = tempFolder()
let drive: Drive
let log: string
beforeAll(async () => {
  log = temp('access.log')
  drive = await startDrive({ args: ['--access-log', log] })
})
afterAll(() => drive.stop())

const upload = (title: string, type: string, content: string) => {
  const meta = `--b\r\ncontent-type: application/json\r\n\r\n${JSON.stringify({ title })}`
  return drive.ask('POST', '/upload/drive/v2/files', {
    query: { uploadType: 'multipart' },
    headers: { 'content-type': 'multipart/related; boundary=b' },
    body: `${meta}\r\n--b\r\ncontent-type: ${type}\r\n\r\n${content}\r\n--b--`,
  })
}
const PAGE = '<script>fetch("/drive/v2/files")</script>'

describe('contents are nobody’s page', () => {
  test.for(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'application/pdf'])(
    '%s',
    async (type) => {
      const { json } = await upload('page', type, PAGE)
      for (const query of [{ alt: 'media' }, { alt: 'media', source: 'webContentLink' }]) {
        const { headers, text } = await drive.ask('GET', `/drive/v2/files/${json.id}`, { query })
        expect(text).toBe(PAGE)
        expect(headers.get('content-security-policy')).toBe('sandbox')
        expect(headers.get('x-content-type-options')).toBe('nosniff')
      }
      const { headers } = await drive.ask('GET', `/drive/v2/files/${json.id}`, {
        query: { alt: 'media', source: 'webContentLink' },
      })
      expect(headers.get('content-disposition')).toMatch(/^attachment; /)
    },
  )

  test('whoever has no token gets none of them', async () => {
    const { json } = await upload('page', 'text/html', PAGE)
    const reply = await drive.ask('GET', `/drive/v2/files/${json.id}`, {
      query: { alt: 'media' },
      token: undefined,
    })
    expect(reply.status).toBe(401)
  })
})

describe('what somebody wrote stays within its header', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\r\nset-cookie: x=1', '"; filename="b', '../../e', '\u0000'),
  )

  test('titles', async () => {
    await fc.assert(
      fc.asyncProperty(odd, async (title) => {
        const made = await drive.ask('POST', '/drive/v2/files', { body: { title } })
        expect([200, 400]).toContain(made.status)
        if (made.status !== 200) return
        const path = `/drive/v2/files/${made.json.id}?alt=media&source=webContentLink`
        const { status, headers } = await drive.ask('GET', path)
        expect([status, headers.get('set-cookie')]).toEqual([200, null])
        expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w%.!~-]*$/)
      }),
      { numRuns: rounds(60) },
    )
  })

  test.for(['text/plain\r\nset-cookie: x=1', 'text/plain\n', 'tëxt/plain', 'a/b\u0000'])(
    'type %j',
    async (mimeType) => {
      const { status } = await drive.ask('POST', '/drive/v2/files', { body: { title: 'a', mimeType } })
      expect(status).toBe(400)
    },
  )

  test.for(['evil.example/<script>', 'a b', 'x@y', "'"])('host %s is in no link', async (host) => {
    const { status } = await replyTo(beginRequest(drive, 'GET', '/drive/v2/about', { host }).end())
    expect(status).toBe(400)
  })

  test('nobody is believed to be a proxy', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const { text } = await drive.ask('GET', '/drive/v2/about', { headers })
    expect(text).not.toContain('evil.example')
  })
})

describe('ids are not paths', () => {
  const ids = [
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e',
    '%00',
    'a%2fb',
    '%5c..%5c',
    "'%20OR%201=1--",
    '*',
    'root%00',
  ]
  test.for(ids)('%s', async (id) => {
    const { json } = await upload('a', 'text/plain', 'A*01:01')
    for (const path of [
      `/drive/v2/files/${id}`,
      `/drive/v2/files/${json.id}/revisions/${id}`,
      `/drive/v2/files/${id}?alt=media`,
    ]) {
      const { status, text } = await drive.ask('GET', path)
      expect([400, 404]).toContain(status)
      expect(text).not.toContain(drive.folder)
    }
  })

  test.for(['../../escape', '/etc/passwd', '..'])('the title %s is a title', async (title) => {
    const before = filesIn(drive.folder).length
    const { json } = await upload(title, 'text/plain', `content of ${title}`)
    expect(json.title).toBe(title)
    // small contents are in the database
    expect(filesIn(drive.folder).length).toBe(before)
  })
})

describe('a token', () => {
  test('is in no file of the store but the one it is taken from, and in no log', async () => {
    await drive.ask('GET', '/drive/v2/about')
    await drive.ask('GET', '/drive/v2/about', { query: { access_token: drive.token }, token: undefined })
    await drive.ask('GET', '/drive/v2/about', { token: 'hla_wrong-but-a-secret' })
    const files = filesIn(drive.folder).filter((file) => !file.endsWith('owner-token'))
    const texts = [...files, log].map((file) => readFileSync(file, 'latin1'))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) {
      expect(text).not.toContain(drive.token)
      expect(text).not.toContain('hla_wrong-but-a-secret')
    }
  })

  test('may be kept out of addresses', async () => {
    const strict = await startDrive({ args: ['--no-query-token'] })
    const query = { access_token: strict.token }
    expect((await strict.ask('GET', '/drive/v2/about', { query, token: undefined })).status).toBe(401)
    await strict.stop()
  })

  test('is for its owner to read alone', () => {
    expect(statSync(drive.folder).mode & 0o077).toBe(0)
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
