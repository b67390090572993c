/** Distinct typings of a table, each at its first occurrence, and cells that cannot be read. */
import { HlaError, isHlaError } from '../../errors.ts'
import { readCell } from '../cells/cells.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { TypedRow } from './read-rows.ts'

/** A typing, or why a cell or row has none; with its place. */
export type FoundTyping = ({ readonly glString: string } | { readonly error: HlaError }) & {
  /** Reports the cell or row. */
  readonly fail: (error: HlaError) => void
}

export interface TypingFinder {
  /** New distinct typings of the rows, in the order of the table. */
  readonly take: (rows: readonly TypedRow[]) => readonly FoundTyping[]
  /** false when memory ran out and some typings may have been found twice. */
  readonly isExact: () => boolean
}

/** `release`: that of the names in the table, `3.58.0`. */
export function typingFinder(release: string): TypingFinder {
  const seen = boundedSet()
  const foundIn = (row: TypedRow): readonly FoundTyping[] => {
    if (row.error !== undefined) return [{ error: row.error, fail: row.fail }]
    return row.cells
      .filter(({ group, value }) => seen.isNew(`${group.contextKey}\n${value}`))
      .map(({ group, column, value, error: unread }) => {
        const found = unread === undefined ? typingIn(value, group, release) : { error: unread }
        return { ...found, fail: (error: HlaError) => row.fail(error, { column, locus: group.locus ?? '', value }) } // prettier-ignore
      })
      .filter((found) => 'error' in found || (found.glString !== '' && seen.isNew(found.glString)))
  }
  return { take: (rows) => rows.flatMap(foundIn), isExact: seen.isExact }
}

/** Maximum number of texts remembered; only tables of whole GL Strings reach it. */
const MAX_KEPT = 1_000_000

function boundedSet() {
  const texts = new Set<string>()
  let isExact = true
  return {
    isExact: () => isExact,
    isNew(text: string): boolean {
      if (texts.has(text)) return false
      if (texts.size >= MAX_KEPT) {
        texts.clear()
        isExact = false
      }
      texts.add(text)
      return true
    },
  }
}

/** An empty `glString` for a cell without a typing. */
function typingIn(
  text: string,
  { context }: PlannedGroup,
  release: string,
): { glString: string } | { error: HlaError } {
  try {
    const read = readCell(text, context)
    if (read.kind === 'token') return { glString: '' }
    if (read.release === undefined || read.release === release) return { glString: read.glString }
    const message = `the names are of ${read.release}, but the comparison uses ${release}`
    return { error: new HlaError('unknown-allele', message, { offending: text }) }
  } catch (error) {
    if (isHlaError(error)) return { error }
    throw error
  }
}
