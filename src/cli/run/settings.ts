/** Settings: options from a file instead of the command line. Here only whether there is one to read. */
import type { Command } from 'commander'
import { isHlaError } from '../../errors.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import type { SettingFlags } from '../options/settings.ts'
import { isNone, settingFiles } from './setting-files.ts'

/** What settings said, as options; undefined: nothing was read. */
let said: readonly string[] | undefined

/** Gives a command that is about to run what files say about its options. */
export async function applySettings(command: Command): Promise<void> {
  const flags = command.opts<SettingFlags>()
  const files = settingFiles(flags, isOperation(command))
  if (isNone(flags.config) || (files.length === 0 && flags.profile === undefined)) return
  const { applyFiles } = await import('./config/apply.ts')
  said = applyFiles(command, files, flags.profile)
}

/** What is wrong with a release that a setting or a variable asks for names that setting, and how to change it. */
export async function namingSource<T>(command: Command, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const source = command.getOptionValueSource('release')
    const isNamed = isHlaError(error) && ['no-data', 'unknown-release'].includes(error.code)
    if (!isNamed || error.offending !== command.getOptionValue('release')) throw error
    if (source === undefined || ['cli', 'default'].includes(source)) throw error
    const { nameReleaseSource } = await import('./config/release-source.ts')
    throw nameReleaseSource(error, command.name(), command.opts<SettingFlags>())
  }
}

/** The command line of this run as one that needs no file of settings. */
export function argvWithSettings(): string[] {
  const argv = process.argv.slice(2)
  if (said === undefined) return argv
  const given = argv.filter(
    (word, at) => !NAMES_FILE.test(word) && !/^--(?:config|profile)$/.test(argv[at - 1] ?? ''),
  )
  return withoutSettings(given, said)
}

const NAMES_FILE = /^--(?:config|profile)(?:=|$)/

/** A command line that no settings are read for; `more` are options. */
export function withoutSettings(argv: readonly string[], more: readonly string[] = []): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return [...argv.slice(0, end), ...more, '--no-config', ...argv.slice(end)]
}

/** Only where something is asked: who runs a service, or looks after data, stands in a folder by chance. */
function isOperation(command: Command): boolean {
  return command.parent?.parent == null && OPERATIONS.some(({ name }) => name === command.name())
}
