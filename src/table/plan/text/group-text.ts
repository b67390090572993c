/** How the columns of a locus are read, as one line of a plan, with examples. */
import { isHlaError } from '../../../errors.ts'
import { findAntigen } from '../../cells/digits.ts'
import { type Joined, splitCell } from '../../cells/joined/joined.ts'
import { DRB345_TITLE } from '../locus-spellings.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../plan.ts'
import { type TypingShape, recognizeShape } from '../typing-shape.ts'

export const NAME = 11
export const COLUMNS = 17
const KIND = 28
const GAP = '      '
const MOST_EXAMPLES = 3
const LONGEST = 60

/** At least two spaces stand between. */
export function pad(text: string, width: number): string {
  return text.padEnd(Math.max(width, text.length + 2))
}

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

export function groupLine(group: PlannedGroup, { header }: TablePlan): string {
  const name = groupTitle(group)
  const columns = group.columns.map((column) => header.labels[column] ?? '').join(' ')
  return `${pad(name, NAME)}${pad(columns, COLUMNS)}${pad(describeKinds(group), KIND)}${chooseExamples(group).join(GAP)}`.trimEnd()
}

/** `donor A`, `GL` */
export function groupTitle({ subject, locus, among }: PlannedGroup): string {
  const title = locus ?? (among === undefined ? 'GL' : DRB345_TITLE)
  return [subject, title].filter((part) => part !== '').join(' ')
}

const SHAPE_TITLES: Readonly<Record<Exclude<TypingShape, 'digits'>, string>> = {
  fields: 'fields, no locus',
  named: 'names with locus',
  antigen: 'antigens',
  pair: 'several typings a cell',
  phenotype: 'phenotypes',
  other: 'other',
}

const DIGIT_TITLES = {
  antigen: 'bare digits -> antigen',
  'first-field': 'bare digits -> first field',
  v2: 'bare digits -> v2 names',
  mixed: 'bare digits -> by length',
  error: 'bare digits -> undecided',
} as const

function describeKinds({ locus, values, hasDigits, context }: PlannedGroup): string {
  if (values.length === 0) return 'no typing yet'
  const joined = describeJoined(context.joined)
  if (locus === undefined && joined !== undefined) return joined
  if (locus === undefined)
    return values.some((value) => /[\^+|]/.test(value)) ? 'GL Strings' : 'names with locus'
  const separator = context.joined?.kind === 'split' ? context.joined.separator : undefined
  const typings = separator === undefined ? values : values.flatMap((value) => splitCell(value, separator))
  const shapes = new Set(typings.map(recognizeShape))
  const titles = (['fields', 'named', 'antigen', 'pair', 'other'] as const)
    .filter((shape) => shapes.has(shape))
    .map((shape) => SHAPE_TITLES[shape])
  const genotypes = values.some((value) => value.includes('+')) ? ['genotypes'] : []
  return [
    ...(joined === undefined ? [] : [joined]),
    ...(hasDigits ? [DIGIT_TITLES[context.digits]] : []),
    ...genotypes,
    ...titles,
  ].join('; ')
}

function describeJoined(joined: Joined | undefined): string | undefined {
  if (joined?.kind === 'phenotype') return 'phenotypes'
  return joined?.kind === 'split' ? `two typings a cell, split at "${joined.separator}"` : undefined
}

/** The first value, and one for each other way that values of the sample are read. */
function chooseExamples(group: PlannedGroup): string[] {
  const byWay = new Map<string, string[]>()
  for (const value of group.values) {
    const way = describeWay(value, group)
    byWay.set(way, [...(byWay.get(way) ?? []), value])
  }
  const ways = [...byWay].map(([way, values]) => (way === 'plain' ? (values[0] ?? '') : findSmallest(values)))
  return ways.slice(0, MOST_EXAMPLES).map((value) => formatExample(value, group))
}

function describeWay(value: string, { context }: PlannedGroup): string {
  const read = tryRead(value, context)
  if (read instanceof Error) return isHlaError(read) ? read.code : 'error'
  return read.kind === 'token' ? read.status : (read.notes[0]?.code ?? 'plain')
}

function findSmallest(values: readonly string[]): string {
  return [...values].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? ''
}

function formatExample(value: string, { context, locus }: PlannedGroup): string {
  const read = tryRead(value, context)
  if (read instanceof Error) return `${shorten(value)} -> error: ${shorten(read.message)}`
  if (read.kind === 'token') return `${shorten(value)} -> ${read.status}`
  const [note] = read.notes
  const antigen = locus === undefined ? undefined : findAntigen(value, locus)
  const why = note?.code === 'antigen-as-xx' && antigen !== undefined ? ` (no antigen ${antigen})` : ''
  return read.glString === value ? shorten(value) : `${shorten(value)} -> ${shorten(read.glString)}${why}`
}
