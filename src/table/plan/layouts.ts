/** Layouts of common file formats, by name or by the ending of the file's name. */
import type { LAYOUT_FORMATS } from '../../options/choices.ts'
import { fileEnding } from '../../io/file-ending.ts'
import { isLayout } from '../../options/table-values.ts'
import type { ColumnChoice } from './columns.ts'
import type { DialectHints } from '../input/dialect.ts'

export interface TableLayout extends ColumnChoice {
  readonly summary: string
  readonly delimiter?: string
  /** `find`: the first row that names loci; rows before it are copied unchanged. undefined: decided by content. */
  readonly header?: boolean | 'find'
  readonly comment?: DialectHints['comment']
  /** True when other files have the same ending; `keepFitting` decides. */
  readonly isDoubtful?: boolean
  /** Tokens that mean an absent gene at DRB3, DRB4 and DRB5. */
  readonly absentDrb345?: readonly string[]
}

type LayoutName = (typeof LAYOUT_FORMATS)[number]

const HPED_LOCI = ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1']

export const LAYOUTS: Readonly<Record<LayoutName, TableLayout>> = {
  pairs: { summary: 'two columns per locus, found by their names', header: true },
  'gl-columns': { summary: 'GL Strings in columns that are found by their content' },
  'wmda-lines': { summary: 'id%gl, no header', delimiter: '%', header: false, gl: '2', isExact: true },
  'haplomat-mac': {
    summary: 'Hapl-o-Mat: id and loci A A B B, tab-separated',
    delimiter: '\t',
    header: true,
  },
  'haplomat-glsc': {
    summary: 'Hapl-o-Mat: id and one genotype per column, loci in any order, no header',
    delimiter: '\t',
    header: false,
    columns: '2..last',
  },
  'haplomat-gls': {
    summary: 'Hapl-o-Mat: id;genotypes, no header',
    delimiter: ';',
    header: false,
    gl: '2',
    isExact: true,
  },
  pypop: {
    summary: 'PyPop: rows about the data first, tab-separated; 00:00 is absent at DRB3/4/5',
    delimiter: '\t',
    header: 'find',
    absentDrb345: ['00:00', '0000'],
  },
  hped: {
    summary: `HATK: six columns of a pedigree, then ${HPED_LOCI.join(' ')} twice each, no header`,
    header: false,
    loci: HPED_LOCI.map((locus, at) => `${locus}=${7 + 2 * at},${8 + 2 * at}`),
    isExact: true,
  },
  atlas: { summary: 'Atlas donors: *01:01 in A_1, A_2 and so on', header: true },
  '1000g': { summary: '1000 Genomes: HLA-A 1, HLA-A 2 or A A, lists with /', header: true },
  glsc: { summary: 'GL String Codes: hla#3.58.0#A*01:01+…' },
}

/** Ending of a file's name -> layout. */
const BY_ENDING: ReadonlyMap<string, LayoutName> = new Map([
  ['pop', 'pypop'],
  ['hped', 'hped'],
  ['glc', 'haplomat-glsc'],
  ['glsc', 'haplomat-glsc'],
  ['glid', 'haplomat-gls'],
])

/** Endings of HLA-TAPAS, and of every pedigree with genotypes of any kind. */
const PEDIGREES: ReadonlySet<string> = new Set(['chped', 'ped'])
const PEDIGREE_WIDTH = 6 + 2 * HPED_LOCI.length

/** Drops a layout that was chosen by the ending and does not fit the rows. */
export function keepFitting(
  layout: TableLayout | undefined,
  rows: readonly { readonly kind: string; readonly values: readonly string[] }[],
): TableLayout | undefined {
  if (layout?.isDoubtful !== true) return layout
  const values = rows.flatMap((row) => (row.kind === 'row' ? [row.values] : []))
  const isTyped = (cell: string) => /\d:\d|^\d{4,}$/.test(cell)
  const fits =
    values.every(({ length }) => length === PEDIGREE_WIDTH) &&
    values.some((row) => row.slice(6).some(isTyped))
  return fits ? layout : undefined
}

/** Layout of the named input format, else of the ending of the file's name. */
export function layoutFor(format: string | undefined, file: string): TableLayout | undefined {
  if (isLayout(format)) return LAYOUTS[format]
  const ending = fileEnding(file)
  if (PEDIGREES.has(ending)) return { ...LAYOUTS['hped'], summary: '', isDoubtful: true }
  const found = BY_ENDING.get(ending)
  return found && LAYOUTS[found]
}

const TABLES: ReadonlySet<string> = new Set(['csv', 'tsv', 'tab', 'xlsx', 'xlsm', ...BY_ENDING.keys()])

/** True for file names with a table's ending. */
export function isTableName(file: string): boolean {
  return TABLES.has(fileEnding(file))
}
