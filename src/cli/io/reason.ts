/** What the system says about a failure, without its codes, calls and paths. */
import { messageOf } from '../../errors.ts'

/** `ENOSPC: no space left on device, write` -> `no space left on device` */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^E[A-Z0-9]+: ([^,]*),.*$/, '$1')
}
