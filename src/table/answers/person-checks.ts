/** Warnings on valid typings that are unlikely in one person, across the columns of a row: DRB3, DRB4 and DRB5. */
import { DRBX_GENES } from '../../engine/blend.ts'
import { findImplausible } from '../../engine/validate/plausibility.ts'
import type { Note } from '../../errors.ts'
import { parseGlString } from '../../nomenclature/gl-string.ts'
import { respellVersion2 } from '../../nomenclature/version2.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../plan/plan.ts'
import type { AnswerRequest, CellAnswer } from './answers.ts'

/** Decoded value of a column; undefined when its typing is not valid. */
export type ValidValue = (column: number) => string | undefined

export interface PersonChecks {
  /** For each person of a row, the columns that are compared. */
  readonly persons: readonly (readonly number[])[]
  /** False when a person has a warning; `person` is an index in `persons`. */
  readonly isPlausible: (person: number, valueOf: ValidValue) => boolean
  /** Adds the warnings of a row to its answers. `values`: decoded, by column. */
  readonly warn: (answers: Map<number, CellAnswer>, values: ReadonlyMap<number, string>) => void
}

/** undefined when nothing is compared: not requested, or the table lacks the genes. */
export function personChecks(
  { groups }: Pick<TablePlan, 'groups'>,
  { operation, inputs }: Pick<AnswerRequest, 'operation' | 'inputs'>,
): PersonChecks | undefined {
  const { checksPersons, warned } = operation.cells
  // each input belongs to the operation
  if (inputs.every((input) => checksPersons?.(input as never) !== true)) return undefined
  const found = [...new Set(groups.map(({ subject }) => subject))]
    .map((subject) => groups.filter((group) => group.subject === subject && isCompared(group)))
    .filter(isComparable)
  if (found.length === 0) return undefined
  const fill = (results: readonly string[], warning: Note) =>
    warned?.(results, warning, (inputs[0] ?? {}) as never) ?? results
  return {
    persons: found.map((own) => own.flatMap(({ columns }) => columns)),
    isPlausible: (person, valueOf) => findWarnings(found[person] ?? [], valueOf).size === 0,
    warn(answers, values) {
      const valueOf = (column: number) =>
        answers.get(column)?.status === 'ok' ? values.get(column) : undefined
      for (const groups of found)
        for (const [column, warnings] of findWarnings(groups, valueOf)) {
          const answer = answers.get(column)
          if (answer !== undefined) answers.set(column, withWarnings(answer, warnings, fill))
        }
    },
  }
}

function withWarnings(
  answer: CellAnswer,
  warnings: readonly Note[],
  fill: (results: readonly string[], warning: Note) => readonly string[],
): CellAnswer {
  const [first] = warnings
  const { results } = answer
  const shown = first === undefined ? results : fill(results, first)
  return { ...answer, notes: [...answer.notes, ...warnings], results: shown.slice(0, results.length) }
}

function isCompared(group: PlannedGroup): boolean {
  return group.locus === 'DRB1' || isDrbx(group)
}

function isDrbx({ locus, among }: PlannedGroup): boolean {
  return DRBX_GENES.some((gene) => gene === locus || among?.includes(gene) === true)
}

/** DRB1 and one of the other genes, or several of these. */
function isComparable(groups: readonly PlannedGroup[]): boolean {
  return groups.length > 1 && groups.some(isDrbx)
}

interface Copy {
  readonly column: number
  readonly glString: string
}

function findWarnings(
  groups: readonly PlannedGroup[],
  valueOf: ValidValue,
): ReadonlyMap<number, readonly Note[]> {
  const found = new Map<number, Note[]>()
  const loci = groups.map((group) => readCopies(group, valueOf)).filter((copies) => copies.length > 0)
  if (loci.length < 2 || loci.some(isOpen)) return found
  let text = ''
  const starts: { readonly start: number; readonly column: number }[] = []
  for (const [at, copies] of loci.entries()) {
    for (const [copy, { column, glString }] of copies.entries()) {
      text += copy > 0 ? '+' : at > 0 ? '^' : ''
      starts.push({ start: text.length, column })
      text += glString
    }
  }
  for (const { position, ...note } of findImplausible(parseGlString(text), respell)) {
    const column = starts.findLast(({ start }) => start <= (position?.[0] ?? 0))?.column
    if (column !== undefined) found.set(column, [...(found.get(column) ?? []), note])
  }
  return found
}

/** Inserts the colons of a name from before 2010; only its first field, the first two digits, is used. */
function respell(name: string): string {
  return name.includes(':') ? name : respellVersion2(name)
}

function readCopies({ columns, context }: PlannedGroup, valueOf: ValidValue): Copy[] {
  return columns.flatMap((column) => {
    const value = valueOf(column)
    const read = value === undefined ? undefined : tryRead(value, context)
    if (read === undefined || read instanceof Error || read.kind === 'token') return []
    return [{ column, glString: read.glString }]
  })
}

/** Possible genotypes in one of two columns belong to neither copy. */
function isOpen(copies: readonly Copy[]): boolean {
  return copies.length > 1 && copies.some(({ glString }) => /[|?^]/.test(glString))
}
