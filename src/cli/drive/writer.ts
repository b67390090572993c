/** The writer thread of `hla drive serve`.  [threads] */
import { COMMANDS } from '../../storage/library/commands.ts'
import { serveWrites } from '../../storage/store/writer-thread.ts'

export function runWriter(): Promise<void> {
  return serveWrites(COMMANDS)
}
