/** Options and commands removed from hla, and their replacements. */
import { advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

/** Name -> true when it took a value. None of them affected the output. */
const REMOVED: ReadonlyMap<string, boolean> = new Map([['resume', false], ['checkpoint', true]]) // prettier-ignore

const INSTEAD =
  'an interrupted run starts again from the beginning; hla help long-runs shows how to convert a large table in parts'

/** Error for a removed option; undefined for any other. `name` is without dashes. */
export function removedOption(name: string, shown: string): HlaError | undefined {
  if (!REMOVED.has(name)) return undefined
  return new HlaError('usage', `${shown} was removed in 2.0.0`, { offending: shown, hint: INSTEAD })
}

/** Error for a removed command; undefined for any other. `name` is the whole command. */
export function removedCommand(name: string): HlaError | undefined {
  if (name !== 'hla drive watch') return undefined
  const added = command('drive rule add', { form: 'FOLDER -m lgx' })
  const hint = advice`${added} has the store convert each new or changed table of a folder`
  return new HlaError('usage', `${name} was removed in 2.0.0`, { hint })
}

/** Drops removed options from a command line of an earlier version. */
export function withoutRemoved(argv: readonly string[]): string[] {
  const named = (word = '') => /^--([^=]+)/.exec(word)?.[1] ?? ''
  return argv.filter((word, at) => {
    const before = argv[at - 1]
    const isValue = before?.includes('=') === false && REMOVED.get(named(before)) === true
    return !isValue && !REMOVED.has(named(word))
  })
}
