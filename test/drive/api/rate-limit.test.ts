/** Request rate limit per user. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { printedBy } from '../../support/call-hla.ts'
import { startDrive } from '../../support/drive.ts'

const PROGRAM = join(import.meta.dirname, '../../../bin/hla.cjs')
const FILES = '/drive/v2/files'

test('who asks more often is told when to ask again; others are not', async () => {
  const drive = await startDrive({ args: ['--rate-limit', '5'] })
  const run = (...words: string[]) =>
    printedBy(['drive', ...words, '--data', drive.folder], { cwd: drive.folder })
  await run('user', 'add', 'bo@example.org')
  const token = (await run('token', 'create', '--user', 'bo@example.org')).trim()
  const replies = await Promise.all(Array.from({ length: 20 }, () => drive.ask('GET', FILES)))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(replies.length - refused.length).toBeGreaterThanOrEqual(5)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, headers, json } of refused) {
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(json.error.errors).toEqual([
      { domain: 'usageLimits', reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded' },
    ])
  }
  expect((await drive.ask('GET', FILES, { token })).status).toBe(200)
  // a refused request succeeds on retry; the archive of a large folder relies on this
  await expect.poll(async () => (await drive.ask('GET', FILES)).status, { timeout: 10_000 }).toBe(200)
  const health = await Promise.all(Array.from({ length: 20 }, () => drive.ask('GET', '/healthz')))
  expect(health.every(({ status }) => status === 200)).toBe(true)
})

test('wrong tokens are counted by address', async () => {
  const drive = await startDrive({ args: ['--rate-limit', '3'] })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, at) => drive.ask('GET', FILES, { token: `hla_wrong${at}` })),
  )
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(8)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(3)
  expect((await drive.ask('GET', FILES)).status).toBe(200)
})

test('the parts of a batch count one by one', async () => {
  const drive = await startDrive({ args: ['--rate-limit', '3'] })
  const part = '--x\r\ncontent-type: application/http\r\n\r\nGET /drive/v2/files HTTP/1.1\r\n\r\n'
  const reply = await drive.ask('POST', '/batch', {
    headers: { 'content-type': 'multipart/mixed; boundary=x' },
    body: new TextEncoder().encode(`${part.repeat(10)}\r\n--x--`),
  })
  const statuses = [...reply.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toHaveLength(10)
  expect(statuses).toContain('429')
  expect(statuses).toContain('200')
})

test('hla drive asks again', async () => {
  const drive = await startDrive({ args: ['--rate-limit', '3'] })
  const env = { ...process.env, HLA_DRIVE_URL: drive.url, HLA_DRIVE_TOKEN: drive.token }
  const list = () => promisify(execFile)(process.execPath, [PROGRAM, 'drive', 'ls', '/'], { env })
  const printed = await Promise.all([list(), list(), list(), list(), list(), list()])
  expect(printed.map(({ stdout }) => stdout)).toEqual(['', '', '', '', '', ''])
  const metrics = async () => (await drive.ask('GET', '/metrics')).text
  await expect.poll(metrics, { timeout: 10_000, interval: 500 }).toMatch(/status="429"/)
})
