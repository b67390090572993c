/** Ids of requests in the log: the client's own if valid, else a generated one. */
import { randomBytes } from 'node:crypto'

export function requestIds(): (request: { readonly headers: Readonly<Record<string, unknown>> }) => string {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : `${start}-${(count += 1)}`
  }
}
