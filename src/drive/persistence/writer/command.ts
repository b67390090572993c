/** A change, as the writer runs it. */
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../database/database.ts'

/** Input and result are plain data: they travel between threads. Who asks knows what the command takes and returns. */
export type Command = (transaction: Transaction, caller: Caller, input: never) => unknown

export type Commands = Readonly<Record<string, Command>>

export interface CommandRequest {
  readonly command: string
  readonly caller: Caller
  readonly input: unknown
}

export type CommandAnswer = { readonly result: unknown } | { readonly error: unknown }
