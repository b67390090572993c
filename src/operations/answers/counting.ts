/** Counts as records and rows, and the questions about the typings that are counted. */
import { COUNT_KINDS, type Counted, type CountRow, type Possibilities } from '../../engine/count.ts'
import { HlaError, type Note } from '../../errors.ts'
import { cutFields } from '../../nomenclature/allele.ts'
import type { OperationRequest } from '../operation-request.ts'
import { object, type ValueOf } from '../schema.ts'

export const COUNT_SCHEMA = object(['locus', 'kind', 'name', 'typings', 'persons'], {
  population: { type: 'string' },
  locus: { type: 'string', description: 'DRB345 is DRB3, DRB4 and DRB5' },
  kind: {
    type: 'string',
    enum: COUNT_KINDS,
    description:
      'name; null: an allele that is not expressed; ambiguous: several possibilities; absent: no such gene; untyped; unread: cannot be read',
  },
  name: { type: 'string', description: 'allele, genotype or category; empty for other kinds' },
  typings: { type: 'integer', description: 'copies: a homozygous person has two' },
  persons: { type: 'integer' },
  share: {
    type: 'string',
    description: 'with share: copies, with each ambiguous one divided equally among its possibilities',
  },
})

export type CountRecord = ValueOf<typeof COUNT_SCHEMA>

export interface CountColumns {
  readonly withPopulation: boolean
  readonly withShare: boolean
}

export function countColumns({ withPopulation, withShare }: CountColumns): readonly string[] {
  const columns = ['locus', 'kind', 'name', 'typings', 'persons']
  return [...(withPopulation ? ['population'] : []), ...columns, ...(withShare ? ['share'] : [])]
}

export function countRecord(
  { population, locus, kind, name, typings, persons, share }: CountRow,
  { withPopulation, withShare }: CountColumns,
): CountRecord {
  return {
    ...(withPopulation && { population }),
    locus,
    kind,
    name,
    typings,
    persons,
    ...(withShare && { share: isShared(kind) ? shareText(share) : '' }),
  }
}

function isShared(kind: CountRow['kind']): boolean {
  return kind === 'name' || kind === 'null'
}

/** Sums of fractions, without the noise of their last digits. */
function shareText(share: number): string {
  return String(Number(share.toFixed(6)))
}

export function countCells(
  { population = '', locus, kind, name, typings, persons, share = '' }: CountRecord,
  { withPopulation, withShare }: CountColumns,
): readonly string[] {
  const cells = [locus, kind, name, String(typings), String(persons)]
  return [...(withPopulation ? [population] : []), ...cells, ...(withShare ? [share] : [])]
}

/** Question whose answer says what a typing may be. `input`: that of `count`. */
export function countQuestion(
  text: string,
  { of, catalogue, reduction_method, options, from, lift, accept }: Readonly<Record<string, unknown>>,
): OperationRequest {
  const reading = defined({ from, lift, accept })
  if (of === 'categories')
    return {
      operation: 'cwd',
      input: { gl_string: text, category: true, ...defined({ catalogue }), ...reading },
    }
  const asked = defined({ reduction_method, options })
  return { operation: 'redux', input: { gl_string: text, copies: true, ...asked, ...reading } }
}

function defined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Output of `redux` or `cwd`, as `countQuestion` asks. */
export interface CountAnswer {
  readonly copies?:
    | readonly (readonly {
        readonly names: string
        readonly expressed: string
        readonly nulls: string
      }[])[]
    | undefined
  readonly names?: readonly { readonly category: string }[] | undefined
  readonly notes?:
    | readonly (Pick<Note, 'code' | 'message'> & {
        readonly losses?: readonly { readonly name: string }[] | undefined
      })[]
    | undefined
}

/** @throws {HlaError} unknown-allele, starter — a name that the release lacks, or may lack, is of no category */
export function readPossibilities(of: Counted, output: CountAnswer): Possibilities {
  if (of === 'categories') {
    for (const code of ['unknown-allele', 'starter'] as const) {
      const unknown = output.notes?.find((note) => note.code === code)
      if (unknown !== undefined) throw new HlaError(code, unknown.message)
    }
    return { names: (output.names ?? []).map(({ category }) => category), nulls: [] }
  }
  const [[copy] = []] = output.copies ?? []
  const { names = '', expressed = '', nulls = '' } = copy ?? {}
  if (expressed === '' && nulls !== '') return { names: [], nulls: nulls.split('/').map(nullName) }
  // nulls that a list or code names beside expressed alleles; nulls below a single typed name were not meant
  const lost = (output.notes ?? []).flatMap(({ losses = [] }) => losses.map(({ name }) => name))
  return { names: names.split('/'), nulls: lost.filter((name) => /\dN$/.test(name)).map(nullName) }
}

/** `A*24:09N`, whatever the fields. */
function nullName(allele: string): string {
  return `${cutFields(allele.replace(/N$/, ''), 2)}N`
}
