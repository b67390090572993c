/** Statements of a file about a locus of a person, each distinct one with a number. */
import { HlaError } from '../../errors.ts'

export interface LocusSlots {
  readonly first: number
  /** NOTHING_SAID when the first stands once or twice, or the gene has one copy. */
  readonly second: number
}

/** `ids`: in the order of the cells. */
export function makeSlots(ids: readonly number[], statements: Statements): LocusSlots {
  const [first = NO_STATEMENT] = ids
  if (ids.length === 1) return { first, second: NO_STATEMENT }
  const broken = ids.find((id) => statements.get(id).kind === 'fault')
  if (broken !== undefined) return { first: broken, second: NO_STATEMENT }
  const typed = ids.filter((id) => id !== ABSENT && id !== UNKNOWN)
  const text = () => ids.map((id) => statementText(statements.get(id))).join('+')
  const fault = (error: HlaError) => ({
    first: statements.add({ kind: 'fault', text: text(), error }),
    second: NO_STATEMENT,
  })
  if (ids.includes(UNKNOWN))
    return typed.length === 0 ? { first: UNKNOWN, second: NO_STATEMENT } : fault(halfKnown(text()))
  if (typed.length === 0) return { first: ABSENT, second: NO_STATEMENT }
  if (typed.length > 2 || (typed.length > 1 && typed.some((id) => statements.get(id).kind === 'list')))
    return fault(surplus(text()))
  const [one = NO_STATEMENT, other = NO_STATEMENT] = typed
  return { first: one, second: other }
}

function halfKnown(text: string): HlaError {
  return new HlaError(
    'bad-syntax',
    `${text}: one of the two typings is unknown, so the genotype cannot be compared`,
    {
      offending: text,
    },
  )
}

function surplus(text: string): HlaError {
  return new HlaError('surplus-typing', `${text}: more typings than a person has at a locus`, {
    offending: text,
  })
}

export interface TypedStatement {
  /** `typing`: possible alleles of one copy. `list`: possible genotypes of a locus, with `|`. */
  readonly kind: 'typing' | 'list'
  readonly glString: string
  /** Release named by a GL String Code. */
  readonly release: string | undefined
}

/** Statement that cannot be compared. */
interface BrokenStatement {
  readonly kind: 'fault'
  readonly text: string
  readonly error: HlaError
}

export type Statement =
  | TypedStatement
  | BrokenStatement
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' }

/** ID of an empty statement. */
export const NO_STATEMENT = 0
/** ID for an absent gene. */
export const ABSENT = 1
/** ID for a typed gene with an unknown result. */
export const UNKNOWN = 2

export interface Statements {
  readonly add: (statement: Statement) => number
  readonly get: (id: number) => Statement
  /** Characters of all statements. */
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

/** Size in characters counted for an error with its advice. */
const OF_FAULT = 1000

function statementKey(statement: TypedStatement | BrokenStatement): string {
  if (statement.kind === 'fault') return `!${statement.error.code} ${statement.text}`
  return statement.release === undefined ? statement.glString : `#${statement.release}#${statement.glString}`
}

/** Statement as written in the file. */
export function statementText(statement: Statement): string {
  if (statement.kind === 'fault') return statement.text
  return 'glString' in statement ? statement.glString : statement.kind
}
