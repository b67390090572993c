/** Opens a file of persons that is compared with another. */
import type { Leniency } from '../../../engine/accept.ts'
import { isHlaError } from '../../../errors.ts'
import type { Operation } from '../../../operations/operation.ts'
import { beginningOf } from '../../../table/input/input.ts'
import type { TableInput } from '../../../table/plan/table-input.ts'
import { personName } from '../../../table/sources/gathering/person.ts'
import type { ComparedFile } from '../../../table/concordance/side-reader.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { openTable, undecidedDigits } from '../../../table/plan/open-table.ts'
import { tableNotes } from '../../../table/plan/recognition/table-notes.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { writeOut } from '../../../io/stdout.ts'
import type { RawTableOptions } from '../../../options/table-options.ts'
import type { TablePlan } from '../../../table/plan/plan.ts'
import { readRequest, withTyped } from '../../../table/plan/raw-table-options.ts'
import type { ReadRequest } from '../../../table/plan/table-request.ts'
import { openFiles } from '../../../table/run/open-input.ts'
import { triedPlan } from '../../../table/run/tried-advice.ts'
import { type Retry, triedError } from '../../../table/tried-error.ts'
import { type OpenedFiles, openFiles as findFiles } from './input-files.ts'
import { comparisonPlan, type TableCommand } from './table-command.ts'

export interface OpenSide extends ComparedFile {
  readonly reading: ReadRequest
}

type SideCommand = TableCommand<Operation> & {
  /** With the digest of each file. */
  readonly isHashed?: boolean
}

/** `side` is 0 or 1. @throws {HlaError} as finding, reading and planning do, with advice that was tried */
export async function openSide(
  command: SideCommand,
  accept: readonly Leniency[],
  file: string,
  side: number,
): Promise<OpenSide> {
  const files = await findFiles(command.filePort, [file], command.options)
  const { summary: _, ...options } = command.options
  const { answering, isHashed = false } = command
  const request = { options, facts: answering.facts, isHashed, accept, side }
  let first: TableInput | undefined
  const again: Retry<TablePlan> = async (typed) => {
    // a single file may be a pipe: its beginning is read again
    const input = first === undefined ? files : { source: beginningOf(files.source, first) }
    return (await readSide({ ...request, options: withTyped(request.options, typed) }, input)).table.plan
  }
  const retry = () => {
    const isReadAgain = (files.parts ?? [files.source]).every(({ size }) => size !== undefined)
    return first !== undefined || isReadAgain ? again : undefined
  }
  try {
    const { table, ...opened } = await readSide(request, files, (input) => (first = input))
    return { ...opened, table: { ...table, plan: await triedPlan(table.plan, retry()) } }
  } catch (error) {
    throw isHlaError(error) ? await triedError(error, retry()) : error
  }
}

/** Opened tables whose plan or notes were shown. */
export interface ToldTables {
  /** True for `--plan`. */
  readonly isPlanOnly: boolean
  /** Exit status; `isNo`: some typing failed, or differs. */
  readonly status: (isNo: boolean) => number
}

/**
 * Prints the plans for `--plan`, otherwise notes. `release`: that of the names, or both.
 * @throws {HlaError} digits without colons that are typings in two ways
 */
export function tellTables(
  command: TableCommand<Operation>,
  sides: readonly OpenSide[],
  { release = command.answering.facts.label, isNamed = true } = {},
): ToldTables {
  const { options, reporter } = command
  command.noteData()
  if (options.plan === true)
    writeOut(sides.map(({ table }) => comparisonPlan(table, command, release)).join('\n'))
  for (const { table, reading } of sides) {
    const refusal = undecidedDigits(table.plan, reading)
    if (refusal !== undefined) throw refusal
  }
  const hasUnread = options.strictColumns === true && sides.some(({ table }) => table.plan.unread.length > 0)
  const outcome = {
    isPlanOnly: options.plan === true,
    status: (isNo: boolean) => (hasUnread || (isNo && options.exitZero !== true) ? EXIT.no : EXIT.ok),
  }
  if (outcome.isPlanOnly) return outcome
  for (const { name, table } of sides)
    for (const note of tableNotes(table.plan))
      reporter.note(isNamed ? { ...note, message: `${name}: ${note.message}` } : note)
  return outcome
}

interface SideRequest {
  readonly options: SideOptions
  readonly facts: SideCommand['answering']['facts']
  readonly isHashed: boolean
  readonly accept: readonly Leniency[]
  readonly side: number
}

/** `summary` of a comparison is another one. */
type SideOptions = Omit<RawTableOptions, 'summary'>

async function readSide(
  { options, facts, isHashed, accept, side }: SideRequest,
  { source, parts }: OpenedFiles,
  began: (input: TableInput) => void = () => {},
): Promise<OpenSide> {
  const layout = layoutFor(options.inputFormat, source.title)
  const reading = sideReading(options, accept, source.title, side)
  // each side has a person once
  const merged = { ...reading, records: { ...reading.records, isMerged: true } }
  const input = await openFiles({
    source,
    parts,
    reading: merged,
    layout,
    facts,
    isHashed,
    delimiter: ',',
    opened(one) {
      if (parts === undefined) began(one)
      return one
    },
  })
  const table = await openTable(input, reading, layout, facts)
  // the name of a table with a row per person identifies none of them
  const isNamed = input.source !== undefined && parts === undefined
  return {
    name: source.name,
    table,
    reading,
    ragged: reading.ragged,
    personName: isNamed ? personName(source.name, options.sampleFrom) : '',
  }
}

/** `title`: name whose ending tells the kind of file. */
export function sideReading(
  options: SideOptions,
  accept: readonly Leniency[],
  title: string,
  side: number,
): ReadRequest {
  const layout = layoutFor(options.inputFormat, title)
  return readRequest({ ...options, ...ownId(options.idColumn, side) }, layout, accept)
}

/** `donor,ID` names one column per file. */
function ownId(idColumn: string | undefined, side: number): { readonly idColumn?: string } {
  const names = idColumn?.split(',') ?? []
  const own = names.length === 2 ? names[side] : idColumn
  return own === undefined ? {} : { idColumn: own }
}
