/** Where a search starts: from a small set that an index finds, or at the front of all items of the caller in their order. */
import { countRows } from '../../persistence/database/count-rows.ts'
import type { Caller } from '../../contract/caller.ts'
import type { QNode } from '../../protocol/q/q-tree.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type ItemSet, listMatchTerms, asItemSet, termsSet } from './sets.ts'
import { bind, building } from './statement.ts'

export interface Driver {
  /** Undefined: all items, in the order of an index. */
  readonly set: ItemSet | undefined
  /** Tests that are still to be made of each item. */
  readonly rest: readonly QNode[]
  /** Items of the set, up to one more than `FEW`. */
  readonly count: number
}

/**
 * Fetching so many items at random and sorting them takes as long as walking over the items of a million in order until a page is
 * full: both about 10 ms, and each gets better on its side.
 */
export const FEW = 5000

/**
 * The smallest set, if it is small, or if the order is one of no index, in which all items had to be sorted.
 * Sets are counted, which takes no longer than using them would.
 */
export function chooseDriver(
  db: Database,
  caller: Caller,
  search: QNode | undefined,
  isOrdered: boolean,
): Driver {
  const tests = search === undefined ? [] : search.kind === 'and' ? search.parts : [search]
  let best: Driver = { set: undefined, rest: tests, count: Number.POSITIVE_INFINITY }
  for (const { set, rest } of candidatesIn(tests)) {
    const count = countUpTo(db, caller, set)
    if (count < best.count) best = { set, rest, count }
    if (count === 0) break
  }
  return best.count > FEW && isOrdered ? { set: undefined, rest: tests, count: best.count } : best
}

interface Candidate {
  readonly set: ItemSet
  readonly rest: readonly QNode[]
}

/** More are not looked at: each is counted. */
const MOST_CANDIDATES = 16

function candidatesIn(tests: readonly QNode[]): Candidate[] {
  const words = tests.filter((test) => listMatchTerms(test).length > 0)
  const others = words.length === 0 ? tests : tests.filter((test) => !words.includes(test))
  const found: Candidate[] = []
  for (const test of others) {
    const set = found.length < MOST_CANDIDATES ? asItemSet(test) : undefined
    if (set !== undefined) found.push({ set, rest: tests.filter((other) => other !== test) })
  }
  const wordsFound = termsSet(words)
  if (wordsFound !== undefined) found.push({ set: wordsFound, rest: others })
  return found.map(({ set, rest }) => ({ set, rest: set.isExact ? rest : tests }))
}

function countUpTo(db: Database, caller: Caller, set: ItemSet): number {
  const statement = building(db, caller)
  const items = set.write(statement)
  const sql = `SELECT count(*) AS count FROM (SELECT pk FROM (${items}) LIMIT ${bind(statement, FEW + 1)})`
  return countRows(db, sql, ...statement.values)
}
