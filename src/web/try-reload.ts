/** Reloads one part of a service's state on SIGHUP. */
import { errorMessage } from '../errors.ts'
import { tell } from '../io/stdout.ts'

/** Returns false on failure; the service then keeps the current state. */
export function tryReload(what: string, read: () => void): boolean {
  try {
    read()
    return true
  } catch (error) {
    tell(
      `hla: error: ${what} could not be reloaded; the service goes on with the old state: ${errorMessage(error)}\n`,
    )
    return false
  }
}
