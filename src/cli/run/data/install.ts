/** `hla data install`, `mac` and `catalogue`: from a folder, an archive or a web address. */
import { advice, command } from '../../../advice.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import type { FetchedFile } from '../../../reference/published/fetched-file.ts'
import { DEFAULT_MAC_URL, readMacList, readMacListDate } from '../../../reference/published/mac-list.ts'
import { BEFORE_2026, type ReleaseNumber, parseReleaseNumber } from '../../../reference/release-number.ts'
import { type DataDirs, locateData, readActive, writeActive } from '../../../reference/store/location.ts'
import { isOldRelease } from '../../../reference/store/age.ts'
import { findInstalled, readReleaseManifest } from '../../../reference/store/installed.ts'
import { oldReleaseText } from '../../../operations/answers/data-age.ts'
import { otherAnswers, otherCommands } from '../named-release.ts'
import { type InstallOutcome, installRelease } from '../../../reference/store/install.ts'
import { activeMacList, installMacList } from '../../../reference/store/mac-lists.ts'
import { CITATION, type InstalledMacList } from '../../../reference/store/manifest.ts'
import type { SettingFlags } from '../../options/options.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { isTerminal, tell, writeOut } from '../../../io/stdout.ts'
import { compileFiles } from '../../../reference/compile/compile-files.ts'
import { FILE_CATALOGUES, fileCatalogueIds, installCatalogue } from '../../../reference/catalogues.ts'
import { readPublishedBytes } from '../../../reference/published/read-bytes.ts'
import { formatCount, counted } from '../../../format-count.ts'
import type { Definitions } from '../../../reference/published/layout.ts'
import {
  DEFAULT_RELEASE_URL,
  type ReleaseSource,
  openSource,
  sourceOver,
} from '../../../reference/published/release-source.ts'
import { statSync } from 'node:fs'
import type { FileAccess } from '../../../reference/published/file-access.ts'
import { holdsRelease, nearbyFolder } from '../../../reference/published/nearby-folder.ts'
import type { FetchProgress } from '../../../reference/published/fetch-release.ts'

/** Options of `hla data …`. */
export interface DataOptions extends SettingFlags {
  readonly dataDir?: string
  readonly from?: string
  /** true when neither `--mac` nor `--no-mac` was given. */
  readonly mac?: string | boolean
  readonly as?: string
  readonly antigensBefore2026?: boolean
  readonly force?: boolean
  readonly use?: boolean
  readonly acceptChanged?: boolean
  readonly check?: boolean
  readonly available?: boolean
  readonly json?: boolean
  readonly all?: boolean
}

/** Writes one line to stderr: `hla: ` and the text. */
export function say(text: string): void {
  tell(`hla: ${text}\n`)
}

/** Says that another release answers than the active one, who named it, and what ends that. */
export function warnOfOtherAnswers(dirs: DataDirs, options: DataOptions): void {
  const all = [otherAnswers(dirs, options), ...otherCommands(dirs, options)]
  for (const other of all) {
    if (other === undefined) continue
    say(`warning: ${other.what}`)
    tell(`  ${other.mend}\n`)
  }
}

/** Says, to people, that an installed release is over a year old. */
export function noteOldRelease(dirs: DataDirs, name: string | undefined): void {
  const installed = name === undefined ? undefined : findInstalled(dirs, name)
  if (installed === undefined || !isTerminal('messages')) return
  const { release, date } = readReleaseManifest(installed)
  if (isOldRelease(date))
    say(`note: ${oldReleaseText(release, date)}: hla data list --available shows newer ones`)
}

export async function installCommand(spelled: string, options: DataOptions): Promise<void> {
  const dirs = locateData(options.dataDir)
  const from = parseSource(options.from)
  const name = /^latest$/i.test(spelled) ? await findLatest(from) : spelled
  const { antigensBefore2026 = false } = options
  const release = readTarget(name, options)
  const files = await fetchFrom(from, release, { antigensBefore2026 })
  const macFrom = macSource(dirs, from, options)
  // read first, so that a wrong name fails before anything is installed
  const mac = macFrom === undefined ? undefined : await readReachable(macFrom)
  const { force = false, acceptChanged = false } = options
  const outcome = installRelease(dirs, {
    release,
    files,
    from,
    force,
    acceptChanged,
    antigensBefore2026,
    compile: compileFiles,
  })
  report(from, outcome)
  if (macFrom !== undefined && mac instanceof Buffer) reportMacList(installMacList(dirs, mac, macFrom))
  else if (mac === undefined && options.mac !== false && !readActive(dirs).mac)
    say('note: no MAC list is installed: hla data mac installs it')
  const { installed, unchanged } = outcome
  const location = `${unchanged ? 'already installed' : 'installed'} in ${installed.folder}`
  say(location + activate(dirs, outcome, options.use ?? false))
  warnOfOtherAnswers(dirs, options)
  noteOldRelease(dirs, installed.name)
  say(CITATION)
  if (!(mac instanceof HlaError)) return
  const { code, message, offending } = mac
  const hint = macHint(options)
  if (typeof options.mac === 'string') throw new HlaError(code, message, { offending, hint, cause: mac })
  say(`warning: no MAC list is installed: ${message}`)
  tell(`  ${hint}\n`)
}

/**
 * Returns a network error as a value, since an unreachable list must not stop the installation.
 * @throws {HlaError} as readMacList, except network errors
 */
async function readReachable(from: string): Promise<Buffer | HlaError> {
  try {
    return await readMacList(from)
  } catch (error) {
    if (isHlaError(error) && /^https?:/i.test(from) && UNREACHABLE.has(error.code)) return error
    throw error
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(['remote', 'truncated-file'])

function macHint({ mac }: DataOptions): string {
  const address = typeof mac === 'string' ? ` ${mac}` : ''
  return `the release is installed without it; later, hla data mac${address}, or hla data mac FILE with a downloaded list`
}

/** With `--as`, the release must be named too. */
function readTarget(
  spelled: string,
  { as, antigensBefore2026 = false }: Pick<DataOptions, 'as' | 'antigensBefore2026'>,
): ReleaseNumber {
  if (spelled === 'active')
    throw new HlaError('usage', 'say which release to install, such as 3.58.0, or latest')
  const release = parseReleaseNumber(spelled)
  if (as === undefined)
    return antigensBefore2026 ? { ...release, name: release.label + BEFORE_2026 } : release
  const target = parseReleaseNumber(as)
  if (target.label === release.label) return { ...release, name: target.name }
  throw new HlaError('usage', `--as ${as} names another release than ${release.label}`, {
    offending: as,
    hint: `begin it with the release: --as ${release.label}-r2`,
  })
}

/** From the web, fetches the list unless one is installed; from a folder or zip file, only a named list is read. */
function macSource(dirs: DataDirs, from: string, { mac }: DataOptions): string | undefined {
  if (mac === false) return undefined
  if (typeof mac === 'string') return mac
  return /^https?:/i.test(from) && readActive(dirs).mac === undefined ? DEFAULT_MAC_URL : undefined
}

function report(from: string, { manifest, notPublic }: InstallOutcome): void {
  const { files, release, date, md5, warnings = [] } = manifest
  const antigens = manifest.antigensBefore2026 ? ', antigens before 2026,' : ''
  say(`read ${counted(files.length, 'file')} of IPD-IMGT/HLA ${release} (${date})${antigens} from ${from}`)
  const matching = `md5checksum.txt: ${md5.listed - md5.differing.length} of ${md5.listed} match`
  if (md5.listed === 0) say('note: no md5checksum.txt for these files: not compared with published checksums')
  else if (md5.differing.length === 0) say(matching)
  else say(`warning: ${matching}; accepted as they are: ${md5.differing.join(', ')}`)
  for (const warning of warnings) say(`warning: ${warning}`)
  if (notPublic > 0) say(`note: ${counted(notPublic, 'name')} of hla_nom.txt ${notPublic === 1 ? 'is' : 'are'} assigned, not public`) // prettier-ignore
  const names = files.map(({ name }) => name)
  if (!names.includes('Deleted_alleles.txt'))
    say('note: no Deleted_alleles.txt: why names were deleted will not be said')
  const canLift =
    names.includes('Allelelist_history.txt') ||
    names.filter((name) => name.startsWith('allelelist/')).length > 1
  if (!canLift)
    say('note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted')
}

/** Keeps another active release: changing it as a side effect would change results. */
function activate(dirs: DataDirs, { installed }: InstallOutcome, isWanted: boolean): string {
  const active = readActive(dirs).release
  if (active === installed.name) return ', the active release'
  if (active !== undefined && !isWanted) return `; ${active} stays active (hla data use ${installed.name})`
  writeActive(dirs, { release: installed.name })
  return ' and made active'
}

/** `from` defaults to the published list. */
export async function macCommand(
  from: string = DEFAULT_MAC_URL,
  { dataDir, check }: DataOptions,
): Promise<number> {
  if (check === true) return checkMac(from, dataDir)
  const list = installMacList(locateData(dataDir), await readMacList(from), from)
  reportMacList(list)
  say(`installed in ${list.path} and made active`)
  return EXIT.ok
}

/**
 * Checks for a newer published list. Reads its first lines only and installs nothing. Exit status 1 when it is newer.
 */
async function checkMac(from: string, dataDir: string | undefined): Promise<number> {
  const published = await readMacListDate(from)
  const installed = activeMacList(locateData(dataDir))?.manifest.date
  writeOut(`installed\t${installed ?? '-'}\npublished\t${published}\n`)
  const isNewer = installed === undefined || installed < published
  if (installed === undefined) say('no MAC list is installed: hla data mac installs it')
  else if (isNewer) say('a newer MAC list is published: hla data mac installs it')
  else if (installed === published) say('the MAC list is the published one')
  else say(`${from} has an older MAC list than the one in use`)
  return isNewer ? EXIT.no : EXIT.ok
}

function reportMacList({ manifest }: InstalledMacList): void {
  say(`MAC list ${manifest.date}: ${counted(manifest.codes, 'code')}`)
}

/** `from` defaults to the published file. */
export async function catalogueCommand(name: string, { dataDir, from }: DataOptions): Promise<void> {
  const id = fileCatalogueIds().find((one) => one === name)
  if (id === undefined)
    throw new HlaError(
      'usage',
      `unknown catalogue "${name}"; ${fileCatalogueIds().join(' and ')} can be installed, cwd2 is built in`,
    )
  const { name: title, citation, url } = FILE_CATALOGUES[id]
  const table = installCatalogue(locateData(dataDir), id, await readPublishedBytes(from ?? url))
  say(`${title}: ${formatCount(table.size)} names from ${from ?? url}`)
  say(`cite ${citation}`)
}

/** `--from`, else `HLA_DATA_URL`, else the published repository. */
export function parseSource(from: string | undefined): string {
  return from || process.env['HLA_DATA_URL'] || DEFAULT_RELEASE_URL
}

export async function fetchFrom(
  from: string,
  release: ReleaseNumber,
  definitions: Definitions = {},
): Promise<FetchedFile[]> {
  const progress = await startProgress(`reading IPD-IMGT/HLA ${release.label}`)
  try {
    return await withSource(from, (source) => source.fetch(release, progress.show, definitions))
  } catch (error) {
    throw await withNearby(error, from, release.label, (files) => holdsRelease(files, release))
  } finally {
    progress.stop()
  }
}

/**
 * Number of the newest release in the source.
 * @throws {HlaError} not-found
 */
async function findLatest(from: string): Promise<string> {
  const newest = await withSource(from, (source) => source.newest())
  if (newest === undefined) {
    const error = new HlaError('not-found', `no release in ${from}`, { offending: from })
    const holdsAny = async (files: FileAccess) => (await sourceOver(files).newest()) !== undefined
    throw await withNearby(error, from, 'latest', holdsAny)
  }
  const { label, date } = newest
  say(`the newest release in ${from} is ${label}${date === undefined ? '' : ` (${date})`}`)
  return label
}

/** The same error, with the folder nearby that has the release. */
async function withNearby(
  error: unknown,
  from: string,
  release: string,
  has: (files: FileAccess) => Promise<boolean>,
): Promise<unknown> {
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isHlaError(error) || error.code !== 'not-found' || !isFolder) return error
  const folder = await nearbyFolder(from, has)
  if (folder === undefined) return error
  const { code, said, offending } = error
  return new HlaError(code, said, {
    offending,
    hint: advice`${folder} contains it: ${command('data install', { args: [release, '--from', folder] })}`,
    cause: error,
  })
}

export async function withSource<T>(from: string, run: (source: ReleaseSource) => Promise<T>): Promise<T> {
  const source = await openSource(from)
  try {
    return await run(source)
  } finally {
    await source.close()
  }
}

/** Shows nothing, and does not load ora, unless stderr is a terminal. */
async function startProgress(text: string) {
  if (!isTerminal('messages')) return { show: () => undefined, stop: () => undefined }
  const { default: ora } = await import('ora')
  const spinner = ora({ text, stream: process.stderr }).start()
  return {
    show: ({ files, bytes, name }: FetchProgress) => {
      spinner.text = `${text}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB (${name})`
    },
    stop: () => spinner.stop(),
  }
}
