/** What `hla config` does with settings.  [disk] */
import { adviceText } from '../../../advice.ts'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { alignedRows } from '../../../manual/page.ts'
import { HlaError } from '../../../errors.ts'
import { writeAtomically } from '../../../io/atomic-write.ts'
import type { ConfigFlags } from '../../options/declare/config.ts'
import { EXIT } from '../../exit-status.ts'
import { tell, writeAll } from '../../../io/stdout.ts'
import { formatError, formatNote } from '../../messages.ts'
import { isNone, ownFile, settingFiles } from '../setting-files.ts'
import { changed, readContent } from './change.ts'
import { readNamed } from '../../named-file.ts'
import { checkConfigFile, parse, problemsIn, unknownSetting } from './config-file.ts'
import { effective, findEffective } from './effective.ts'
import { missingReleases } from './release-source.ts'
import { settables, findSettables } from './settables.ts'

/** Strongest source of each. */
export function listSettings(_: readonly string[], flags: ConfigFlags): number {
  const shown = effective(flags).filter(({ source }) => flags.all === true || source !== 'default')
  if (flags.json === true) {
    const records = shown.map(({ key, value = null, source }) => ({ key, value, source }))
    writeAll(1, `${JSON.stringify(records, null, 2)}\n`)
    return EXIT.ok
  }
  const rows = shown.map(({ key, value, source }) => [key, formatValue(value), source])
  writeAll(1, alignedRows(rows).map((line) => `${line.trimEnd()}\n`).join('')) // prettier-ignore
  return EXIT.ok
}

export function getSetting([key = '']: readonly string[], flags: ConfigFlags): number {
  requireKey(key)
  const { value } = findEffective(key, flags)
  if (value === undefined) return EXIT.no
  writeAll(1, `${formatValue(value)}\n`)
  return EXIT.ok
}

export function setSetting([key = '', ...words]: readonly string[], flags: ConfigFlags): number {
  requireKey(key)
  return rewrite(flags, key, words)
}

export function unsetSetting([key = '']: readonly string[], flags: ConfigFlags): number {
  requireKey(key)
  return rewrite(flags, key, undefined)
}

export function printPath(_: readonly string[], flags: ConfigFlags): number {
  writeAll(1, `${pathFor(flags)}\n`)
  return EXIT.ok
}

/** Every problem of every file, not only the first. */
export function checkFiles(_: readonly string[], flags: ConfigFlags): number {
  const files = settingFiles(flags)
  if (files.length === 0) tell(`hla: no file of settings: ${pathFor(flags)} does not exist\n`)
  let status: number = EXIT.ok
  for (const path of files) {
    const file = checkConfigFile(path, parse(path, readNamed(path)))
    const wrong = problemsIn(file)
    // of a file that is wrong already it cannot be said
    const problems = wrong.length > 0 ? wrong : missingReleases(file)
    for (const problem of problems) tell(formatError(problem))
    if (problems.length > 0) status = EXIT.usage
    else tell(`hla: ${path} is fine\n`)
  }
  return status
}

function rewrite(flags: ConfigFlags, key: string, words: readonly string[] | undefined): number {
  const path = pathFor(flags)
  const before = readContent(path)
  const after = changed(before, { key, words, profile: flags.profile })
  if (JSON.stringify(after) === JSON.stringify(before)) return EXIT.ok
  const file = checkConfigFile(path, after)
  const [problem] = problemsIn(file)
  if (problem !== undefined) throw problem
  mkdirSync(dirname(path), { recursive: true })
  writeAtomically(path, `${JSON.stringify(after, null, 2)}\n`)
  if (words === undefined || !/^(?:\w+\.)?release$/.test(key)) return EXIT.ok
  for (const { message, hint } of missingReleases(file))
    tell(
      `${formatNote({ level: 'warning', code: 'no-data', message })}  ${adviceText(hint, 'command-line') ?? ''}\n`,
    )
  return EXIT.ok
}

/** The file that is written. */
function pathFor({ config }: ConfigFlags): string {
  if (isNone(config))
    throw new HlaError('usage', '--config none cannot be combined with a command about settings files')
  return typeof config === 'string' ? config : ownFile()
}

function requireKey(key: string): void {
  if (findSettables(key, settables()).length === 0) throw unknownSetting(key)
}

function formatValue(value: unknown): string {
  if (value === undefined) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
