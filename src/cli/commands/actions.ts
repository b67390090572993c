/** What a command does, by its words: `data install`. */
import type { Command } from 'commander'

/** `words` are the arguments as they were declared, a list as its items. The exit status. */
export type Action = (words: readonly string[], command: Command) => Promise<number> | number

export type Actions = Readonly<Record<string, Action>>
