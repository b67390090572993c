/** `hla data verify`: whether installed files are what was installed, or what a source has now. */
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
import { DATA_FAILED, type DataContext, OK, counted, say } from './context.ts'
import { fetchFrom } from './source.ts'

export interface VerifyOptions {
  readonly all?: boolean
  /** Compare with what this source has now, too. */
  readonly from?: string
}

/** Without a release, the active one. */
export async function verifyCommand(
  context: DataContext,
  spelled: string | undefined,
  options: VerifyOptions = {},
): Promise<number> {
  const dirs = locateData(context.dataDir)
  const releases = options.all ? listInstalled(dirs) : [findRelease(dirs, spelled ?? 'active')]
  let sound = verifyMacList(context, dirs)
  for (const release of releases) {
    if (!(await verifyRelease(context, release, options.from))) sound = false
  }
  return sound ? OK : DATA_FAILED
}

async function verifyRelease(
  context: DataContext,
  release: InstalledRelease,
  from: string | undefined,
): Promise<boolean> {
  const { name } = release
  const damage = findDamage(release)
  const of = `of ${counted(readReleaseManifest(release).files.length, 'file')} of ${name}`
  print(context, damage, 'now')
  if (damage.length > 0) {
    say(context, `error: ${damage.length} ${of} ${damage.length === 1 ? 'is' : 'are'} not as installed`)
    context.stderr(`  hla data install ${name} --force --from … replaces them\n`)
    return false
  }
  if (!isCompiledIntact(release)) {
    say(context, `error: the compiled file of ${name} is damaged`)
    context.stderr(`  remove ${compiledPath(release.folder)}: it is made again from the published files\n`)
    return false
  }
  if (from === undefined) {
    say(context, `${name}: ${counted(readReleaseManifest(release).files.length, 'file')} as installed`)
    return true
  }
  return compareWith(context, release, from)
}

async function compareWith(context: DataContext, release: InstalledRelease, from: string): Promise<boolean> {
  const { name } = release
  const differing = compareWithSource(release, await fetchFrom(context, from, parseReleaseNumber(name)))
  const total = counted(readReleaseManifest(release).files.length, 'file')
  print(context, differing, 'source')
  if (differing.length === 0) {
    say(context, `${name}: ${total} as installed and as in ${from}`)
    return true
  }
  say(context, `error: ${differing.length} of ${total} of ${name} differ from ${from}: the release was revised after you installed it`) // prettier-ignore
  context.stderr(`  your results are reproducible as installed; "hla data install ${readReleaseManifest(release).release} --from … --as ${readReleaseManifest(release).release}-r2" keeps both\n`) // prettier-ignore
  return false
}

function verifyMacList(context: DataContext, dirs: DataDirs): boolean {
  const list = activeMacList(dirs)
  if (!list || isMacListIntact(list)) return true
  say(context, `error: the MAC list ${list.name} is not as installed`)
  context.stderr('  hla data mac <numer.v3.zip or URL> installs it again\n')
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
