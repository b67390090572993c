/** `hla data info`: facts about an installed release, with its citation. */
import type { InstalledFile, InstalledMacList, ReleaseManifest } from '../../../reference/store/manifest.ts'
import { makeDataId } from '../../../reference/store/data-id.ts'
import {
  findRelease,
  readReleaseManifest,
  removeRelease,
  useRelease,
} from '../../../reference/store/installed.ts'
import { locateData, readActive } from '../../../reference/store/location.ts'
import { activeMacList } from '../../../reference/store/mac-lists.ts'
import { type DataContext, OK, counted, say } from './context.ts'
import { formatCount } from '../../../format-count.ts'

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
  return OK
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
  return OK
}

export function useCommand(context: DataContext, spelled: string): number {
  const release = useRelease(locateData(context.dataDir), spelled)
  say(context, `IPD-IMGT/HLA ${release.name} (${readReleaseManifest(release).date}) is now active`)
  return OK
}

export function removeCommand(context: DataContext, spelled: string): number {
  const dirs = locateData(context.dataDir)
  const before = readActive(dirs).release
  const { name, folder } = removeRelease(dirs, spelled)
  say(context, `removed ${folder}`)
  if (before === name) say(context, 'note: it was the active release; choose another with hla data use')
  return OK
}
