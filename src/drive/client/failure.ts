/** Converts a refusal of a file store to an error. */
import { type ErrorCode, HlaError, isHlaError } from '../../errors.ts'
import { isRecord } from '../../operations/http-face.ts'
import { tryParseJson } from '../../remote/served-version.ts'

/**
 * `text` is the body of the answer, `challenge` its header WWW-Authenticate. `status`, `reason` and the `location` of
 * the mistake become facts of the error.
 */
export function refusal(url: string, status: number, text: string, challenge?: string): HlaError {
  const { message, reason, location } = readError(text)
  const facts = { status: String(status), reason, ...(location === '' ? {} : { location }) }
  if (status === 401)
    return new HlaError('remote', `${url} ${tokenFault(reason, challenge)}`, { hint: TOKEN_HINT, facts })
  const said = message === '' ? `${url} answers with status ${status}` : tidy(message)
  return new HlaError(errorCode(status), said, { facts })
}

/** Reason in the body of an answer; undefined without one. */
export function readReason(text: string): string | undefined {
  const { message } = readError(text)
  return message === '' ? undefined : message.replace(/\.$/, '')
}

/** `challenge`: see RFC 6750, section 3. */
function tokenFault(reason: string, challenge: string | undefined): string {
  if (reason === 'required') return 'requires an access token'
  const description = challenge?.match(/error_description="([^"]{1,200})"/)?.[1]
  if (description !== undefined) return `does not accept the token: ${description}`
  return 'does not accept the token: it is unknown there, or was revoked'
}

const TOKEN_HINT =
  'sign in with hla drive login; or run hla drive token create --user EMAIL > FILE on the server, and set HLA_DRIVE_TOKEN_FILE=FILE here'

/** True for a refusal with this status. */
export function isRefusal(error: unknown, status: number): error is HlaError {
  return isHlaError(error) && error.facts?.['status'] === String(status)
}

function errorCode(status: number): ErrorCode {
  if (status === 404) return 'not-found'
  return status < 500 ? 'io' : 'remote'
}

interface ErrorBody {
  readonly message: string
  readonly reason: string
  readonly location: string
}

function readError(text: string): ErrorBody {
  const body = tryParseJson(text)
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
  const first: unknown = Array.isArray(error['errors']) ? error['errors'][0] : undefined
  const { reason, location } = isRecord(first) ? first : {}
  return {
    message: failureText(error['message']),
    reason: failureText(reason),
    location: failureText(location),
  }
}

function failureText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** `File not found: abc.` -> `the store says: File not found: abc` */
function tidy(message: string): string {
  return `the store says: ${message.replace(/\.$/, '')}`
}
