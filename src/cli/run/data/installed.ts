/** `hla data list`, `info`, `path`, `use`, `remove` and `verify`: what is installed. */
import type { InstalledFile, InstalledMacList, ReleaseManifest } from '../../../reference/store/manifest.ts'
import { makeDataId } from '../../../reference/store/data-id.ts'
import {
  type InstalledRelease,
  findInstalled,
  findRelease,
  listInstalled,
  readReleaseManifest,
  removeRelease,
  useRelease,
} from '../../../reference/store/installed.ts'
import { type DataDirs, compiledPath, locateData, readActive } from '../../../reference/store/location.ts'
import { activeMacList, isMacListIntact } from '../../../reference/store/mac-lists.ts'
import { type DataContext, jsonText, say } from './context.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { counted, formatCount } from '../../../format-count.ts'
import { alignedRows } from '../../../manual/page.ts'
import {
  type FileDifference,
  compareWithSource,
  findDamage,
  isCompiledIntact,
  isSound,
} from '../../../reference/store/verify.ts'
import type { DataOptions } from '../../options/declare/data.ts'
import { fetchFrom, parseSource, withSource } from './install.ts'
import { isTerminal } from '../../../io/stdout.ts'
import { isOldRelease } from '../../../reference/store/age.ts'
import { basename } from 'node:path'
import { parseReleaseNumber } from '../../../reference/release-number.ts'

/** `spelled` defaults to the active release. */
export function infoCommand(context: DataContext, spelled = 'active'): number {
  const dirs = locateData(context.dataDir)
  const release = findRelease(dirs, spelled)
  const manifest = readReleaseManifest(release)
  const mac = activeMacList(dirs)
  const id = makeDataId(release.name, manifest, mac?.manifest)
  const rows: (readonly [string, string])[] = [
    [
      'release',
      `IPD-IMGT/HLA ${manifest.release} (${manifest.date}), ${formatCount(manifest.alleles)} alleles`,
    ],
    ['data id', `${id.label} sha256:${id.hash}`],
    ['folder', release.folder],
    ['from', manifest.from],
    ...(manifest.antigensBefore2026 ? [['antigens', 'before 2026 (wmda/pre2026)'] as const] : []),
    ['md5', md5Text(manifest)],
    ...(manifest.warnings ?? []).map((warning) => ['warning', warning] as const),
    ['MAC list', mac ? macText(mac) : 'none'],
    ['citation', manifest.citation],
  ]
  context.stdout(rows.map(([key, value]) => `${key.padEnd(10)}${value}\n`).join(''))
  context.stdout(manifest.files.map(fileText).join(''))
  return EXIT.ok
}

function md5Text({ md5 }: ReleaseManifest): string {
  if (md5.listed === 0) return 'not published with these files'
  const differing = md5.differing.length > 0 ? `; other content: ${md5.differing.join(', ')}` : ''
  return `${md5.listed - md5.differing.length} of ${md5.listed} match${differing}`
}

function macText({ manifest }: InstalledMacList): string {
  return `${manifest.date}, ${counted(manifest.codes, 'code')}, from ${manifest.from}`
}

function fileText({ name, sha256, size, date }: InstalledFile): string {
  return `file      ${sha256}  ${String(size).padStart(9)}  ${date ?? '-'}  ${name}\n`
}

export function pathCommand(context: DataContext, spelled?: string): number {
  const dirs = locateData(context.dataDir)
  context.stdout(`${spelled === undefined ? dirs.own : findRelease(dirs, spelled).folder}\n`)
  return EXIT.ok
}

export function useCommand(context: DataContext, spelled: string): number {
  const release = useRelease(locateData(context.dataDir), spelled)
  say(context, `IPD-IMGT/HLA ${release.name} (${readReleaseManifest(release).date}) is now active`)
  return EXIT.ok
}

export function removeCommand(context: DataContext, spelled: string): number {
  const dirs = locateData(context.dataDir)
  const before = readActive(dirs).release
  const { name, folder } = removeRelease(dirs, spelled)
  say(context, `removed ${folder}`)
  if (before === name) say(context, 'note: it was the active release; choose another with hla data use')
  return EXIT.ok
}

export async function listCommand(context: DataContext, options: DataOptions = {}): Promise<number> {
  const dirs = locateData(context.dataDir)
  const installed = listInstalled(dirs)
  if (options.available) return listAvailable(context, options, installed)
  if (options.json) context.stdout(jsonText(installed.map((release) => describeAsRecord(dirs, release))))
  if (installed.length === 0) {
    say(
      context,
      'no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
    )
    return EXIT.ok
  }
  if (!options.json)
    for (const line of alignedRows([HEADINGS, ...installed.map((release) => describe(dirs, release))]))
      context.stdout(`${line.trimEnd()}\n`)
  noteOldRelease(context, dirs)
  return EXIT.ok
}

const HEADINGS = [' ', 'RELEASE', 'DATE', 'ALLELES', 'MAC LIST', 'STATE']

function describe(dirs: DataDirs, release: InstalledRelease): string[] {
  const { active, date, alleles, antigens, mac_list, state } = describeAsRecord(dirs, release)
  const peculiar = antigens === undefined ? state : `${state}, antigens before 2026`
  return [active ? '*' : '', release.name, date, formatCount(alleles), mac_list ?? '-', peculiar]
}

function describeAsRecord(dirs: DataDirs, release: InstalledRelease) {
  const { date, alleles, antigensBefore2026 = false } = readReleaseManifest(release)
  const list = activeMacList(dirs)
  return {
    release: release.name,
    active: readActive(dirs).release === release.name,
    date,
    alleles,
    ...(antigensBefore2026 && { antigens: 'before-2026' }),
    mac_list: list?.manifest.date ?? null,
    state: isSound(release, list) ? 'verified' : 'damaged',
  }
}

async function listAvailable(
  context: DataContext,
  { from: asked, json }: DataOptions,
  installed: readonly InstalledRelease[],
): Promise<number> {
  const from = parseSource(asked)
  const offered = await withSource(from, (source) => source.available())
  const mine = new Set(installed.map(({ name }) => name))
  const newest = offered.at(-1)?.label
  const rows = offered.toReversed().map(({ label, date }) => ({
    release: label,
    date: date ?? null,
    newest: label === newest,
    installed: mine.has(label),
  }))
  if (json) context.stdout(jsonText(rows))
  else
    for (const row of rows) {
      const marks = [row.newest ? 'newest' : '', row.installed ? 'installed' : ''].filter(Boolean)
      context.stdout(`${[row.release, row.date ?? '-', marks.join(' ')].join('\t').trimEnd()}\n`)
    }
  if (newest === undefined) say(context, `no release in ${from}`)
  return EXIT.ok
}

function noteOldRelease(context: DataContext, dirs: DataDirs): void {
  const { release: name } = readActive(dirs)
  const installed = name === undefined ? undefined : findInstalled(dirs, name)
  if (installed === undefined) return
  const { release, date } = readReleaseManifest(installed)
  if (isOldRelease(date) && isTerminal(2))
    say(
      context,
      `note: the active release ${release} is of ${date}, over a year old: hla data list --available shows newer ones`,
    )
}

/** `spelled` defaults to the active release. */
export async function verifyCommand(
  context: DataContext,
  spelled: string | undefined,
  { all, from, json }: DataOptions = {},
): Promise<number> {
  const dirs = locateData(context.dataDir)
  const releases = all ? listInstalled(dirs) : [findRelease(dirs, spelled ?? 'active')]
  const spoken = json ? { ...context, stdout: () => undefined } : context
  const isListIntact = verifyMacList(spoken, dirs)
  const verified: VerifiedRelease[] = []
  for (const release of releases) verified.push(await verifyRelease(spoken, release, from))
  if (json) context.stdout(jsonText({ mac_list: macListRecord(dirs, isListIntact), releases: verified }))
  return isListIntact && verified.every(({ state }) => state === 'as-installed') ? EXIT.ok : EXIT.data
}

interface VerifiedRelease {
  readonly release: string
  readonly files: number
  /** `revised`: the source has other files now. */
  readonly state: 'as-installed' | 'damaged' | 'compiled-file-damaged' | 'revised'
  readonly differences: readonly object[]
}

function macListRecord(dirs: DataDirs, isIntact: boolean): object | null {
  const list = activeMacList(dirs)
  return list === undefined ? null : { name: list.name, state: isIntact ? 'as-installed' : 'damaged' }
}

async function verifyRelease(
  context: DataContext,
  release: InstalledRelease,
  from: string | undefined,
): Promise<VerifiedRelease> {
  const { name } = release
  const damage = findDamage(release)
  const { files } = readReleaseManifest(release)
  const of = `of ${counted(files.length, 'file')} of ${name}`
  const verified = (state: VerifiedRelease['state'], differences: readonly FileDifference[] = []) => ({
    release: name,
    files: files.length,
    state,
    differences: differences.map(({ found = null, ...difference }) => ({ ...difference, found })),
  })
  print(context, damage, 'now')
  if (damage.length > 0) {
    say(context, `error: ${damage.length} ${of} ${damage.length === 1 ? 'is' : 'are'} not as installed`)
    context.stderr(`  hla data install ${name} --force --from … replaces them\n`)
    return verified('damaged', damage)
  }
  if (!isCompiledIntact(release)) {
    say(context, `error: the compiled file of ${name} is damaged`)
    context.stderr(`  remove ${compiledPath(release.folder)}: it will be rebuilt from the published files\n`)
    return verified('compiled-file-damaged')
  }
  if (from === undefined) {
    say(context, `${name}: ${counted(files.length, 'file')} as installed`)
    return verified('as-installed')
  }
  const differing = await compareWith(context, release, from)
  return verified(differing.length === 0 ? 'as-installed' : 'revised', differing)
}

async function compareWith(
  context: DataContext,
  release: InstalledRelease,
  from: string,
): Promise<FileDifference[]> {
  const { name } = release
  const { release: label, files, antigensBefore2026 } = readReleaseManifest(release)
  const now = await fetchFrom(context, from, parseReleaseNumber(name), { antigensBefore2026 })
  const differing = compareWithSource(release, now)
  const total = counted(files.length, 'file')
  print(context, differing, 'source')
  if (differing.length === 0) say(context, `${name}: ${total} as installed and as in ${from}`)
  else {
    say(context, `error: ${differing.length} of ${total} of ${name} differ from ${from}: the release was revised after you installed it`) // prettier-ignore
    context.stderr(`  your results are reproducible as installed; "hla data install ${label} --from … --as ${label}-r2" keeps both\n`) // prettier-ignore
  }
  return differing
}

function verifyMacList(context: DataContext, dirs: DataDirs): boolean {
  const list = activeMacList(dirs)
  if (!list || isMacListIntact(list)) return true
  say(context, `error: the MAC list ${list.name} is not as installed`)
  context.stderr('  hla data mac installs it again\n')
  return false
}

function print(context: DataContext, differences: readonly FileDifference[], where: string): void {
  for (const { name, installed, found } of differences) {
    const cells = [
      basename(name),
      found === undefined ? 'missing' : 'differs',
      `installed ${short(installed)}`,
    ]
    if (found !== undefined) cells.push(`${where} ${short(found)}`)
    context.stdout(`${cells.join('\t')}\n`)
  }
}

function short(sha256: string): string {
  return sha256.slice(0, 12)
}
