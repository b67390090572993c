/**
 * Address of a bucket, from `s3://bucket/prefix` and the environment variables that S3 clients share. Keys never appear
 * in an address or argument.  [disk]
 */
import { readFileSync } from 'node:fs'
import { HlaError } from '../../../../errors.ts'

export interface BucketAddress {
  /** Display name: `s3://bucket/prefix`. */
  readonly name: string
  readonly origin: string
  readonly host: string
  /** Path of the bucket: `/bucket`, or empty if the host names it. */
  readonly path: string
  /** Prefix of every object: empty, or ending with a slash. */
  readonly prefix: string
  readonly region: string
  /** PEM certificates trusted in addition to the usual ones. */
  readonly authority: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

const SCHEME = 's3://'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(?:[\w.-]+(?:\/[\w.-]+)*\/?)?$/

/** @throws {HlaError} usage — not a valid bucket address */
export function readBucketAddress(contents: string, env: Environment): BucketAddress {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]*)\/?(.*)$/.exec(contents) ?? []
  if (!BUCKET.test(bucket) || !PREFIX.test(path) || path.split('/').some((part) => /^\.+$/.test(part)))
    throw new HlaError('usage', `${contents} is not the address of a bucket`, {
      offending: contents,
      hint: 'use s3://bucket/prefix; set endpoint and keys in AWS_ENDPOINT_URL_S3 and the other AWS variables',
    })
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  const authority = given(env['AWS_CA_BUNDLE'])
  return {
    name: `${SCHEME}${bucket}/${prefix}`,
    ...endpointOf(bucket, region, env),
    prefix,
    region,
    authority: authority === undefined ? undefined : readAuthority(authority),
  }
}

/** AWS names the bucket in the host. Other stores name it in the path, unless the endpoint's host begins with the bucket. */
function endpointOf(bucket: string, region: string, env: Environment) {
  const endpoint = given(env['AWS_ENDPOINT_URL_S3']) ?? given(env['AWS_ENDPOINT_URL'])
  if (endpoint === undefined) {
    const isPath = bucket.includes('.')
    const host = `${isPath ? '' : `${bucket}.`}s3.${region}.amazonaws.com`
    return { origin: `https://${host}`, host, path: isPath ? `/${bucket}` : '' }
  }
  const { protocol, origin, host, pathname, hostname } = readEndpoint(endpoint)
  if (protocol !== 'https:' && protocol !== 'http:') throw badEndpoint(endpoint)
  const base = pathname === '/' ? '' : pathname.replace(/\/$/, '')
  return { origin, host, path: hostname.startsWith(`${bucket}.`) ? base : `${base}/${bucket}` }
}

function readEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || url.username !== '' || url.password !== '' || url.search !== '')
    throw badEndpoint(endpoint)
  return url
}

/** The endpoint may contain a secret, so the message does not repeat it. */
function badEndpoint(endpoint: string): HlaError {
  const hint = endpoint.includes('@') ? 'an address must not contain keys' : 'https://s3.example.org'
  return new HlaError('usage', 'AWS_ENDPOINT_URL_S3 is not the address of an S3-compatible store', { hint })
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new HlaError('io', `cannot read the certificates in AWS_CA_BUNDLE: ${file}`, {
      offending: file,
      cause,
    })
  }
}

/** An empty variable counts as unset. */
export function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}
