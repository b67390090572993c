/** What the manual is made from, besides the layers below: the command line hands it over. */
import type { CommandFacts } from './command-facts.ts'
import type { Term } from './page.ts'

export interface ManualFacts {
  readonly version: string
  /** hla itself, with all commands. */
  readonly program: CommandFacts
  /** Exit status -> when. */
  readonly exits: readonly Term[]
  readonly formats: readonly Term[]
  readonly layouts: readonly Term[]
  /** Forms of files with a record a typing: name, what it is, and a line of one. */
  readonly recordFormats: readonly (readonly [name: string, summary: string, example: string])[]
  /** What is written instead of a table. */
  readonly outputFormats: readonly Term[]
  /** Programs that write a usual table: name, and its header. */
  readonly tablePrograms: readonly Term[]
  /** Cells of tables that are not typings. */
  readonly tokens: readonly Term[]
  /** Variables that are no option's. */
  readonly variables: readonly Term[]
}
