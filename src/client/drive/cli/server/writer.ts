/** The writer thread of `hla drive serve`.  [threads] */
import { COMMANDS } from '../../../../drive/domain/commands.ts'
import { isFreeing } from '../../../../drive/domain/upkeep/freeing.ts'
import { serveWrites } from '../../../../drive/persistence/writer/writer-thread.ts'

export function runWriter(): Promise<void> {
  return serveWrites(COMMANDS, isFreeing)
}
