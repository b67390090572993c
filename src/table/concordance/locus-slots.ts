/** What one file says of a person at a locus, in two numbers: those of two statements, or of one that says all. */
import { HlaError } from '../../errors.ts'
import { ABSENT, NOTHING_SAID, type Statements, statementText, UNKNOWN } from './statements.ts'

export interface LocusSlots {
  readonly first: number
  /** NOTHING_SAID: the first is there once, or twice, or the gene has one copy. */
  readonly second: number
}

/** `ids`: in the order of the cells. */
export function makeSlots(ids: readonly number[], statements: Statements): LocusSlots {
  const [first = NOTHING_SAID] = ids
  if (ids.length === 1) return { first, second: NOTHING_SAID }
  const broken = ids.find((id) => statements.get(id).kind === 'fault')
  if (broken !== undefined) return { first: broken, second: NOTHING_SAID }
  const typed = ids.filter((id) => id !== ABSENT && id !== UNKNOWN)
  const text = () => ids.map((id) => statementText(statements.get(id))).join('+')
  const fault = (error: HlaError) => ({
    first: statements.add({ kind: 'fault', text: text(), error }),
    second: NOTHING_SAID,
  })
  if (ids.includes(UNKNOWN))
    return typed.length === 0 ? { first: UNKNOWN, second: NOTHING_SAID } : fault(halfKnown(text()))
  if (typed.length === 0) return { first: ABSENT, second: NOTHING_SAID }
  if (typed.length > 2 || (typed.length > 1 && typed.some((id) => statements.get(id).kind === 'list')))
    return fault(surplus(text()))
  const [one = NOTHING_SAID, other = NOTHING_SAID] = typed
  return { first: one, second: other }
}

function halfKnown(text: string): HlaError {
  return new HlaError('bad-syntax', `${text}: of one of the two typings the result is not known`, {
    offending: text,
  })
}

function surplus(text: string): HlaError {
  return new HlaError('surplus-typing', `${text}: more typings than a person has at a locus`, {
    offending: text,
  })
}
