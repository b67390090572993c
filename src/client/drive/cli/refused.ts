/** What a store refuses, in the words of a command line. */
import { HlaError, errorMessage } from '../../../errors.ts'
import { isStorageFailure } from '../../../drive/contract/failure.ts'

/** @throws {HlaError} usage — in place of a refusal */
export async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    const text = errorMessage(error).replace(/\.$/, '')
    throw new HlaError('usage', `${text.charAt(0).toLowerCase()}${text.slice(1)}`, { cause: error })
  }
}
