/** Installed MAC lists, separate from the releases, which a newer list therefore does not change. [disk] */
import { command } from '../../advice.ts'
import type { InstalledMacList } from './manifest.ts'
import { join } from 'node:path'
import { HlaError, isHlaError, orElse } from '../../errors.ts'
import { keepIfAllowed, makeFolderDurably, writeAtomically } from '../../io/atomic-write.ts'
import { encodeMacTable, type MacTable, readMacTable, openMacTable, verifyMacTable } from '../mac-table.ts'
import { parseNumer } from '../sources/numer.ts'
import { readAsInstalled } from './kept-sources.ts'
import { readActive, writeActive, type DataDirs, macFolder } from './location.ts'
import { type MacManifest, isMissing, readMacManifest, sha256Of, toJson } from './manifest.ts'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Installs the published text, unpacked, and makes it the active list.
 * @throws {HlaError} as parseNumer and encodeMacTable
 */
export function installMacList(dirs: DataDirs, text: Buffer, from: string): InstalledMacList {
  const sha256 = sha256Of(text)
  const source = parseNumer(text.toString('latin1'))
  const index = encodeMacTable(source, sha256)
  const name = `${source.date}-${sha256.slice(0, 12)}`
  const manifest: MacManifest = {
    date: source.date,
    codes: readMacTable(index).size,
    from,
    source: { name: source.name, sha256, size: text.length, date: source.date },
    index: { name: `${name}.bin`, sha256: sha256Of(index), size: index.length },
  }
  const folder = macFolder(dirs.own)
  makeFolderDurably(folder)
  // the manifest comes last: a list without one is not installed
  writeAtomically(join(folder, `${name}.txt`), text)
  writeAtomically(join(folder, `${name}.bin`), index)
  writeAtomically(join(folder, `${name}.json`), toJson(manifest))
  writeActive(dirs, { mac: name })
  return { name, path: join(folder, `${name}.bin`), manifest }
}

/** The active list; undefined when none was ever installed. */
export function activeMacList(dirs: DataDirs, active = readActive(dirs)): InstalledMacList | undefined {
  const { mac: name } = active
  if (name === undefined) return undefined
  for (const folder of [macFolder(dirs.own), macFolder(dirs.system)]) {
    const description = join(folder, `${name}.json`)
    if (!existsSync(description)) continue
    return { name, path: join(folder, `${name}.bin`), manifest: readMacManifest(description) }
  }
  throw notInstalled(name)
}

function notInstalled(name: string): HlaError {
  return new HlaError('no-data', `the active MAC list ${name} is not installed`, {
    offending: name,
    hint: command('data mac'),
  })
}

/**
 * Index of a list; rebuilt from the kept text when it is of another format, cut short or damaged, even if only a
 * look-up detects it.
 * @throws {HlaError} no-data — neither the index nor the text can be read; checksum-mismatch — the text is damaged too
 */
export function openMacList(list: InstalledMacList): MacTable {
  const remake = () => remade(list)
  return orElse(() => mendedTable(openMacTable(list.path), remake), remake)
}

/** Table over `first`, and over the result of `remake` once damage is found. */
function mendedTable(first: MacTable, remake: () => MacTable): MacTable {
  let table = first
  function mend(error: unknown): void {
    if (table !== first || !isHlaError(error)) throw error
    table = remake()
  }
  function sound<T>(ask: () => T): T {
    try {
      return ask()
    } catch (error) {
      mend(error)
      return ask()
    }
  }
  const { date, size, sha256, last } = first
  return {
    date,
    size,
    sha256,
    last,
    expand: (code) => sound(() => table.expand(code)),
    codesOf: (members, generic) => sound(() => table.codesOf(members, generic)),
    *codesWithPrefix(prefix) {
      let given = 0
      try {
        for (const code of table.codesWithPrefix(prefix)) {
          given += 1
          yield code
        }
      } catch (error) {
        mend(error)
        for (const code of table.codesWithPrefix(prefix)) if (--given < 0) yield code
      }
    },
    close: () => table.close(),
  }
}

function remade({ name, path, manifest }: InstalledMacList): MacTable {
  const text = textPath(path)
  if (!existsSync(text)) throw notInstalled(name)
  const source = parseNumer(readAsInstalled(text, manifest.source).toString('latin1'))
  const bytes = encodeMacTable(source, manifest.source.sha256)
  keepIfAllowed(path, bytes)
  return readMacTable(bytes)
}

/**
 * True when the text is as installed, and the index as made from it, by any version of the program. An index that is
 * missing, or of another format, is rebuilt at the next use.
 */
export function isMacListIntact({ path, manifest: { source } }: InstalledMacList): boolean {
  try {
    readAsInstalled(textPath(path), source)
    return verifyMacTable(readFileSync(path)) === source.sha256
  } catch (error) {
    if (isMissing(error)) return true
    if (isHlaError(error)) return error.code === 'unknown-format'
    throw error
  }
}

function textPath(path: string): string {
  return path.replace(/\.bin$/, '.txt')
}
