/** Choice of the bucket, its endpoint and its keys. */
import { utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  bucketKeys,
  readBucketAddress,
} from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

describe('an address', () => {
  test.each([
    ['s3://lab', {}, { origin: 'https://lab.s3.us-east-1.amazonaws.com', path: '', prefix: '' }],
    [
      's3://lab/',
      { AWS_REGION: 'eu-west-3' },
      { origin: 'https://lab.s3.eu-west-3.amazonaws.com', path: '', prefix: '' },
    ],
    [
      's3://lab.files/a/b',
      {},
      { origin: 'https://s3.us-east-1.amazonaws.com', path: '/lab.files', prefix: 'a/b/' },
    ],
    [
      's3://lab/a',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' },
      { origin: 'http://127.0.0.1:9000', path: '/lab', prefix: 'a/' },
    ],
    [
      's3://lab/a',
      { AWS_ENDPOINT_URL_S3: 'https://s3.example.org/base/', AWS_ENDPOINT_URL: 'http://other' },
      { origin: 'https://s3.example.org', path: '/base/lab', prefix: 'a/' },
    ],
    [
      's3://lab',
      { AWS_ENDPOINT_URL_S3: 'https://lab.s3.example.org' },
      { origin: 'https://lab.s3.example.org', path: '', prefix: '' },
    ],
  ])('%s with %j', (contents, env, wanted) => {
    expect(readBucketAddress(contents, env)).toMatchObject(wanted)
  })

  test.each([
    's3://',
    'gs://lab/a',
    '/srv/contents',
    's3://A',
    's3:///a',
    's3://lab/a b',
    's3://lab/../a',
    's3://key:secret@lab/a',
    's3://lab/a?b',
  ])('%s is none', (contents) => {
    expect(() => readBucketAddress(contents, {})).toThrow('is not the address of a bucket')
  })

  test('of a store does not repeat a secret that is in it', () => {
    const AWS_ENDPOINT_URL_S3 = 'https://key:secret@s3.example.org'
    expect(() => readBucketAddress('s3://lab', { AWS_ENDPOINT_URL_S3 })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    )
  })
})

describe('keys', () => {
  test('are in variables', () => {
    const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' }
    expect(bucketKeys(env)()).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' })
  })

  test('or in a file, which is read again when it has changed', () => {
    const file = temp('credentials')
    const write = (secret: string, time: number) => {
      const text = `[default]\naws_access_key_id = a\naws_secret_access_key = x=\n\n[lab]\n# ours\naws_access_key_id=b\naws_secret_access_key = ${secret}\n`
      writeFileSync(file, text)
      utimesSync(file, time, time)
    }
    write('y', 1)
    const env = { AWS_SHARED_CREDENTIALS_FILE: file }
    expect(bucketKeys(env)()).toEqual({ accessKeyId: 'a', secretAccessKey: 'x=' })
    const keys = bucketKeys({ ...env, AWS_PROFILE: 'lab' })
    expect(keys()).toEqual({ accessKeyId: 'b', secretAccessKey: 'y' })
    write('z', 2)
    expect(keys()).toEqual({ accessKeyId: 'b', secretAccessKey: 'z' })
    // half-written file
    writeFileSync(file, '[lab]\n')
    expect(keys().secretAccessKey).toBe('z')
  })

  test('that are nowhere are asked for', () => {
    expect(() => bucketKeys({ AWS_SHARED_CREDENTIALS_FILE: temp('none') })).toThrow('no access keys found')
    writeFileSync(temp('empty'), '')
    const env = { AWS_SHARED_CREDENTIALS_FILE: temp('empty'), AWS_PROFILE: 'lab' }
    expect(() => bucketKeys(env)).toThrow('has no keys of the profile lab')
  })
})
