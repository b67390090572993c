/** Data for the manual that the command line provides; the rest comes from lower layers. */
import type { CommandFacts } from './command-facts.ts'
import type { Term } from './page.ts'

export interface ManualFacts {
  readonly version: string
  /** hla itself, with all commands. */
  readonly program: CommandFacts
  /** Exit status -> meaning. */
  readonly exits: readonly Term[]
  readonly layouts: readonly Term[]
  /** Record formats: name, description, and an example line. */
  readonly recordFormats: readonly (readonly [name: string, summary: string, example: string])[]
  /** Output formats other than tables. */
  readonly outputFormats: readonly Term[]
  /** Output format -> its fields besides the typings. */
  readonly outputFields: readonly Term[]
  /** Programs that write a regular table: name and header. */
  readonly tablePrograms: readonly Term[]
  /** Table cells that are not typings. */
  readonly tokens: readonly Term[]
}
