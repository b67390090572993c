/** Errors outside of operations, with status and code, for the interface description. */

export interface Refusal {
  readonly status: number
  readonly code: string
  readonly when: string
}

export const REFUSALS: readonly Refusal[] = [
  {
    status: 401,
    code: 'unauthorized',
    when: 'the bearer token is missing or wrong',
  },
  { status: 404, code: 'not-found', when: 'there is no such path' },
  { status: 405, code: 'method-not-allowed', when: 'the path is used with other HTTP methods: see Allow' },
  { status: 408, code: 'timeout', when: 'the request did not arrive in time' },
  { status: 413, code: 'bad-request', when: 'the body is longer than the service reads' },
  { status: 415, code: 'bad-request', when: 'the body is compressed' },
  {
    status: 429,
    code: 'too-many-requests',
    when: 'more requests than the service accepts from one client: see Retry-After',
  },
  { status: 500, code: 'internal', when: 'the service failed' },
]
