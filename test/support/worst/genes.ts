/** Parts of requests, so that one part can be changed: the search for the worst request creates and varies them. */
import { LENIENCIES } from '../../../src/engine/accept.ts'
import { METHOD_NAMES } from '../../../src/engine/reduce/methods.ts'
import { LAYOUTS } from '../../../src/table/plan/layouts.ts'

type Random = () => number

export interface Genes {
  readonly kind: Kind
  readonly unit: string
  readonly joint: string
  /** Approximate number of bytes. */
  readonly size: number
  /** For a query: a method or a leniency. */
  readonly option: string
  /** For a query: its path, and the form of the input made from unit and joint if it is not a GL String. */
  readonly path: string
  readonly shape: Shape
  /** For a table: query parameters. */
  readonly query: Readonly<Record<string, string>>
}

export const KINDS = [
  'question', 'accept', 'options', 'json', 'large', 'in-path', 'in-query', 'headers', 'batch', 'batch-line', 'batch-json',
  'table', 'table-rows', 'table-row', 'table-columns', 'table-unknown', 'table-unknown-gl', 'table-quoted', 'table-gl', 'table-packed',
  'table-workbook', 'table-wide', 'table-wide-packed',
] as const // prettier-ignore
export type Kind = (typeof KINDS)[number]

export const SHAPES = [
  'deep',
  'deep-object',
  'members',
  'numbers',
  'number',
  'escapes',
  'texts',
  'not-utf8',
] as const
export type Shape = (typeof SHAPES)[number]

export const UNITS = [
  'A*01:01', 'A*99:99', 'A*01:01:01:01', 'HLA-A*01:01', 'A*01:AB', 'B*57:XX', 'A2', 'DRB1*15:XX', 'A*', 'zzz', '', 'A', '1',
  'DPA1*99:01', 'MICA*999', 'A*02:ZZZZZ', '"', '"x"', 'A*01:01N', 'a*1:1', ' ', '01:01', '0101', 'ü', 'A_1', 'A_______', '*a',
  'DPB1*04:XX', 'hla#3.58.0#A*01:01', 'hla#2018-06#A*01:01', 'Cw7', 'A*01:01:00', 'B*15:BPXH', '41:02', 'NNNN', '\0', '\ufeff',
] as const // prettier-ignore
export const JOINTS = [
  '/', '+', '^', '|', '~', ',', '\n', '\t', ' ', '":"', '', '..', ';', '\r', '\r\n', '%', '#', '\\',
] as const // prettier-ignore
export const SIZES = [10_000, 100_000, 1_000_000, 8_000_000, 32_000_000] as const

/** Paths of queries with a body. */
export const PATHS = [
  '/redux', '/explain', '/validate', '/mac', '/cwd-redux', '/lift', '/diff', '/blend',
] as const // prettier-ignore

/** Each option of a table, with expensive values. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  name: ['a.xlsx', 'a.tsv', 'a.pop', 'a.hped', 'a.glid', 'a.glc', 'a.csv.gz', 'x'.repeat(8000)],
  method: [...METHOD_NAMES, METHOD_NAMES.join(',')],
  accept: [...LENIENCIES, 'all'],
  columns: [`${'*a'.repeat(1000)}*b`, 'A_*,1..last,'.repeat(200), '1..last', 'A*', '*', '1,'.repeat(3000)],
  exclude: [`${'*a'.repeat(1000)}*b`, 'A_1', '1..last', '?*'.repeat(1000), 'A_*,'.repeat(1000)],
  gl: ['1', '2', '1..last', '*'],
  locus: ['A=1,2', 'A=2,3 B=2,3', Array.from({ length: 500 }, () => 'A=1,2').join(' ')],
  header: ['false', 'true'],
  delimiter: ['auto', 'tab', 'pipe', 'space', ';', ':', '"'],
  layout: Object.keys(LAYOUTS),
  ragged: ['error', 'pad'],
  bare_digits: ['auto', 'two', 'four', 'serology'],
  gl_out: ['gl'],
  into: ['after', 'replace', 'append', 'none'],
  on_error: ['blank', 'keep', 'report'],
}

export function randomGenes(random: Random, largest: number): Genes {
  return {
    kind: pick(KINDS, random),
    unit: pick(UNITS, random),
    joint: pick(JOINTS, random),
    size: Math.min(pick(SIZES, random), largest),
    option: pick([...METHOD_NAMES, ...LENIENCIES, 'all', ''], random),
    path: pick(PATHS, random),
    shape: pick(SHAPES, random),
    query: Object.fromEntries(
      Object.entries(OPTIONS).flatMap(([name, values]) =>
        random() < 0.15 ? [[name, pick(values, random)]] : [],
      ),
    ),
  }
}

/** The genes with one part changed. */
export function neighbourOf(genes: Genes, random: Random, largest: number): Genes {
  const other = randomGenes(random, largest)
  const part = pick(['unit', 'joint', 'size', 'option', 'path', 'shape', 'query'] as const, random)
  return { ...genes, [part]: other[part] }
}

function pick<T>(from: readonly T[], random: Random): T {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new Error('there is nothing to pick from')
  return found
}
