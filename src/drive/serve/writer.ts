/** The writer thread of `hla drive serve`.  [threads] */
import { COMMANDS } from '../domain/commands.ts'
import { isFreeing } from '../domain/upkeep/freeing.ts'
import { serveWrites } from '../persistence/writer/writer-thread.ts'

export function runWriter(): Promise<void> {
  return serveWrites(COMMANDS, isFreeing)
}
