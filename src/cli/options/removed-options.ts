/** Options and commands of earlier versions that are refused, and what to do instead. */
import { advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

/** Name -> whether it took a value. None of them decided what was written. */
const REMOVED: ReadonlyMap<string, boolean> = new Map([['resume', false], ['checkpoint', true]]) // prettier-ignore

const INSTEAD =
  'an interrupted run starts again from the beginning; hla help long-runs shows how to convert a large table in parts'

/** `name` is without dashes. Undefined: it is no option of an earlier version. */
export function removedOption(name: string, shown: string): HlaError | undefined {
  if (!REMOVED.has(name)) return undefined
  return new HlaError('usage', `${shown} was removed in 2.0.0`, { offending: shown, hint: INSTEAD })
}

/** `name` is the whole command. Undefined: it is none of an earlier version. */
export function removedCommand(name: string): HlaError | undefined {
  if (name !== 'hla drive watch') return undefined
  const added = command('drive rule add', { form: 'FOLDER -m lgx' })
  const hint = advice`${added} has the store convert each new or changed table of a folder`
  return new HlaError('usage', `${name} was removed in 2.0.0`, { hint })
}

/** A command line of an earlier version, without what it no longer has. */
export function withoutRemoved(argv: readonly string[]): string[] {
  const named = (word = '') => /^--([^=]+)/.exec(word)?.[1] ?? ''
  return argv.filter((word, at) => {
    const before = argv[at - 1]
    const isValue = before?.includes('=') === false && REMOVED.get(named(before)) === true
    return !isValue && !REMOVED.has(named(word))
  })
}
