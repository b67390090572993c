/** Rows of the gathered table: the person, what is known of it, and two columns a locus. */
import { HlaError } from '../../../../errors.ts'
import type { Dialect } from '../../dialect.ts'
import { unquoteField } from '../../split-row.ts'
import type { LocusTypings, Person, Typed } from './person.ts'
import type { Places } from './places.ts'
import { allTypings, SURPLUS_SIGN, surplusError } from './surplus.ts'

export interface TableColumns {
  readonly person: string
  /** `at`: among what is said of a person. */
  readonly facts: readonly { readonly name: string; readonly at: number }[]
  readonly loci: readonly string[]
  readonly scores: readonly string[]
  readonly dialect: Dialect
  readonly hasFiles: boolean
  readonly hasPaths: boolean
}

/** The columns of a locus, counted from 0. */
export function locusColumns({ facts, loci, scores }: TableColumns): readonly (readonly [string, number])[] {
  const width = 2 + 2 * scores.length
  return loci.map((locus, at) => [locus, 1 + facts.length + at * width])
}

export function columnNames({ person, facts, loci, scores }: TableColumns): string[] {
  const ofLocus = (locus: string) => [
    `${locus}_1`,
    `${locus}_2`,
    ...[1, 2].flatMap((slot) => scores.map((name) => `${locus}_${slot}_${name}`)),
  ]
  return [person, ...facts.map(({ name }) => name), ...loci.flatMap(ofLocus)]
}

export interface RowMaker {
  readonly head: () => string
  readonly row: (person: Person) => string
}

export function rowMaker(columns: TableColumns, places: Places): RowMaker {
  const { dialect, facts, loci, scores, hasPaths } = columns
  const known = new Set(loci)
  let line = 1
  const write = (cells: readonly string[]) => {
    const text = cells.map((cell) => unquoteField(cell, dialect) ?? '').join(dialect.delimiter)
    line += 1 + (text.includes('\n') ? text.split('\n').length - 1 : 0)
    return text + dialect.eol
  }
  /** Too short to be read: the only such rows of a table that was made. */
  const faultyRow = ({ name, file, line: at, fault }: Person) => {
    places.put(line, { file: file.name, line: at, lines: [], paths: undefined, errors: undefined, fault })
    return write([name, ''])
  }
  return {
    head: () => write(columnNames(columns)),
    row(person) {
      if (person.fault !== undefined) return faultyRow(person)
      refuseLate(person, known, columns)
      const cells = [person.name, ...facts.map(({ at }) => person.facts[at]?.join(';') ?? '')]
      const lines: (number | undefined)[] = []
      const paths: (string | undefined)[] | undefined = hasPaths ? [] : undefined
      let errors: Map<number, HlaError> | undefined
      for (const locus of loci) {
        const typings = person.loci.get(locus)
        const [first, second] = [typings?.first, typings?.second]
        if (typings?.surplus !== undefined) {
          errors ??= new Map()
          errors.set(cells.length, surplusError(person, locus, typings))
        }
        if (paths !== undefined) {
          paths[cells.length] = first?.path
          paths[cells.length + 1] = second?.path
        }
        lines[cells.length] = first?.line
        lines[cells.length + 1] = second?.line
        if (typings?.surplus === undefined) cells.push(first?.text ?? '', second?.text ?? '')
        else
          cells.push(
            allTypings(typings)
              .map(({ text }) => text)
              .join(SURPLUS_SIGN),
            '',
          )
        if (scores.length > 0) cells.push(...typingScores(typings, scores))
      }
      places.put(line, { file: person.file.name, line: person.line, lines, paths, errors })
      return write(cells)
    },
  }
}

/** Those of the first, then of the second; as the typings stand in one cell when there are too many, so do theirs. */
function typingScores(typings: LocusTypings | undefined, scores: readonly string[]): string[] {
  if (typings?.surplus === undefined)
    return [...scoresIn(typings?.first, 0, scores), ...scoresIn(typings?.second, 1, scores)]
  const all = allTypings(typings).map((typed) => scoresIn(typed, 0, scores))
  return [
    ...scores.map((_, at) => all.map((one) => one[at] ?? '').join(SURPLUS_SIGN)),
    ...scores.map(() => ''),
  ]
}

function scoresIn(typed: Typed | undefined, slot: 0 | 1, scores: readonly string[]): string[] {
  return scores.map((_, at) => {
    const from = typed?.file.scores[at]?.[slot]
    return from === undefined ? '' : (typed?.values[from] ?? '')
  })
}

/** @throws {HlaError} usage */
function refuseLate(person: Person, known: ReadonlySet<string>, { loci, hasFiles }: TableColumns): void {
  for (const [locus, { first, second }] of person.loci) {
    if (known.has(locus)) continue
    const { line = person.line } = first ?? second ?? {}
    const place = hasFiles ? `${person.file.name}:${line}` : `line ${line}`
    throw new HlaError('usage', `${place}: no column was made for locus ${locus}`, {
      offending: locus,
      hint: `name all loci: --table-loci ${[...loci, locus].join(',')}`,
    })
  }
}
