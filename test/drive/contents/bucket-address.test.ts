/** Choice of the bucket and its endpoint. */
import { describe, expect, test } from 'vitest'
import { readBucketAddress } from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'

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
