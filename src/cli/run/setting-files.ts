/** Finds the settings file.  [disk] */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { homeFolder } from '../../package-root.ts'
import type { SettingFlags } from '../options/options.ts'

/** Path of the settings file to read; undefined for none. A file named none is `./none`. */
export function settingsFile({ config }: SettingFlags): string | undefined {
  if (config !== undefined) return config === 'none' ? undefined : config
  const own = ownFile()
  // stat, since opening a pipe of that name would block until something writes to it
  return statSync(own, { throwIfNoEntry: false })?.isFile() === true ? own : undefined
}

/** Path of the user's settings file. */
export function ownFile(): string {
  const { env } = process
  return join(env['XDG_CONFIG_HOME'] || join(homeFolder(), '.config'), 'hla', 'config.json')
}
