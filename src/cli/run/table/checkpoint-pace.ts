/** Whether a command line has checkpoints, how often, and the command line that goes on from them.  [disk] */
import { statSync } from 'node:fs'
import { HlaError } from '../../../errors.ts'
import type { FilePort, ByteInput } from '../../../io/file-port.ts'
import { isDevice } from '../../../io/part-file.ts'
import type { TableOptions } from '../../options/table-options.ts'
import { quoteArguments } from '../arguments.ts'
import type { CheckpointPace } from '../../../table/run/table-job.ts'

const DEFAULT_PACE: CheckpointPace = { rows: 50_000, pause: 1000 }

export interface Resumable {
  readonly source: Pick<ByteInput, 'name' | 'size'>
  readonly filePort: Pick<FilePort, 'isRemote'>
  readonly output: string
  /** Signals are the business of whoever runs it, and so is what is done again. */
  readonly isUnbroken?: boolean | undefined
  readonly options: Pick<TableOptions, 'checkpoint' | 'resume'>
}

/** undefined: there are no checkpoints. @throws {HlaError} usage — they are asked for, and cannot be */
export function checkpointPace(run: Resumable): CheckpointPace | undefined {
  const { checkpoint, resume = false } = run.options
  if (run.isUnbroken === true) return undefined
  const reason = whyNot(run)
  if (reason !== undefined && (resume || checkpoint !== undefined))
    throw new HlaError('usage', `${resume ? '--resume' : '--checkpoint'}: ${reason}`)
  if (reason !== undefined || checkpoint === 0) return undefined
  return checkpoint === undefined ? DEFAULT_PACE : { rows: checkpoint, pause: 0 }
}

function whyNot({ source: { name, size }, output, filePort }: Resumable): string | undefined {
  if (output === '-') return 'what went to standard output cannot be continued; -o names a file'
  if (!filePort.isRemote(output) && isDevice(output)) return `what went to ${output} cannot be continued`
  if (name === 'stdin') return 'standard input cannot be read again; -i names a file'
  if (filePort.isRemote(name)) return undefined
  // what is not there is said when it is opened
  const isThere = statSync(name, { throwIfNoEntry: false }) !== undefined
  return isThere && size === undefined ? `${name} is not a file that can be read again` : undefined
}

/** The command line of this run, with `--resume`. */
export function resumeCommand(argv: readonly string[]): string {
  if (argv.includes('--resume')) return quoteArguments(['hla', ...argv])
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return quoteArguments(['hla', ...argv.slice(0, end), '--resume', ...argv.slice(end)])
}
