/** `hla data install`: a release from a folder, a zip file or a web address. */
import { adviceText } from '../../../advice.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import type { FetchedFile } from '../../../reference/published/fetched-file.ts'
import { DEFAULT_MAC_URL, readMacList } from '../../../reference/published/mac-list.ts'
import { BEFORE_2026, type ReleaseNumber, parseReleaseNumber } from '../../../reference/release-number.ts'
import { readActive, writeActive, type DataDirs, locateData } from '../../../reference/store/location.ts'
import { type InstallOutcome, installRelease } from '../../../reference/store/install.ts'
import { installMacList } from '../../../reference/store/mac-lists.ts'
import { CITATION } from '../../../reference/store/manifest.ts'
import { type DataContext, OK, counted, say } from './context.ts'
import { reportMacList } from './mac.ts'
import { fetchFrom, findLatest, parseSource } from './source.ts'

export interface InstallOptions {
  readonly from?: string
  /** File or address; false leaves MAC lists unchanged. */
  readonly mac?: string | false
  /** Alternative name, to keep two copies of a release: `3.58.0-r2`. */
  readonly as?: string
  readonly force?: boolean
  /** Use the definitions of `wmda/pre2026`, as 3.65.0-pre2026. */
  readonly antigensBefore2026?: boolean
  /** Install files that do not match the published checksums. */
  readonly acceptChanged?: boolean
  /** Make it the active release even if another is. */
  readonly use?: boolean
}

export async function installCommand(
  context: DataContext,
  spelled: string,
  options: InstallOptions,
): Promise<number> {
  const dirs = locateData(context.dataDir)
  const from = parseSource(options.from)
  const wanted = /^latest$/i.test(spelled) ? await findLatest(context, from) : spelled
  const { antigensBefore2026 = false } = options
  const release = readTarget(wanted, options)
  const files = await fetchFrom(context, from, release, { antigensBefore2026 })
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
    compile: context.compile,
  })
  report(context, from, outcome)
  if (macFrom !== undefined && mac instanceof Buffer)
    reportMacList(context, installMacList(dirs, mac, macFrom))
  else if (mac === undefined && options.mac !== false && !readActive(dirs).mac)
    say(context, 'note: no MAC list is installed: hla data mac installs it')
  say(context, place(outcome) + activate(dirs, outcome, options.use ?? false))
  say(context, CITATION)
  if (!(mac instanceof HlaError)) return OK
  const later = macLater(mac, options)
  if (options.mac !== undefined) throw later
  say(context, `warning: no MAC list is installed: ${later.message}`)
  context.stderr(`  ${adviceText(later.hint, 'command-line') ?? ''}\n`)
  return OK
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

function macLater(error: HlaError, { mac }: InstallOptions): HlaError {
  const address = mac === undefined || mac === false ? '' : ` ${mac}`
  return new HlaError(error.code, error.message, {
    offending: error.offending,
    hint: `the release is installed without it; later, hla data mac${address}, or hla data mac FILE with a downloaded list`,
    cause: error,
  })
}

/** With `--as`, the release must be named too. */
function readTarget(
  spelled: string,
  { as, antigensBefore2026 = false }: Pick<InstallOptions, 'as' | 'antigensBefore2026'>,
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
function macSource(dirs: DataDirs, from: string, { mac }: InstallOptions): string | undefined {
  if (mac === false) return undefined
  if (mac !== undefined) return mac
  return /^https?:/i.test(from) && readActive(dirs).mac === undefined ? DEFAULT_MAC_URL : undefined
}

function report(context: DataContext, from: string, { manifest, notPublic }: InstallOutcome): void {
  const { files, release, date, md5, warnings = [] } = manifest
  const antigens = manifest.antigensBefore2026 ? ', antigens before 2026,' : ''
  say(
    context,
    `read ${counted(files.length, 'file')} of IPD-IMGT/HLA ${release} (${date})${antigens} from ${from}`,
  )
  const matching = `md5checksum.txt: ${md5.listed - md5.differing.length} of ${md5.listed} match`
  if (md5.listed === 0)
    say(context, 'note: no md5checksum.txt for these files: not compared with published checksums')
  else if (md5.differing.length === 0) say(context, matching)
  else say(context, `warning: ${matching}; accepted as they are: ${md5.differing.join(', ')}`)
  for (const warning of warnings) say(context, `warning: ${warning}`)
  if (notPublic > 0) say(context, `note: ${counted(notPublic, 'name')} of hla_nom.txt ${notPublic === 1 ? 'is' : 'are'} assigned, not public`) // prettier-ignore
  for (const note of missingFeatures(files)) say(context, `note: ${note}`)
}

function missingFeatures(files: readonly Pick<FetchedFile, 'name'>[]): string[] {
  const names = new Set(files.map(({ name }) => name))
  const notes: string[] = []
  if (!names.has('Deleted_alleles.txt'))
    notes.push('no Deleted_alleles.txt: why names were deleted will not be said')
  const lists = [...names].filter((name) => name.startsWith('allelelist/'))
  const canLift = names.has('Allelelist_history.txt') || lists.length > 1
  if (!canLift)
    notes.push('no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted')
  return notes
}

function place({ installed, unchanged }: InstallOutcome): string {
  return unchanged ? `already installed in ${installed.folder}` : `installed in ${installed.folder}`
}

/** Keeps another active release: changing it as a side effect would change results. */
function activate(dirs: DataDirs, { installed }: InstallOutcome, wanted: boolean): string {
  const active = readActive(dirs).release
  if (active === installed.name) return ', the active release'
  if (active !== undefined && !wanted) return `; ${active} stays active (hla data use ${installed.name})`
  writeActive(dirs, { release: installed.name })
  return ' and made active'
}
