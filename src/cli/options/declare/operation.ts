/** An operation of the registry -> a command: its arguments and options. */
import { Argument, type Command } from 'commander'
import type { Operation } from '../../../operations/operation.ts'
import { type EngineFlags, engineOptions, methodOption } from '../engine-options.ts'
import { addGlobalOptions, type GlobalOptions } from '../options.ts'
import { ownOptions } from '../own-options.ts'
import { type TableOptions, tableOptions } from '../table-options.ts'

/** As commander gives them. */
export interface CommandOptions extends GlobalOptions, EngineFlags, Omit<TableOptions, 'summary'> {
  /** What the arguments before the typings filled in. */
  readonly leading: Readonly<Record<string, unknown>>
  /** The command line. */
  readonly words: readonly string[]
  /** A flag where answers are counted by kind, a text for tables. */
  readonly summary?: boolean | string
  readonly [property: string]: unknown
}

export function declareOperation(command: Command, operation: Operation): void {
  const describe = (name: string) => operation.input.properties[name]?.description ?? ''
  for (const name of operation.leading ?? []) command.addArgument(new Argument(`<${name}>`, describe(name)))
  if (operation.subject !== undefined) {
    command.addArgument(new Argument(`[${operation.subject}...]`, describe(operation.subject)))
  }
  if (operation.tallyOf !== undefined) command.option('--summary', 'print the number of answers of each kind')
  if ('reduction_method' in operation.input.properties) command.addOption(methodOption())
  if ('options' in operation.input.properties) for (const option of engineOptions()) command.addOption(option)
  for (const option of ownOptions(operation)) command.addOption(option)
  for (const option of tableOptions(operation)) command.addOption(option)
  addGlobalOptions(command, (property) => property in operation.input.properties)
}
