/** Settings: options from a file instead of the command line. Here only whether there is one to read.  [disk] */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { HlaError } from '../../errors.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import type { SettingFile, SettingFlags } from '../options/settings.ts'

/** What settings said, as options; undefined: nothing was read. */
let said: readonly string[] | undefined

/** Gives a command that is about to run what files say about its options. */
export async function applySettings(command: Command): Promise<void> {
  const flags = command.opts<SettingFlags>()
  const files = settingFiles(flags, isOperation(command))
  if (flags.config === false || (files.length === 0 && flags.profile === undefined)) return
  const { applyFiles } = await import('./config/apply.ts')
  said = applyFiles(command, files, flags.profile)
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
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'hla', 'config.json')
}

/** The one of the machine's administrator. */
function systemFile(): string {
  return process.env['HLA_SYSTEM_CONFIG'] || '/etc/hla/config.json'
}
