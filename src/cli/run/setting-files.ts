/** Finds the settings files to read.  [disk] */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { homeFolder } from '../../package-root.ts'
import type { SettingFlags } from '../options/settings.ts'

/**
 * Paths of the files to read, highest precedence first.
 * @throws {HlaError} usage — the project has a settings file, which no longer applies
 */
export function settingFiles({ config }: SettingFlags, isInProject = false): string[] {
  if (isNone(config)) return []
  if (typeof config === 'string') return [config]
  if (isInProject) refuseProjectFile()
  // the user's file, then the one that the administrator writes for the machine
  return [ownFile(), process.env['HLA_SYSTEM_CONFIG'] || '/etc/hla/config.json'].filter(isThere)
}

/** `--config none`; a file of that name is `./none`. */
export function isNone(config: SettingFlags['config']): boolean {
  return config === false || config === 'none'
}

/** Uses stat, since opening a pipe of that name would block until something writes to it. */
function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
}

const PROJECT_FILE = '.hla.json'

/**
 * Refuses project files. Before 2.0.0 the nearest one applied, from the current folder upwards; an error prevents a
 * silent change of release.
 */
function refuseProjectFile(): void {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE)
    if (isThere(file))
      throw new HlaError('usage', `${file} is no longer read automatically`, {
        offending: file,
        hint: advice`${option('config', file)} reads it, ${option('config', 'none')} ignores it`,
      })
    if (folder === dirname(folder)) return
  }
}

/** Path of the user's settings file. */
export function ownFile(): string {
  const { env } = process
  return join(env['XDG_CONFIG_HOME'] || join(homeFolder(), '.config'), 'hla', 'config.json')
}
