/** Why a list was not made. */
import { StorageFailure } from '../../contract/failure.ts'
import type { ListRequest } from './messages.ts'

/** It was ended after so many ms. */
export function tooLong({ parameters: { q } }: ListRequest, patience: number): StorageFailure {
  const what = q === undefined ? 'list' : 'search'
  const text = `The ${what} takes too long: it was ended after ${patience / 1000} seconds. Ask for less, or for fewer tests.`
  return new StorageFailure(400, 'invalid', text, q === undefined ? {} : { location: 'q' })
}

export function notMade(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'The list could not be made.', { retryAfter: 1 })
}

export function tooMany(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'Too many lists are being made.', { retryAfter: 1 })
}
