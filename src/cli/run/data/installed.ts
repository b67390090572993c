/** `hla data list`, `info`, `path`, `use`, `remove` and `verify`: what is installed. */
import type { InstalledFile, InstalledMacList, ReleaseManifest } from '../../../reference/store/manifest.ts'
import { TCE_FILE } from '../../../reference/sources/tce.ts'
import { makeDataId } from '../../../reference/store/data-id.ts'
import {
  type InstalledRelease,
  findRelease,
  listInstalled,
  readReleaseManifest,
  removeRelease,
  useRelease,
} from '../../../reference/store/installed.ts'
import { type DataDirs, compiledPath, locateData, readActive } from '../../../reference/store/location.ts'
import { activeMacList, isMacListIntact } from '../../../reference/store/mac-lists.ts'
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
import {
  type DataOptions,
  fetchFrom,
  parseSource,
  say,
  noteOldRelease,
  warnOfOtherAnswers,
  withSource,
} from './install.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { namedRelease } from '../named-release.ts'
import { basename } from 'node:path'
import { parseReleaseNumber } from '../../../reference/release-number.ts'

/** `spelled` defaults to the active release. */
export function infoCommand(spelled = 'active', { dataDir }: DataOptions): void {
  const dirs = locateData(dataDir)
  const release = findRelease(dirs, spelled)
  const manifest = readReleaseManifest(release)
  const mac = activeMacList(dirs)
  const id = makeDataId(release.name, manifest, mac?.manifest)
  const { release: label, date, alleles, from, files, citation, warnings = [] } = manifest
  const rows: (readonly [string, string])[] = [
    ['release', `IPD-IMGT/HLA ${label} (${date}), ${formatCount(alleles)} alleles`],
    ['data id', `${id.label} sha256:${id.hash}`],
    ['folder', release.folder],
    ['from', from],
    ...(manifest.antigensBefore2026 ? [['antigens', 'before 2026 (wmda/pre2026)'] as const] : []),
    [
      'epitopes',
      files.some(({ name }) => name === TCE_FILE) ? `T-cell epitope groups of DPB1 (${TCE_FILE})` : 'none',
    ],
    ['md5', md5Text(manifest)],
    ...warnings.map((warning) => ['warning', warning] as const),
    ['MAC list', mac ? macText(mac) : 'none'],
    ['citation', citation],
  ]
  writeOut(rows.map(([key, value]) => `${key.padEnd(10)}${value}\n`).join(''))
  writeOut(files.map(fileText).join(''))
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

export function pathCommand(spelled: string | undefined, { dataDir }: DataOptions): void {
  const dirs = locateData(dataDir)
  writeOut(`${spelled === undefined ? dirs.own : findRelease(dirs, spelled).folder}\n`)
}

export function useCommand(spelled: string, options: DataOptions): void {
  const dirs = locateData(options.dataDir)
  const release = useRelease(dirs, spelled)
  say(`IPD-IMGT/HLA ${release.name} (${readReleaseManifest(release).date}) is now active`)
  warnOfOtherAnswers(dirs, options)
}

export function removeCommand(spelled: string, { dataDir }: DataOptions): void {
  const dirs = locateData(dataDir)
  const active = readActive(dirs).release
  const { name, folder } = removeRelease(dirs, spelled)
  say(`removed ${folder}`)
  if (active === name) say('note: it was the active release; choose another with hla data use')
}

export async function listCommand(options: DataOptions): Promise<void> {
  const dirs = locateData(options.dataDir)
  const installed = listInstalled(dirs)
  if (options.available) return listAvailable(options, installed)
  const answeringName = namedRelease(options)?.name ?? readActive(dirs).release
  const records = installed.map((release) => describeRelease(dirs, release, answeringName))
  if (options.json) writeJson(records)
  if (installed.length === 0) {
    say(
      'no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
    )
    return
  }
  if (!options.json)
    for (const line of alignedRows([HEADINGS, ...records.map(releaseCells)])) writeOut(`${line.trimEnd()}\n`)
  warnOfOtherAnswers(dirs, options)
  noteOldRelease(dirs, answeringName)
}

const HEADINGS = [' ', 'RELEASE', 'DATE', 'ALLELES', 'MAC LIST', 'STATE']

type ReleaseRecord = ReturnType<typeof describeRelease>

function releaseCells({ answers, release, date, alleles, antigens, mac_list, state }: ReleaseRecord) {
  const peculiar = antigens === undefined ? state : `${state}, antigens before 2026`
  return [answers ? '*' : '', release, date, formatCount(alleles), mac_list ?? '-', peculiar]
}

function describeRelease(dirs: DataDirs, release: InstalledRelease, answeringName: string | undefined) {
  const { date, alleles, antigensBefore2026 = false } = readReleaseManifest(release)
  const list = activeMacList(dirs)
  return {
    release: release.name,
    active: readActive(dirs).release === release.name,
    answers: answeringName === release.name,
    date,
    alleles,
    ...(antigensBefore2026 && { antigens: 'before-2026' }),
    mac_list: list?.manifest.date ?? null,
    state: isSound(release, list) ? 'verified' : 'damaged',
  }
}

async function listAvailable(
  { from: asked, json }: DataOptions,
  installed: readonly InstalledRelease[],
): Promise<void> {
  const from = parseSource(asked)
  const offered = await withSource(from, (source) => source.available())
  const installedNames = new Set(installed.map(({ name }) => name))
  const newest = offered.at(-1)?.label
  const rows = offered.toReversed().map(({ label, date }) => ({
    release: label,
    date: date ?? null,
    newest: label === newest,
    installed: installedNames.has(label),
  }))
  if (json) writeJson(rows)
  else
    for (const row of rows) {
      const marks = [row.newest ? 'newest' : '', row.installed ? 'installed' : ''].filter(Boolean)
      writeOut(`${[row.release, row.date ?? '-', marks.join(' ')].join('\t').trimEnd()}\n`)
    }
  if (newest === undefined) say(`no release in ${from}`)
}

/** `spelled` defaults to the active release. */
export async function verifyCommand(
  spelled: string | undefined,
  { dataDir, all, from, json }: DataOptions,
): Promise<number> {
  const dirs = locateData(dataDir)
  const installed = all ? listInstalled(dirs) : []
  const releases = installed.length > 0 ? installed : [findRelease(dirs, spelled ?? 'active')]
  const list = activeMacList(dirs)
  const isListIntact = list === undefined || isMacListIntact(list)
  if (!isListIntact) {
    say(`error: the MAC list ${list.name} is not as installed`)
    tell('  hla data mac installs it again\n')
  }
  const verified = []
  for (const release of releases) {
    const result = await verifyRelease(release, from)
    if (!json)
      writeOut(result.differences.map((difference) => differenceText(difference, result.state)).join(''))
    tellVerified(release, result, from)
    verified.push(verifiedRecord(release, result))
  }
  const mac_list = list && { name: list.name, state: isListIntact ? 'as-installed' : 'damaged' }
  if (json) writeJson({ mac_list: mac_list ?? null, releases: verified })
  return isListIntact && verified.every(({ state }) => state === 'as-installed') ? EXIT.ok : EXIT.data
}

interface Verified {
  /** `revised`: the source has other files now. */
  readonly state: 'as-installed' | 'damaged' | 'compiled-file-damaged' | 'revised'
  readonly differences: readonly FileDifference[]
}

async function verifyRelease(release: InstalledRelease, from: string | undefined): Promise<Verified> {
  const damage = findDamage(release)
  if (damage.length > 0) return { state: 'damaged', differences: damage }
  if (!isCompiledIntact(release)) return { state: 'compiled-file-damaged', differences: [] }
  if (from === undefined) return { state: 'as-installed', differences: [] }
  const { antigensBefore2026 } = readReleaseManifest(release)
  const now = await fetchFrom(from, parseReleaseNumber(release.name), { antigensBefore2026 })
  const differences = compareWithSource(release, now)
  return { state: differences.length === 0 ? 'as-installed' : 'revised', differences }
}

function tellVerified(release: InstalledRelease, { state, differences }: Verified, from?: string): void {
  const { name, folder } = release
  const { release: label, files } = readReleaseManifest(release)
  const total = counted(files.length, 'file')
  const count = differences.length
  const texts: Readonly<Record<Verified['state'], readonly [text: string, advice?: string]>> = {
    damaged: [
      `error: ${count} of ${total} of ${name} ${count === 1 ? 'is' : 'are'} not as installed`,
      `hla data install ${name} --force --from … replaces them`,
    ],
    'compiled-file-damaged': [
      `error: the compiled file of ${name} is damaged`,
      `remove ${compiledPath(folder)}: it will be rebuilt from the published files`,
    ],
    revised: [
      `error: ${count} of ${total} of ${name} differ from ${from}: the release was revised after you installed it`,
      `your results are reproducible as installed; "hla data install ${label} --from … --as ${label}-r2" keeps both`,
    ],
    'as-installed': [`${name}: ${total} as installed${from === undefined ? '' : ` and as in ${from}`}`],
  }
  const [text, advice] = texts[state]
  say(text)
  if (advice !== undefined) tell(`  ${advice}\n`)
}

function verifiedRecord(release: InstalledRelease, { state, differences }: Verified) {
  return {
    release: release.name,
    files: readReleaseManifest(release).files.length,
    state,
    differences: differences.map(({ found = null, ...difference }) => ({ ...difference, found })),
  }
}

function differenceText({ name, installed, found }: FileDifference, state: Verified['state']): string {
  const short = (sha256: string) => sha256.slice(0, 12)
  const now = found === undefined ? [] : [`${state === 'revised' ? 'source' : 'now'} ${short(found)}`]
  const cells = [basename(name), found === undefined ? 'missing' : 'differs', `installed ${short(installed)}`]
  return `${[...cells, ...now].join('\t')}\n`
}

function writeJson(value: unknown): void {
  writeOut(`${JSON.stringify(value, null, 2)}\n`)
}
