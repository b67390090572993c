/**
 * Keys of a bucket: those in the variables, else those of a file, else those that the AWS SDK finds on the machine (role
 * of an instance, a container or a service account, a profile that takes a role). The SDK is not installed with hla
 * (docs/adr/store.md#contents-in-a-bucket).  [disk, network]
 */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HlaError, errorMessage } from '../../../../errors.ts'
import { contentsOutOfReach } from '../../writer/not-writing.ts'
import { type Environment, given } from './bucket-address.ts'

export interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Keys for the next request. @throws {StorageFailure} 503 — keys that must be renewed cannot be */
export type KeySource = () => Promise<BucketKeys>

/** @throws {HlaError} usage — no keys were found */
export async function bucketKeys(env: Environment): Promise<KeySource> {
  const accessKeyId = given(env['AWS_ACCESS_KEY_ID'])
  const secretAccessKey = given(env['AWS_SECRET_ACCESS_KEY'])
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const keys = withToken(accessKeyId, secretAccessKey, given(env['AWS_SESSION_TOKEN']))
    return () => Promise.resolve(keys)
  }
  const file = given(env['AWS_SHARED_CREDENTIALS_FILE']) ?? join(homedir(), '.aws', 'credentials')
  const profile = given(env['AWS_PROFILE']) ?? 'default'
  return readKeys(file, profile) === undefined ? keysOfMachine(file, profile) : keysOfFile(file, profile)
}

/** Keys of a profile, reread when the file changes. */
function keysOfFile(file: string, profile: string): KeySource {
  let known: { readonly changed: number; readonly keys: BucketKeys } | undefined
  return () => {
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (known?.changed !== changed) {
      // a file that is half written has none; the last known keys stay
      const keys = readKeys(file, profile) ?? known?.keys
      if (keys === undefined) return Promise.reject(noKeys(file, profile))
      known = { changed, keys }
    }
    return Promise.resolve(known.keys)
  }
}

function readKeys(file: string, profile: string): BucketKeys | undefined {
  const values = profileIn(readText(file), profile)
  const [id, secret] = [values.get('aws_access_key_id'), values.get('aws_secret_access_key')]
  return id === undefined || secret === undefined
    ? undefined
    : withToken(id, secret, values.get('aws_session_token'))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Reads the lines `name = value` below `[profile]`. */
function profileIn(text: string, profile: string): Map<string, string> {
  const values = new Map<string, string>()
  let isIn = false
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) isIn = line === `[${profile}]`
    else if (isIn && line.includes('=')) {
      const at = line.indexOf('=')
      values.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim())
    }
  }
  return values
}

/** The SDK keeps keys until shortly before they end, and renews them. */
async function keysOfMachine(file: string, profile: string): Promise<KeySource> {
  const provider = (await loadProviders(file, profile)).fromNodeProviderChain()
  try {
    await provider()
  } catch (cause) {
    throw noKeys(file, profile, errorMessage(cause))
  }
  return async () => {
    try {
      const { accessKeyId, secretAccessKey, sessionToken } = await provider()
      return withToken(accessKeyId, secretAccessKey, sessionToken)
    } catch (error) {
      throw contentsOutOfReach(error)
    }
  }
}

async function loadProviders(file: string, profile: string) {
  try {
    return await import('@aws-sdk/credential-providers')
  } catch {
    throw noKeys(file, profile)
  }
}

function noKeys(file: string, profile: string, why?: string): HlaError {
  return new HlaError(
    'usage',
    `no access keys for the S3 bucket: ${why ?? `${file} has none of the profile ${profile}`}`,
    {
      offending: file,
      hint: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for the role of a machine: npm install -g @aws-sdk/credential-providers',
    },
  )
}

function withToken(
  accessKeyId: string,
  secretAccessKey: string,
  sessionToken: string | undefined,
): BucketKeys {
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
