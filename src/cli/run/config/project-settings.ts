/** What the settings of a project may say. They come with a folder, maybe a stranger's: nothing that runs, sends, reads or writes elsewhere. */
import { OPERATIONS } from '../../../operations/registry.ts'
import { HlaError } from '../../../errors.ts'
import { globalOptions } from '../../options/options.ts'
import { type Settable, settingKey } from './settables.ts'

/** Of the options that all commands have. */
const OF_ALL: ReadonlySet<string> = new Set([
  'release', 'expect-data', 'format', 'with-input', 'lift', 'accept', 'lenient',
]) // prettier-ignore

/** About the machine, about what is said of failures, and about files that are written. */
const OF_THE_USER: ReadonlySet<string> = new Set([
  'exit-zero', 'provenance', 'jobs', 'progress', 'lines',
]) // prettier-ignore

let global: ReadonlySet<string> | undefined

export function isOfProject({ command, option }: Settable): boolean {
  global ??= new Set(globalOptions().map(settingKey))
  const key = settingKey(option)
  if (!OPERATIONS.some(({ name }) => name === command)) return false
  return global.has(key) ? OF_ALL.has(key) : !OF_THE_USER.has(key)
}

/** Where it would hold is no matter of the project. */
export function notOfProject(key: string): HlaError {
  return new HlaError(
    'usage',
    `a project may not set "${key}": its file comes with the folder, whoever made that`,
    {
      offending: key,
      hint: `hla config set ${key} … sets it for you; --no-config ignores the file`,
    },
  )
}
