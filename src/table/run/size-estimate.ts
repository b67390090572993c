/** Size of a conversion's output, estimated from the rows of the plan: codes and antigens become long lists. */
import { advice, clause, type Face, messageText, option } from '../../advice.ts'
import { isHlaError } from '../../errors.ts'
import { type AnswerRequest, makeAnswers, type RememberedAnswers } from '../cells/answers.ts'
import { readable } from '../input/encoding.ts'
import { countBytes } from '../input/read-table.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { type PlannedGroup, tryRead, isBodyRow } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { type TableJob, answerRequest } from './table-job.ts'

export interface SizeEstimate {
  /** Output to input. */
  readonly ratio: number
  /** Total bytes; undefined when the input's size is unknown. */
  readonly bytes: number | undefined
  /** Output bytes of the sampled rows. */
  readonly sampled: number
  /** Kinds of typings, named as in `--keep`, that cause most of the growth; empty when they cause little. */
  readonly kinds: readonly GrowingKind[]
}

export type GrowingKind = 'serology' | 'xx' | 'mac'

/** Ratio above which the causes are reported. */
export const LARGE_RATIO = 10

export interface SizeQuestion extends AnswerRequest {
  readonly writing: WriteRequest
  /** Stored bytes of the input. */
  readonly size: number | undefined
}

/** Maximum number of typings asked about, in order. */
const MAX_ASKED = 60
/** Minimum share of the growth that is reported. */
const MIN_SHARE = 0.1

/** undefined when nothing in the sample grows. A remote service receives the sample in one request. */
export async function estimateSize(
  table: OpenTable,
  question: SizeQuestion,
): Promise<SizeEstimate | undefined> {
  if (!table.plan.groups.some(mayGrow)) return undefined
  const sample = sampledValues(table)
  const answers = makeAnswers(question)
  try {
    await answers.ahead?.prepare(sample.filter(({ kind }) => kind !== undefined))
  } catch (error) {
    // the conversion itself meets the error again
    if (isHlaError(error)) return undefined
    throw error
  }
  const added = new Map<GrowingKind | 'other', number>()
  const columns = question.writing.into === 'none' ? 0 : question.inputs.length
  const gl = question.writing.glOut === undefined ? 0 : question.inputs.length
  let isGrowing = false
  for (const { value, count, group, kind } of sample) {
    const one = kind === undefined ? undefined : askedLength(value, group, answers)
    if (kind !== undefined && one !== undefined) isGrowing = true
    const results = one ?? (value.length + 3) * question.inputs.length
    const length = (results * (columns + gl)) / Math.max(1, question.inputs.length)
    const key = kind !== undefined && one !== undefined ? kind : 'other'
    added.set(key, (added.get(key) ?? 0) + count * length)
  }
  if (!isGrowing) return undefined
  const before = Math.max(1, countBytes(table.first))
  const all = [...added.values()].reduce((sum, one) => sum + one, 0)
  const ratio = (before + all) / before
  const { compression, workbook } = table.input
  const isPlain = compression === undefined && workbook === undefined
  return {
    ratio,
    sampled: before + all,
    bytes: isPlain && question.size !== undefined ? ratio * question.size : undefined,
    kinds: KINDS.filter((kind) => (added.get(kind) ?? 0) > MIN_SHARE * all),
  }
}

const KINDS: readonly GrowingKind[] = ['serology', 'xx', 'mac']

interface Sampled {
  readonly value: string
  count: number
  readonly group: PlannedGroup
  readonly kind: GrowingKind | undefined
}

/** Distinct values with their counts; those not asked about count as not growing. */
function sampledValues({ first, plan, dialect }: OpenTable): Sampled[] {
  const byContext = new Map(plan.groups.map(({ contextKey }) => [contextKey, new Map<string, Sampled>()]))
  const columns = plan.groups.flatMap((group) => {
    const found = byContext.get(group.contextKey)
    return found === undefined ? [] : group.columns.map((column) => ({ column, group, found }))
  })
  let asked = 0
  for (const row of first) {
    if (!isBodyRow(row, plan)) continue
    for (const { column, group, found } of columns) {
      const value = readable(row.values[column] ?? '', dialect.encoding)
      const known = found.get(value)
      if (known !== undefined) {
        known.count += 1
        continue
      }
      const kind = asked < MAX_ASKED ? growingKind(value, group) : undefined
      if (kind !== undefined) asked += 1
      found.set(value, { value, count: 1, group, kind })
    }
  }
  return [...byContext.values()].flatMap((found) => [...found.values()])
}

const ANTIGEN = /(?:^|[\^?|+~/])(?:HLA-)?[A-Z]+w?\d+(?=$|[\^?|+~/])/
const XX = /:XX(?=$|[\^?|+~/])/
const MAC = /:[A-Z]{2,}(?=$|[\^?|+~/])/

/** Only texts that match, or consist of digits, can grow. */
const MAY_GROW = /:[A-Z]{2}|(?:^|[^\w:*])(?:HLA-)?[A-Z]+\d+(?![\w*])/i

/** Tests the sample of the plan: most tables contain nothing that grows, and their rows are not read again. */
function mayGrow(group: PlannedGroup): boolean {
  const { values, hasDigits, context } = group
  return hasDigits || context.joined !== undefined || values.some((value) => MAY_GROW.test(value))
}

function growingKind(value: string, { context, hasDigits }: PlannedGroup): GrowingKind | undefined {
  if (!hasDigits && context.joined === undefined && !MAY_GROW.test(value)) return undefined
  const read = tryRead(value, context)
  if (read instanceof Error || read.kind === 'token') return undefined
  const { glString } = read
  if (ANTIGEN.test(glString)) return 'serology'
  if (XX.test(glString)) return 'xx'
  return MAC.test(glString) ? 'mac' : undefined
}

/** Length of all results; undefined when there are none, or none that tells. */
function askedLength(value: string, group: PlannedGroup, answers: RememberedAnswers): number | undefined {
  try {
    const { results, error } = answers.of(value, group)
    if (error !== undefined) return undefined
    return results.reduce((sum, result) => sum + result.length, 0)
  } catch (error) {
    // the conversion itself meets the error again
    if (isHlaError(error)) return undefined
    throw error
  }
}

/** `about 34 MB, 16 times the input`, and the causes. */
export function estimateText(
  { ratio, bytes, kinds }: SizeEstimate,
  canKeep: boolean,
  face: Face = 'command-line',
): string {
  const times = ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)
  const size = `about ${bytes === undefined ? '' : `${sizeText(bytes)}, `}${times} times the input`
  if (ratio < LARGE_RATIO || kinds.length === 0) return size
  const what = kinds.map((kind) => KIND_TITLES[kind]).join(' and ')
  const keep = canKeep ? clause`; ${option('keep', kinds.join(','))} leaves them as they are` : ''
  return messageText(advice`${size}: ${what} become long lists${keep}`, face)
}

const KIND_TITLES: Readonly<Record<GrowingKind, string>> = {
  serology: 'antigens',
  xx: 'XX codes',
  mac: 'multiple allele codes',
}

function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const shown = bytes / 1000 ** power
  return `${shown < 10 && power > 0 ? shown.toFixed(1) : shown.toFixed(0)} ${units[power]}`
}

type Sized = Pick<TableJob, 'answering' | 'operation' | 'inputs' | 'options' | 'source' | 'face'>

/** Ratio below which the output is about as long as names with their loci. */
const WORTH_A_LINE = 3
/** Bytes below which size does not matter. */
const SMALL = 1_000_000

/** Text for the plan; undefined when the output is about as large as the input. */
export async function outputSize(job: Sized, table: OpenTable): Promise<string | undefined> {
  const estimate = await estimateFor(job, table)
  return estimate === undefined || estimate.ratio < WORTH_A_LINE
    ? undefined
    : estimateText(estimate, canKeep(job), job.face)
}

/** Warning for a conversion without a plan, before it fills a disk. A remote service is not asked twice. */
export async function largeOutput(job: Sized, table: OpenTable): Promise<string | undefined> {
  if (job.answering.executor.ahead !== undefined) return undefined
  const estimate = await estimateFor(job, table)
  if (estimate === undefined || estimate.ratio < LARGE_RATIO) return undefined
  if ((estimate.bytes ?? estimate.sampled) < SMALL) return undefined
  return `the output will be ${estimateText(estimate, canKeep(job), job.face)}`
}

function estimateFor(job: Sized, table: OpenTable): Promise<SizeEstimate | undefined> {
  const { options, source } = job
  return estimateSize(table, { ...answerRequest(job), writing: options.writing, size: source.size })
}

function canKeep({ operation }: Sized): boolean {
  return 'options' in operation.input.properties
}
