/** Where the keys of a bucket come from: variables, a file, or the machine's role, as the AWS SDK finds it. */
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { bucketKeys } from '../../../src/drive/persistence/contents/bucket/bucket-keys.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let server: Server | undefined
afterEach(() => {
  vi.unstubAllEnvs()
  server?.close()
})

test('keys are in variables', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' }
  const keys = await bucketKeys(env)
  expect(await keys()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' })
  const without = await bucketKeys({ ...env, AWS_SESSION_TOKEN: '' })
  expect(await without()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b' })
})

test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('of which an empty %s is none', async (name) => {
  const file = temp(`of-${name}`)
  const lines = ['AWS_ACCESS_KEY_ID = f', 'aws_secret_access_key=#g', '#aws_session_token = h', 'aws_session_token = i']
  writeFileSync(file, `[default]\r\n${lines.join('\r\n')}\r\n`)
  const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: '' }
  const keys = await bucketKeys({ ...env, [name]: '' })
  expect(await keys()).toEqual({ accessKeyId: 'f', secretAccessKey: '#g', sessionToken: 'i' })
}) // prettier-ignore

test('or in a file, which is read again when it has changed', async () => {
  const file = temp('credentials')
  const write = (secret: string, time: number) => {
    const text = `[default]\naws_access_key_id = a\naws_secret_access_key = x=\n\n[lab]\n# ours\naws_access_key_id=b\naws_secret_access_key = ${secret}\n`
    writeFileSync(file, text)
    utimesSync(file, time, time)
  }
  write('y', 1)
  const env = { AWS_SHARED_CREDENTIALS_FILE: file }
  const usual = await bucketKeys(env)
  expect(await usual()).toEqual({ accessKeyId: 'a', secretAccessKey: 'x=' })
  const keys = await bucketKeys({ ...env, AWS_PROFILE: 'lab' })
  expect(await keys()).toEqual({ accessKeyId: 'b', secretAccessKey: 'y' })
  write('z', 2)
  expect(await keys()).toEqual({ accessKeyId: 'b', secretAccessKey: 'z' })
  // half-written file
  writeFileSync(file, '[lab]\n')
  expect(await keys()).toEqual({ accessKeyId: 'b', secretAccessKey: 'z' })
})

/** Answers as the agent of a container does: keys that end `left` ms from now, others each time. */
async function startAgent(left: number) {
  let given = 0
  server = createServer((_, response) => {
    given += 1
    const Expiration = new Date(Date.now() + left).toISOString()
    response.end(
      JSON.stringify({ AccessKeyId: `k${given}`, SecretAccessKey: 's', Token: `t${given}`, Expiration }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/keys`)
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', temp('no-keys'))
  vi.stubEnv('AWS_CONFIG_FILE', temp('no-settings'))
}

test('or of the role of a container, and are kept while they last', async () => {
  await startAgent(3_600_000)
  const keys = await bucketKeys(process.env)
  const first = await keys()
  expect(first).toMatchObject({ secretAccessKey: 's', accessKeyId: expect.stringMatching(/^k\d$/) })
  expect(first.sessionToken).toBe(first.accessKeyId.replace('k', 't'))
  expect(await keys()).toEqual(first)
})

test('keys that end soon are renewed', async () => {
  await startAgent(30_000)
  const keys = await bucketKeys(process.env)
  const first = await keys()
  await expect.poll(keys).not.toEqual(first)
})

test('when the keys have ended and the role no longer answers, the bucket is out of reach', async () => {
  await startAgent(1000)
  const keys = await bucketKeys(process.env)
  server?.close()
  server?.closeAllConnections()
  const status = () =>
    keys().then(
      () => 200,
      (error: { readonly status?: number }) => error.status,
    )
  await expect.poll(status).toBe(503)
})

test('keys that are nowhere are asked for, with the profile and the file', async () => {
  writeFileSync(temp('empty'), '')
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('AWS_CONFIG_FILE', temp('no-settings'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', temp('empty'))
  await expect(bucketKeys(process.env)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^no access keys for the S3 bucket: /),
    hint: expect.stringContaining('AWS_ACCESS_KEY_ID'),
  })
})

test('keys are in the home folder, and a file that has none any more is named', async () => {
  vi.stubEnv('HOME', temp('home'))
  const file = join(temp('home'), '.aws', 'credentials')
  mkdirSync(dirname(file), { recursive: true })
  const text = '[lab]\naws_access_key_id = a\naws_secret_access_key = b\n'
  writeFileSync(file, text)
  const env = { AWS_PROFILE: 'lab' }
  const keys = await bucketKeys(env)
  expect(await keys()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b' })
  const emptied = await bucketKeys(env)
  writeFileSync(file, '[lab]\n')
  await expect(emptied()).rejects.toMatchObject({
    code: 'usage',
    message: `no access keys for the S3 bucket: ${file} has none of the profile lab`,
    offending: file,
  })
  // written again
  writeFileSync(file, text)
  expect(await emptied()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b' })
})
