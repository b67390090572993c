/**
 * Address of a bucket, from `s3://bucket/prefix` and the environment variables that S3 clients share. Keys never appear
 * in an address or argument.  [disk]
 */
import { readFileSync, statSync } from 'node:fs'
import { HlaError } from '../../../../errors.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'

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
    ...place(bucket, region, env),
    prefix,
    region,
    authority: authority === undefined ? undefined : readAuthority(authority),
  }
}

/** AWS names the bucket in the host. Other stores name it in the path, unless the endpoint's host begins with the bucket. */
function place(bucket: string, region: string, env: Environment) {
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
function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

export interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** @throws {HlaError} usage — no keys were found */
export function bucketKeys(env: Environment): () => BucketKeys {
  const accessKeyId = given(env['AWS_ACCESS_KEY_ID'])
  const secretAccessKey = given(env['AWS_SECRET_ACCESS_KEY'])
  if (accessKeyId === undefined || secretAccessKey === undefined) return keysOfFile(env)
  const keys = withToken(accessKeyId, secretAccessKey, given(env['AWS_SESSION_TOKEN']))
  return () => keys
}

function keysOfFile(env: Environment): () => BucketKeys {
  const file = given(env['AWS_SHARED_CREDENTIALS_FILE']) ?? join(homedir(), '.aws', 'credentials')
  const profile = given(env['AWS_PROFILE']) ?? 'default'
  let known: { readonly changed: number; readonly keys: BucketKeys } | undefined
  const keys = () => {
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (known?.changed !== changed) known = { changed, keys: readKeys(file, profile) }
    return known.keys
  }
  keys()
  return () => {
    try {
      return keys()
    } catch (error) {
      // the file may be half written; keep the last known keys
      if (known === undefined) throw error
      return known.keys
    }
  }
}

function readKeys(file: string, profile: string): BucketKeys {
  const values = profileIn(readText(file), profile)
  const [id, secret] = [values.get('aws_access_key_id'), values.get('aws_secret_access_key')]
  if (id === undefined || secret === undefined)
    throw new HlaError('usage', `${file} has no keys of the profile ${profile}`, {
      offending: file,
      hint: HINT,
    })
  return withToken(id, secret, values.get('aws_session_token'))
}

const HINT = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file in AWS_SHARED_CREDENTIALS_FILE'

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new HlaError('usage', 'no access keys found for the S3 bucket', { hint: HINT, cause })
  }
}

/** Reads the lines `name = value` below `[profile]`. */
function profileIn(text: string, profile: string): Map<string, string> {
  const values = new Map<string, string>()
  let isIn = false
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) isIn = line === `[${profile}]`
    else if (isIn && line.includes('=') && !line.startsWith('#')) {
      const at = line.indexOf('=')
      values.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim())
    }
  }
  return values
}

function withToken(
  accessKeyId: string,
  secretAccessKey: string,
  sessionToken: string | undefined,
): BucketKeys {
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
