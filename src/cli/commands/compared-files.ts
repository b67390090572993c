/** hla diff over two files: where the command line asks for that, and its run. */
import type { Option } from 'commander'
import type { Operation } from '../../operations/operation.ts'
import type { CommandOptions } from '../options/declare/operation.ts'
import { refuseClashingFiles } from '../run/clashing-files.ts'
import { type LookingFilePort, lookingFilePort, openFilePort } from '../run/open-file-port.ts'
import { makeQuestions } from '../run/questions.ts'
import { openReporter, type Reporter } from '../run/reporter.ts'
import type { OperationQuestion } from '../run/run-operation.ts'
import { type ComparedFiles, readComparedFiles } from '../run/table/concordance/compared-files.ts'

export interface CommandRequest {
  readonly operation: Operation
  readonly given: readonly string[]
  readonly options: CommandOptions
  /** Of the command; none where it has no tables. */
  readonly tableOptions: readonly Option[]
  readonly questions: readonly OperationQuestion[]
  readonly reporter: Reporter
  readonly filePort: LookingFilePort
}

interface Arguments {
  readonly leading: readonly unknown[]
  readonly typings: readonly string[]
  readonly options: CommandOptions
}

/** undefined: the operation is asked. @throws {HlaError} usage */
export function findComparedFiles(
  operation: Operation,
  { leading, typings, options }: Arguments,
): ComparedFiles | undefined {
  if (operation.comparesTables !== true) return undefined
  return readComparedFiles({ leading, typings, input: options.input })
}

/** Two tables and two releases: those of their names. */
export function findComparedTables(
  { comparesTables }: Operation,
  { leading, input = [] }: CommandOptions,
): ComparedFiles | undefined {
  const [left, right, another] = input
  if (comparesTables !== true || left === undefined || right === undefined || another !== undefined)
    return undefined
  const releases = [String(leading['from_release']), String(leading['to_release'])] as const
  return { files: [left, right], releases }
}

/** The exit status. */
export async function compareAlone(
  operation: Operation,
  compared: ComparedFiles,
  options: CommandOptions,
): Promise<number> {
  const { quiet = false, verbose, color } = options
  const reporter = await openReporter({ quiet, verbose, color })
  const questions = makeQuestions(operation, options)
  refuseClashingFiles({ ...options, input: compared.files })
  const filePort = lookingFilePort(openFilePort(options))
  try {
    return await compareTwoFiles({ operation, given: [], options, questions, reporter, filePort }, compared)
  } finally {
    await filePort.close()
  }
}

/** The exit status. */
export async function compareTwoFiles(
  asked: Omit<CommandRequest, 'tableOptions'>,
  compared: ComparedFiles,
): Promise<number> {
  const { operation, options, reporter } = asked
  const { openAnswering } = await import('../run/table/open-answering.ts')
  const { compareFilesCommand } = await import('../run/table/concordance/compare-files.ts')
  const { answering, noteData, close } = await openAnswering(options, reporter)
  try {
    const questions = makeQuestions(operation, { ...options, leading: {} }, answering.methods)
    return await compareFilesCommand({ ...asked, questions, answering, noteData }, compared)
  } finally {
    await close()
  }
}
