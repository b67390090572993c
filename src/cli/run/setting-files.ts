/** The files that settings are read from.  [disk] */
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HlaError } from '../../errors.ts'
import { homeFolder } from '../../package-root.ts'
import type { SettingFile, SettingFlags } from '../options/settings.ts'

/** Those that are to be read, the stronger first. @throws {HlaError} usage — the project's is not the user's */
export function settingFiles({ config }: SettingFlags, isInProject = true): SettingFile[] {
  if (config === false) return []
  if (typeof config === 'string') return [{ path: config, isOfProject: false }]
  const project = isInProject ? projectFile() : undefined
  const others = [ownFile(), systemFile()].filter(isThere)
  return [
    ...(project === undefined ? [] : [{ path: project, isOfProject: true }]),
    ...others.map((path) => ({ path, isOfProject: false })),
  ]
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}

const PROJECT_FILE = '.hla.json'

/** The nearest one, from the current folder upwards. */
function projectFile(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found !== undefined) return ownedFile(file, found.uid)
    if (folder === dirname(folder)) return undefined
  }
}

/** In a folder such as /tmp anybody may put one above the folders of others. */
function ownedFile(file: string, owner: number): string {
  const user = process.getuid?.()
  if (user === undefined || owner === user || owner === 0) return file
  throw new HlaError('usage', `${file} belongs to another user, and its settings are not applied`, {
    offending: file,
    hint: `--config ${file} applies them, --no-config leaves them`,
  })
}

/** The user's own. */
export function ownFile(): string {
  const { env } = process
  return join(env['XDG_CONFIG_HOME'] || join(homeFolder(), '.config'), 'hla', 'config.json')
}

/** The one of the machine's administrator. */
function systemFile(): string {
  return process.env['HLA_SYSTEM_CONFIG'] || '/etc/hla/config.json'
}
