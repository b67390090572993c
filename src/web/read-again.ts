/** What SIGHUP has read again, part by part. */
import { errorMessage } from '../errors.ts'
import { tell } from '../io/stdout.ts'

/** Whether it could be: the service goes on with what it has where it could not. */
export function again(what: string, read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    tell(`hla: error: ${what} not read again: ${errorMessage(error)}\n`)
    return false
  }
}
