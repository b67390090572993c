/**
 * Settings: options from a file instead of the command line. This module only checks for a file; config/apply.ts reads
 * it.
 */
import type { Command } from 'commander'
import { isHlaError } from '../../errors.ts'
import { currentRun } from '../../io/run.ts'
import { tell } from '../../io/stdout.ts'
import type { LoadPrograms } from '../options/declare-command.ts'
import type { GlobalOptions, SettingFlags } from '../options/options.ts'
import { settingsFile } from './setting-files.ts'

/** Applies the settings file to the options of a command that is about to run; `load` as in `applyFile`. */
export async function applySettings(command: Command, load?: LoadPrograms): Promise<void> {
  const file = settingsFile(command.opts<SettingFlags>())
  if (file === undefined) return
  const { applyFile } = await import('./config/apply.ts')
  currentRun().settings = await applyFile(command, file, load)
}

/** Adds to an error about a release the setting or variable that named it, and how to change that. */
export async function namingSource<T>(command: Command, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const source = command.getOptionValueSource('release')
    const isNamed = isHlaError(error) && ['no-data', 'unknown-release'].includes(error.code)
    if (!isNamed || error.offending !== command.getOptionValue('release')) throw error
    if (source === undefined || ['cli', 'default'].includes(source)) throw error
    const { nameReleaseSource } = await import('./config/apply.ts')
    throw nameReleaseSource(error, command.name(), command.opts<SettingFlags>())
  }
}

/**
 * Notes that a variable or setting decides which release answers: for `hla version`, and where the starter set answers
 * in place of an installed release.
 */
export async function noteNamedRelease(command: Command): Promise<void> {
  const { release, dataDir, remote, quiet, ...flags } = command.opts<SettingFlags & GlobalOptions>()
  const isNamed = !['cli', 'default', undefined].includes(command.getOptionValueSource('release'))
  if (!isNamed || quiet === true || remote !== undefined) return
  if (release !== 'starter' && command.name() !== 'version') return
  const { listInstalled } = await import('../../reference/store/installed.ts')
  const dirs = (await import('../../reference/store/location.ts')).locateData(dataDir)
  if (listInstalled(dirs).length === 0) return
  const other = (await import('./named-release.ts')).otherAnswers(dirs, flags, command.name())
  if (other === undefined) return
  const { what, mend } = other
  const { formatNote } = await import('../messages.ts')
  tell(formatNote({ level: 'note', code: 'release', message: `${what} (${mend})` }))
}

/** Command line of this run, with the settings as options, so that it needs no settings file. */
export function argvWithSettings(): string[] {
  const { words, settings } = currentRun()
  if (settings === undefined) return [...words]
  const rest = words.filter((word, at) => !/^--config(?:=|$)/.test(word) && words[at - 1] !== '--config')
  return withoutSettings(rest, settings)
}

/** Command line that reads no settings; `more` are options to add. */
export function withoutSettings(argv: readonly string[], more: readonly string[] = []): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return [...argv.slice(0, end), ...more, '--config', 'none', ...argv.slice(end)]
}
