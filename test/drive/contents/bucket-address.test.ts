/** Choice of the bucket and its endpoint. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readBucketAddress } from '../../../src/drive/persistence/contents/bucket/bucket-address.ts'
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
    ['s3://lab/.a/b./c', {}, { name: 's3://lab/.a/b./c/', prefix: '.a/b./c/' }],
    [
      's3://lab/a/',
      { AWS_DEFAULT_REGION: 'eu-west-3', AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL: '', AWS_CA_BUNDLE: '' },
      {
        name: 's3://lab/a/',
        region: 'eu-west-3',
        host: 'lab.s3.eu-west-3.amazonaws.com',
        authority: undefined,
      },
    ],
    [
      's3://lab',
      { AWS_REGION: 'a', AWS_DEFAULT_REGION: 'b', AWS_ENDPOINT_URL_S3: 'https://lab2.example.org' },
      { name: 's3://lab/', region: 'a', host: 'lab2.example.org', path: '/lab' },
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
    'xs3://lab',
    's3://_lab',
    's3://lab_',
    's3://la',
    's3://lab/a//b',
    's3://lab/a/..',
    's3://lab//a',
    's3://lab/a\nb',
  ])('%s is none', (contents) => {
    expect(() => readBucketAddress(contents, {})).toThrow(
      expect.objectContaining({
        message: `${contents} is not the address of a bucket`,
        offending: contents,
        hint: 'use s3://bucket/prefix; set endpoint and keys in AWS_ENDPOINT_URL_S3 and the other AWS variables',
      }),
    )
  })

  test.each([
    ['nonsense', 'https://s3.example.org'],
    ['ftp://s3.example.org', 'https://s3.example.org'],
    ['https://s3.example.org/?a=b', 'https://s3.example.org'],
    ['https://key@s3.example.org', 'an address must not contain keys'],
    ['https://:secret@s3.example.org', 'an address must not contain keys'],
  ])('of a store is not %s', (AWS_ENDPOINT_URL_S3, hint) => {
    expect(() => readBucketAddress('s3://lab', { AWS_ENDPOINT_URL_S3 })).toThrow(
      expect.objectContaining({
        message: 'AWS_ENDPOINT_URL_S3 is not the address of an S3-compatible store',
        hint,
      }),
    )
  })

  test('has the certificates of a file', () => {
    const file = temp('authority.pem')
    const read = () => readBucketAddress('s3://lab', { AWS_CA_BUNDLE: file })
    expect(read).toThrow(`cannot read the certificates in AWS_CA_BUNDLE: ${file}`)
    writeFileSync(file, 'PEM')
    expect(read().authority).toBe('PEM')
  })

  test('of a store does not repeat a secret that is in it', () => {
    const AWS_ENDPOINT_URL_S3 = 'https://key:secret@s3.example.org'
    expect(() => readBucketAddress('s3://lab', { AWS_ENDPOINT_URL_S3 })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    )
  })
})
