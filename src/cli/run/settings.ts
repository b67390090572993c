/** Settings: options from a file instead of the command line. Here only whether there is one to read.  [disk] */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { SettingFlags } from '../options/settings.ts'

/** What settings said, as options; undefined: nothing was read. */
let said: readonly string[] | undefined

/** Gives a command that is about to run what files say about its options. */
export async function applySettings(command: Command): Promise<void> {
  const flags = command.opts<SettingFlags>()
  const files = settingFiles(flags)
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

/** Those that are to be read, the stronger first. */
export function settingFiles({ config }: SettingFlags): string[] {
  if (config === false) return []
  if (typeof config === 'string') return [config]
  return [ownFile(), systemFile()].filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined)
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
