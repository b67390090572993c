/**
 * Provenance of a run over tables: the request, the data, and the identities of input and output. Contains no cell of the
 * table. Pure.
 */
import { createHash } from 'node:crypto'
import { type DataIdentity, dataIdText, describePeculiarities } from '../../operations/knowledge.ts'
import { HlaError } from '../../errors.ts'
import type { FileIdentity } from '../../io/file-identity.ts'
import type { TablePlan } from '../plan/plan.ts'
import { unreadRecords } from '../plan/recognition/unread-text.ts'

/** Origin of the answers. */
export interface DataFacts {
  readonly release: string
  readonly dataset: string
  readonly identity: DataIdentity
  readonly mac: { readonly date: string; readonly codes: number } | undefined
}

export interface ProvenanceFacts extends DataFacts {
  readonly program: string
  readonly node: string
  readonly argv: readonly string[]
  /** Options that decide the output. */
  readonly options: object
  /** Of each table. */
  readonly plans: readonly TablePlan[]
  readonly input: FileIdentity
  /** Each input file, when there are several. */
  readonly inputs?: readonly FileIdentity[] | undefined
  readonly output: FileIdentity
  /** Report of failures, if one was written. */
  readonly report?: FileIdentity | undefined
  readonly summary: object
  readonly started: Date
  readonly ended: Date
  readonly exit: number
}

const FORMAT = 'hla-provenance/1'

/** JSON indented by two spaces, with a digest of itself. */
export function provenanceText(facts: ProvenanceFacts): string {
  const { program, node, argv, release, dataset, identity, mac, input, output, summary } = facts
  const plans = facts.plans.map(planRecord)
  const record = {
    format: FORMAT,
    hla: program,
    node,
    argv,
    options: facts.options,
    ...(facts.plans.length === 1 ? { plan: plans[0] } : { plans }),
    data: {
      release,
      dataset,
      data_id: dataIdText(identity),
      mac: mac ?? null,
      files: identity.files,
      ...describePeculiarities(identity),
    },
    input,
    ...(facts.inputs && { inputs: facts.inputs }),
    output,
    ...(facts.report && { report: facts.report }),
    summary,
    started: facts.started.toISOString(),
    ended: facts.ended.toISOString(),
    exit: facts.exit,
  }
  return formatRecord({ ...record, [DIGEST]: digestRecord(record) })
}

/** Last member: sha256 of the record without it. */
const DIGEST = 'record_sha256'

function formatRecord(record: object): string {
  return `${JSON.stringify(record, null, 2)}\n`
}

function digestRecord(record: object): string {
  return createHash('sha256').update(formatRecord(record)).digest('hex')
}

function planRecord({ header, groups, idColumn, unread, workbook, source }: TablePlan): object {
  const label = (column: number) => header.labels[column]
  return {
    ...(workbook === undefined ? {} : { sheet: workbook.sheet }),
    columns: header.width,
    id: idColumn === undefined ? null : label(idColumn),
    ...(source === undefined
      ? {}
      : { made_of: { ...source, past: undefined, releases: Object.fromEntries(source.releases) } }),
    typings: groups.map(({ subject, locus, columns, context, hasDigits }) => ({
      ...(subject === '' ? {} : { subject }),
      locus: locus ?? null,
      columns: columns.map(label),
      ...(hasDigits ? { bare_digits: context.digits } : {}),
      ...joinedRecord(context.joined),
    })),
    unread: unreadRecords(unread, header, 'command-line'),
  }
}

function joinedRecord(joined: TablePlan['groups'][number]['context']['joined']): object {
  if (joined?.kind === 'split') return { cell_separator: joined.separator }
  return joined?.kind === 'phenotype'
    ? { phenotypes: true, bare_digits: Object.fromEntries(joined.digits) }
    : {}
}

/** Checkable parts of a record. */
export interface WrittenProvenance {
  readonly hla: string
  readonly argv: readonly string[]
  readonly options: unknown
  readonly release: string
  /** undefined for the starter set. */
  readonly dataId: string | undefined
  readonly input: FileIdentity
  /** Files that make up the input; undefined for a single one. */
  readonly inputs: readonly FileIdentity[] | undefined
  readonly output: FileIdentity
  readonly report: FileIdentity | undefined
  /** True when the record is unchanged; undefined when it has no digest. */
  readonly isIntact: boolean | undefined
}

/** @throws {HlaError} io — not a provenance record, or of another version */
export function readProvenance(text: string, name: string): WrittenProvenance {
  const record = asFields(parsed(text))
  const data = asFields(record['data'])
  const { format, hla, argv, options } = record
  const { release, data_id: dataId } = data
  const input = readIdentity(record['input'])
  const inputs = readIdentities(record['inputs'])
  const output = readIdentity(record['output'])
  const { [DIGEST]: digest, ...rest } = record
  const isIntact = digest === undefined ? undefined : digest === digestRecord(rest)
  if (
    format === FORMAT &&
    typeof hla === 'string' &&
    isTexts(argv) &&
    typeof release === 'string' &&
    (typeof dataId === 'string' || dataId === undefined) &&
    input !== undefined &&
    output !== undefined
  )
    return {
      hla,
      argv,
      options,
      release,
      dataId,
      input,
      inputs,
      output,
      report: readIdentity(record['report']),
      isIntact,
    }
  throw new HlaError('io', `${name} is not a provenance file of this version of hla`, {
    offending: name,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // text that is not JSON is not a provenance record
    return undefined
  }
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function readIdentities(value: unknown): FileIdentity[] | undefined {
  if (!Array.isArray(value)) return undefined
  const read = value.flatMap((one) => readIdentity(one) ?? [])
  // refuses the list when one entry is invalid
  return read.length === value.length ? read : undefined
}

function readIdentity(value: unknown): FileIdentity | undefined {
  const { name, bytes, sha256 } = asFields(value)
  if (typeof name !== 'string' || typeof bytes !== 'number' || typeof sha256 !== 'string') return undefined
  return { name, bytes, sha256 }
}
