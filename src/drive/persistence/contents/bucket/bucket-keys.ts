/** The keys to a bucket, from the environment or the file that S3 clients share; a file is read again when it has changed.  [disk] */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HlaError } from '../../../../errors.ts'
import { type Environment, given } from './bucket-address.ts'

export interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** @throws {HlaError} usage — there are none */
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
      // somebody is writing it
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

const HINT =
  'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a file in AWS_SHARED_CREDENTIALS_FILE, have them'

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new HlaError('usage', 'there are no keys to the bucket of the contents', { hint: HINT, cause })
  }
}

/** Lines of `name = value` below `[profile]`. */
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
