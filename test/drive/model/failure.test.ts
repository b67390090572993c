/** What a refusal says to clients, who decide by its status and reason (spec 2). */
import { expect, test } from 'vitest'
import {
  badRequest,
  conditionNotMet,
  invalid,
  invalidParameter,
  GUEST,
  isGuest,
  isStorageFailure,
  lacksScope,
  noPermission,
  notFound,
  rateLimitExceeded,
  required,
  requestTimeout,
  StorageFailure,
  tryAgain,
} from '../../../src/drive/contract/failure.ts'

const parameter = (location: string) => ({ location, locationType: 'parameter' })

test.for<[StorageFailure, status: number, reason: string, message: string, details: object]>([
  [notFound('File', 'x', 'fileId'), 404, 'notFound', 'File not found: x', parameter('fileId')],
  [notFound('File', 'x'), 404, 'notFound', 'File not found: x', {}],
  [invalidParameter('spaces', 'no'), 400, 'invalidParameter', 'no', parameter('spaces')],
  [invalid('no', 'q'), 400, 'invalid', 'no', parameter('q')],
  [invalid('no'), 400, 'invalid', 'no', {}],
  [badRequest('no', 'q'), 400, 'badRequest', 'no', parameter('q')],
  [required('key'), 400, 'required', 'Required parameter: key', parameter('key')],
  [noPermission('x'), 403, 'insufficientFilePermissions', 'The user does not have sufficient permissions for file x.', {}],
  [lacksScope(), 403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {}],
  [requestTimeout(), 408, 'requestTimeout', 'The request did not arrive in time.', {}],
  [conditionNotMet(), 412, 'conditionNotMet', 'Precondition Failed', { location: 'If-Match', locationType: 'header' }],
  [rateLimitExceeded(), 429, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: 'usageLimits', retryAfter: 1 }],
  [tryAgain(5, 'later'), 503, 'backendError', 'later', { retryAfter: 5 }],
])('%s: %i %s', ([failure, status, reason, message, details]) => {
  expect([failure.status, failure.reason, failure.message]).toEqual([status, reason, message])
  expect(failure.details).toEqual(details)
}) // prettier-ignore

test('the log has the cause of what may succeed later, if there is one', () => {
  const cause = new Error('ENOSPC')
  expect(tryAgain(5, 'later', cause).cause).toBe(cause)
  expect(tryAgain(5, 'later')).not.toHaveProperty('cause')
})

test.for<[unknown, boolean]>([
  [new StorageFailure(404, 'notFound', 'no'), true],
  // of another thread, which sends the members of a failure
  [Object.assign(new Error('no'), { name: 'StorageFailure' }), true],
  [new Error('StorageFailure'), false],
  [{ name: 'StorageFailure' }, false],
  [undefined, false],
])('%s is a refusal: %s', ([error, expected]) => {
  expect(isStorageFailure(error)).toBe(expected)
})

test('a caller without credentials has no program, and only reads', () => {
  expect(GUEST).toEqual({ user: 0, client: 0, scopes: ['drive.readonly'] })
  expect(isGuest(GUEST)).toBe(true)
})

test.for([
  [{ user: 0 }, true],
  [{ user: 7 }, false],
  [{ user: 7, isLink: true }, true],
  [{ user: 7, isLink: false }, false],
] as const)('%j has no account: %s', ([who, expected]) => {
  expect(isGuest({ client: 1, scopes: [], ...who })).toBe(expected)
})
