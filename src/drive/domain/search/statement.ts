/** A statement under construction: pieces of SQL whose values are bound by number, in whatever order they are written. */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Value } from '../../persistence/database/database.ts'

export interface Building {
  readonly db: Database
  readonly caller: Caller
  /** The first is the caller's user, ?1. */
  readonly values: Value[]
  /** `s`, the caller's row of `user_state`, is joined. */
  needsState: boolean
  /** How many sets of items its conditions have, which are made for each of its parts anew. */
  sets: number
}

export function building(db: Database, caller: Caller): Building {
  return { db, caller, values: [caller.user], needsState: false, sets: 0 }
}

/** Its place in the statement. */
export function bind({ values }: Building, value: Value): string {
  return `?${values.push(value)}`
}

/** A column of `s`; null where the caller has no row. */
export function stateColumn(statement: Building, name: string): string {
  statement.needsState = true
  return `s.${name}`
}
