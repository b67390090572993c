/** Command path, such as `data install` -> its action. */
import type { Command } from 'commander'

/** `words` are the declared arguments, lists flattened. Returns the exit status. */
export type Action = (words: readonly string[], command: Command) => Promise<number> | number

export type Actions = Readonly<Record<string, Action>>
