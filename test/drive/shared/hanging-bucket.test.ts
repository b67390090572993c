/** A bucket that hangs: requests are answered within a time limit, and at once while the bucket is known to be away. */
import { describe, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'
import { POSTGRES, startPostgres } from '../../support/postgres.ts'
import { madeBytes } from '../../support/store.ts'
import { startSwift, SWIFT } from '../../support/swift.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/** ms. Maximum time of any request, and of one that does not need the bucket. */
const [BUDGET, AT_ONCE] = [15_000, 1500]

describe.skipIf(POSTGRES === undefined || !SWIFT)('a bucket that hangs', async () => {
  const postgres = POSTGRES === undefined ? undefined : await startPostgres()
  const swift = SWIFT ? await startSwift() : undefined

  async function start() {
    if (postgres === undefined || swift === undefined) throw new Error('skipped')
    const { env } = swift
    const proxy = await faultyProxy(Number(new URL(swift.url).port))
    const server = await startDrive({
      folder: temp('hangs'),
      args: ['--database', postgres.database('hangs'), '--contents', await swift.bucket('hangs')],
      env: { ...env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}` },
    })
    return { proxy, server }
  }

  let uploads = 0
  const upload = (server: Drive, path = 'files?uploadType=media', method = 'POST') =>
    server.ask(method, `/upload/drive/v2/${path}`, {
      body: madeBytes(300_000, (uploads += 1)),
      headers: { 'content-type': 'application/octet-stream' },
    })

  /** Status, whether Retry-After is set, and whether the answer came in time. */
  async function timed(asking: Promise<{ status: number; headers: Headers }>, within: number) {
    const began = performance.now()
    const { status, headers } = await asking
    return [status, headers.has('retry-after'), performance.now() - began < within]
  }

  test('is answered 503 in time, at once while it is away, and used again', async () => {
    const { proxy, server } = await start()
    const { json } = await upload(server)
    const content = () => server.ask('GET', `/drive/v2/files/${json.id}?alt=media`)
    expect((await content()).status).toBe(200)
    proxy.standStill()
    // all requests at the same time
    const first = [upload(server), content(), upload(server, `files/${json.id}?uploadType=media`, 'PUT')]
    expect(await Promise.all(first.map((one) => timed(one, BUDGET)))).toEqual(
      first.map(() => [503, true, true]),
    )
    expect(await timed(upload(server), AT_ONCE)).toEqual([503, true, true])
    expect(await timed(content(), AT_ONCE)).toEqual([503, true, true])
    // requests without the bucket succeed
    const [made, ready] = await Promise.all([
      server.ask('POST', '/drive/v2/files', { body: { title: 'two' } }),
      server.ask('GET', '/readyz'),
    ])
    expect([made.status, ready.status, ready.json.status]).toEqual([200, 200, 'contents away'])
    proxy.goOn()
    await expect.poll(async () => (await upload(server)).status, { timeout: 30_000 }).toBe(200)
    expect((await content()).status).toBe(200)
    await server.stop()
  })
})
