/** Opens a file of persons that is compared with another. */
import type { Leniency } from '../../../engine/accept.ts'
import type { Operation } from '../../../operations/operation.ts'
import { type TableInput, readTableInput } from '../../../table/input/input.ts'
import { openManyFiles } from '../../../table/input/records/many-files.ts'
import { shapedInput } from '../../../table/input/records/open-records.ts'
import { personName } from '../../../table/input/records/gathering/person.ts'
import type { ComparedFile } from '../../../table/concordance/side-reader.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { openTable } from '../../../table/plan/open-table.ts'
import { readRequest } from '../../../table/plan/raw-table-options.ts'
import type { ReadRequest } from '../../../table/plan/table-request.ts'
import { fileReader, shapeRequest } from '../../../table/run/open-input.ts'
import { openFiles } from './input-files.ts'
import type { TableCommand } from './table-command.ts'

export interface OpenSide extends ComparedFile {
  readonly reading: ReadRequest
}

type SideCommand = TableCommand<Operation> & {
  /** With the digest of each file. */
  readonly isHashed?: boolean
}

/** `side` is 0 or 1. @throws {HlaError} as finding, reading and planning do */
export async function openSide(
  { options, answering: { facts }, filePort, isHashed = false }: SideCommand,
  accept: readonly Leniency[],
  file: string,
  side: number,
): Promise<OpenSide> {
  const { source, parts } = await openFiles(filePort, [file], options)
  const layout = layoutFor(options.inputFormat, source.title)
  const reading = sideReading(options, accept, source.title, side)
  const { sheet } = reading
  const request = shapeRequest(reading, layout, facts.loci)
  const input: TableInput =
    parts !== undefined || options.sampleFrom !== undefined
      ? await openManyFiles(source.name, parts ?? [source], {
          ...request,
          // each side has a person once
          records: { ...request.records, isMerged: true },
          isHashed,
          delimiter: ',',
          sheet,
          limited: (one) => one,
          ...fileReader(reading, layout, facts),
        })
      : await shapedInput(
          await readTableInput(source.name, source.bytes(), { isHashed, sheet, dialect: reading.dialect }),
          request,
        )
  const table = await openTable(input, reading, layout, facts)
  // the name of a table with a row per person identifies none of them
  const isNamed = input.made !== undefined && parts === undefined
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
  options: TableCommand<Operation>['options'],
  accept: readonly Leniency[],
  title: string,
  side: number,
): ReadRequest {
  const { summary: _, ...rest } = options
  const layout = layoutFor(options.inputFormat, title)
  return readRequest({ ...rest, ...ownId(options.idColumn, side) }, layout, accept)
}

/** `donor,ID` names one column per file. */
function ownId(idColumn: string | undefined, side: number): { readonly idColumn?: string } {
  const names = idColumn?.split(',') ?? []
  const own = names.length === 2 ? names[side] : idColumn
  return own === undefined ? {} : { idColumn: own }
}
