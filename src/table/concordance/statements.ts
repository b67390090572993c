/** What a file says of persons at their loci: each distinct statement once, under a number. */
import type { HlaError } from '../../errors.ts'

export interface TypedStatement {
  /** `typing`: possible alleles of one copy. `list`: possible genotypes of a locus, with `|`. */
  readonly kind: 'typing' | 'list'
  readonly glString: string
  /** That a GL String Code names. */
  readonly release: string | undefined
}

/** It cannot be compared. */
export interface BrokenStatement {
  readonly kind: 'fault'
  readonly text: string
  readonly error: HlaError
}

export type Statement =
  | TypedStatement
  | BrokenStatement
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** In place of a number: nothing is said. */
export const NOTHING_SAID = 0
/** The gene is not there. */
export const ABSENT = 1
/** It was typed, and the result is not known. */
export const UNKNOWN = 2

export interface Statements {
  readonly add: (statement: Statement) => number
  readonly get: (id: number) => Statement
  /** Of all of them. */
  readonly characters: () => number
}

const ALWAYS: readonly Statement[] = [{ kind: 'unknown' }, { kind: 'absent' }, { kind: 'unknown' }]

export function newStatements(): Statements {
  const all = [...ALWAYS]
  const known = new Map<string, number>()
  let characters = 0
  return {
    add(statement) {
      if (statement.kind === 'absent') return ABSENT
      if (statement.kind === 'unknown') return UNKNOWN
      const key = statementKey(statement)
      const found = known.get(key)
      if (found !== undefined) return found
      characters += key.length + (statement.kind === 'fault' ? OF_FAULT : 0)
      known.set(key, all.length)
      return all.push(statement) - 1
    },
    get(id) {
      const found = all[id]
      if (found === undefined) throw new Error(`there is no statement ${id}`)
      return found
    },
    characters: () => characters,
  }
}

/** An error with its advice counted as so many characters. */
const OF_FAULT = 1000

function statementKey(statement: TypedStatement | BrokenStatement): string {
  if (statement.kind === 'fault') return `!${statement.error.code} ${statement.text}`
  return statement.release === undefined ? statement.glString : `#${statement.release}#${statement.glString}`
}

/** As the file has it. */
export function statementText(statement: Statement): string {
  if (statement.kind === 'fault') return statement.text
  return 'glString' in statement ? statement.glString : statement.kind
}
