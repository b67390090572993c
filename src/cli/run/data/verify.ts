/** `hla data verify`: compares installed files with their recorded checksums, or with a source. */
import { basename } from 'node:path'
import { parseReleaseNumber } from '../../../reference/release-number.ts'
import {
  type InstalledRelease,
  findRelease,
  listInstalled,
  readReleaseManifest,
} from '../../../reference/store/installed.ts'
import { compiledPath, type DataDirs, locateData } from '../../../reference/store/location.ts'
import { activeMacList, isMacListIntact } from '../../../reference/store/mac-lists.ts'
import {
  type FileDifference,
  compareWithSource,
  findDamage,
  isCompiledIntact,
} from '../../../reference/store/verify.ts'
import { DATA_FAILED, type DataContext, OK, counted, jsonText, say } from './context.ts'
import { fetchFrom } from './source.ts'

export interface VerifyOptions {
  readonly all?: boolean
  /** Compare with this source too. */
  readonly from?: string
  readonly json?: boolean
}

/** `spelled` defaults to the active release. */
export async function verifyCommand(
  context: DataContext,
  spelled: string | undefined,
  { all, from, json }: VerifyOptions = {},
): Promise<number> {
  const dirs = locateData(context.dataDir)
  const releases = all ? listInstalled(dirs) : [findRelease(dirs, spelled ?? 'active')]
  const spoken = json ? { ...context, stdout: () => undefined } : context
  const isListIntact = verifyMacList(spoken, dirs)
  const verified: VerifiedRelease[] = []
  for (const release of releases) verified.push(await verifyRelease(spoken, release, from))
  if (json) context.stdout(jsonText({ mac_list: macListRecord(dirs, isListIntact), releases: verified }))
  return isListIntact && verified.every(({ state }) => state === 'as-installed') ? OK : DATA_FAILED
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
  const { antigensBefore2026 } = readReleaseManifest(release)
  const files = await fetchFrom(context, from, parseReleaseNumber(name), { antigensBefore2026 })
  const differing = compareWithSource(release, files)
  const total = counted(readReleaseManifest(release).files.length, 'file')
  print(context, differing, 'source')
  if (differing.length === 0) say(context, `${name}: ${total} as installed and as in ${from}`)
  else {
    say(context, `error: ${differing.length} of ${total} of ${name} differ from ${from}: the release was revised after you installed it`) // prettier-ignore
    context.stderr(`  your results are reproducible as installed; "hla data install ${readReleaseManifest(release).release} --from … --as ${readReleaseManifest(release).release}-r2" keeps both\n`) // prettier-ignore
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
