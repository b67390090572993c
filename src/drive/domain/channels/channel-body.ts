/** What a request for a channel says, checked (spec 16). */
import type { ChannelBody } from '../../contract/bodies.ts'
import { invalid, required } from '../../contract/failure.ts'

export interface ChannelRequest {
  readonly id: string
  readonly token: string | undefined
  /** ms since 1970 */
  readonly expires: number
}

const ID = /^[\w\-+/=]{1,64}$/
/** What can stand in a header as it is. */
const TOKEN = /^[!-~](?:[ -~]{0,254}[!-~])?$/
const TYPES: ReadonlySet<string> = new Set(['web_hook', 'webhook'])

/** ms */
const USUAL_LIFE = 3_600_000

/** `longest`: ms. @throws 400 */
export function readChannel(body: ChannelBody, now: number, longest: number): ChannelRequest {
  const { id, type, token } = body
  if (id === undefined || id === '') throw required('id')
  if (!ID.test(id)) throw invalid('The id of a channel has 1 to 64 letters, digits and -_+/=.', 'id')
  if (type === undefined || type === '') throw required('type')
  if (!TYPES.has(type)) throw invalid('The type of a channel must be web_hook.', 'type')
  if (token !== undefined && token !== '' && !TOKEN.test(token))
    throw invalid('The token of a channel has at most 256 characters, all of visible ASCII.', 'token')
  return {
    id,
    token: token === '' ? undefined : token,
    expires: Math.min(chooseEnd(body, now), now + longest),
  }
}

/** The expiration wins over the time to live. */
function chooseEnd({ expiration, params }: ChannelBody, now: number): number {
  if (expiration !== undefined) {
    if (expiration <= now) throw invalid('The expiration of a channel must lie ahead.', 'expiration')
    return expiration
  }
  const ttl = params?.['ttl']
  if (ttl === undefined) return now + USUAL_LIFE
  if (!/^[1-9]\d{0,9}$/.test(ttl))
    throw invalid('The ttl of a channel must be a number of seconds.', 'params.ttl')
  return now + Number(ttl) * 1000
}
