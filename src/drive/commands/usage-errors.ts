/** Rewords refusals of a store for the command line. */
import { HlaError, errorMessage } from '../../errors.ts'
import { isStorageFailure } from '../contract/failure.ts'

/** @throws {HlaError} usage — for a refusal */
export async function withUsageErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    const text = errorMessage(error).replace(/\.$/, '')
    throw new HlaError('usage', `${text.charAt(0).toLowerCase()}${text.slice(1)}`, { cause: error })
  }
}
