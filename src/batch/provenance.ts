/** The provenance of a conversion: what was asked, of which data, from which bytes to which. No cell of the table. Pure. */
import { type DataIdentity, dataIdText } from '../operations/knowledge.ts'
import type { TablePlan } from './plan.ts'
import type { SummaryRecord } from './summary.ts'
import type { ReadRequest, WriteRequest } from './table-request.ts'

export interface FileIdentity {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export interface ProvenanceFacts {
  readonly program: string
  readonly node: string
  readonly argv: readonly string[]
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  readonly engine: Readonly<Record<string, unknown>>
  readonly plan: TablePlan
  readonly release: string
  readonly dataset: string
  readonly identity: DataIdentity
  readonly mac: { readonly date: string; readonly codes: number } | undefined
  readonly input: FileIdentity
  readonly output: FileIdentity
  readonly summary: SummaryRecord
  readonly started: Date
  readonly ended: Date
  readonly exit: number
}

/** JSON, two spaces a level. */
export function provenanceText(facts: ProvenanceFacts): string {
  const { program, node, argv, release, dataset, identity, mac, input, output, summary } = facts
  const record = {
    format: 'hla-provenance/1',
    hla: program,
    node,
    argv,
    options: { reading: facts.reading, writing: facts.writing, engine: facts.engine },
    plan: planRecord(facts.plan),
    data: {
      release,
      dataset,
      data_id: dataIdText(identity),
      mac: mac ?? null,
      files: identity.files,
    },
    input,
    output,
    summary,
    started: facts.started.toISOString(),
    ended: facts.ended.toISOString(),
    exit: facts.exit,
  }
  return `${JSON.stringify(record, null, 2)}\n`
}

function planRecord({ header, groups, idColumn }: TablePlan): object {
  const label = (column: number) => header.labels[column]
  return {
    columns: header.width,
    id: idColumn === undefined ? null : label(idColumn),
    typings: groups.map(({ subject, locus, columns, context, hasDigits }) => ({
      ...(subject === '' ? {} : { subject }),
      locus: locus ?? null,
      columns: columns.map(label),
      ...(hasDigits ? { bare_digits: context.digits } : {}),
    })),
  }
}
