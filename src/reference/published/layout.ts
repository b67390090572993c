/** Layouts of a release's files: numbered branches side by side, one branch checked out, or loose files. */
import { advice, command } from '../../advice.ts'
import { basename } from 'node:path'
import { HlaError } from '../../errors.ts'
import {
  alleleListNames,
  branchNames,
  isOfRelease,
  parseReleaseNumber,
  type ReleaseNumber,
} from '../release-number.ts'
import { readHeader } from '../sources/lines.ts'
import { TCE_FILE } from '../sources/tce.ts'
import { WMDA_FILES } from './fetched-file.ts'
import type { FileAccess } from './file-access.ts'

/** A file to fetch, with its possible paths, likeliest first. */
export interface WantedFile {
  readonly name: string
  readonly paths: readonly string[]
  readonly needed: boolean
}

/** The branch or folder that holds a release. */
export interface Home {
  /** `3580/`, or empty for the top. */
  readonly folder: string
  /** `3580/wmda/`, or the folder itself for loose files. */
  readonly wmda: string
}

export interface Definitions {
  /** Use hla_nom.txt, rel_dna_ser.txt and rel_ser_ser.txt of `wmda/pre2026`: the antigens as before 2026. */
  readonly antigensBefore2026?: boolean | undefined
}

const DEFINITIONS: ReadonlySet<string> = new Set(['hla_nom.txt', 'rel_dna_ser.txt', 'rel_ser_ser.txt'])

/** @throws {HlaError} not-found — when no folder holds the release */
export async function findHome(files: FileAccess, release: ReleaseNumber): Promise<Home> {
  // a numbered branch is chosen by its name, so that a wrong file in it is reported as such
  for (const branch of branchNames(release)) {
    const folder = `${branch}/`
    if (await files.has(`${folder}wmda/hla_nom.txt`)) return { folder, wmda: `${folder}wmda/` }
  }
  const seen: string[] = []
  for (const home of UNNUMBERED_HOMES) {
    const version = await versionAt(files, `${home.wmda}hla_nom.txt`)
    if (version === 'unknown' || (version !== undefined && isOfRelease(version, release))) return home
    if (version !== undefined) seen.push(version)
  }
  const holds = seen.length > 0 ? `: it holds ${[...new Set(seen)].join(', ')}` : ''
  const hint = advice`a release has wmda/hla_nom.txt, wmda/hla_nom_g.txt … and an allele list; ${command('data list', { args: ['--available', '--from', files.from] })} shows what is there` // prettier-ignore
  throw new HlaError('not-found', `no IPD-IMGT/HLA ${release.label} in ${files.from}${holds}`, { offending: release.label, hint }) // prettier-ignore
}

/** Release of a branch without a number; undefined when there is none. */
export async function versionAt(files: FileAccess, path: string): Promise<string | undefined> {
  const bytes = await files.readStart(path, HEADER_BYTES)
  if (!bytes) return undefined
  return readHeader(bytes.toString('latin1')).version ?? 'unknown'
}

/** Bytes that contain a file's header lines. */
export const HEADER_BYTES = 2000

export function neededFiles(
  release: ReleaseNumber,
  home: Home,
  { antigensBefore2026 = false }: Definitions = {},
): WantedFile[] {
  const [listName = ''] = alleleListNames(release)
  const folderOf = (file: string) =>
    antigensBefore2026 && DEFINITIONS.has(file) ? `${home.wmda}pre2026/` : home.wmda
  const wmda = WMDA_FILES.map((file) => ({
    name: `wmda/${file}`,
    paths: [folderOf(file) + file],
    needed: true,
  }))
  const lists = [`${home.folder}Allelelist.txt`, 'Latest/Allelelist.txt']
  const paths = [...alleleListPaths(release, home), ...lists]
  return [...wmda, { name: `allelelist/${listName}`, paths: distinct(paths), needed: true }]
}

/** Files that only some features need. The release's own branch precedes the latest one, since it does not change. */
export function optionalFiles(home: Home, { antigensBefore2026 = false }: Definitions = {}): WantedFile[] {
  const folders = [home.folder, 'Latest/', '']
  const top = ['Deleted_alleles.txt', 'Allelelist_history.txt', 'Allele_status.txt', 'md5checksum.txt']
  const files = top.map((name) => ({
    name,
    paths: distinct(folders.map((folder) => folder + name)),
    needed: false,
  }))
  // of the release itself: epitope groups of another one are other answers
  const tce = distinct([TCE_FILE, basename(TCE_FILE)].map((path) => home.folder + path))
  files.push({ name: TCE_FILE, paths: tce, needed: false })
  if (antigensBefore2026) {
    const path = 'pre2026/md5checksum.txt'
    files.push({ name: `wmda/${path}`, paths: [home.wmda + path], needed: false })
  }
  // with loose files, the folder's list of checksums was added above
  if (home.wmda === home.folder) return files
  return [...files, { name: 'wmda/md5checksum.txt', paths: [`${home.wmda}md5checksum.txt`], needed: false }]
}

/** Allele list of another release, for lifting names. */
export function otherAlleleList(minor: number, home: Home): WantedFile {
  const release = parseReleaseNumber(`3.${minor}`)
  const [name = ''] = alleleListNames(release)
  return { name: `allelelist/${name}`, paths: alleleListPaths(release, home), needed: false }
}

/** Loose files are all at the top; old numbers are moved to `Latest`. */
export const UNNUMBERED_HOMES: readonly Home[] = [
  { folder: '', wmda: 'wmda/' },
  { folder: 'Latest/', wmda: 'Latest/wmda/' },
  { folder: '', wmda: '' },
]

/** Paths of an allele list; lists were at the top of each branch before they got a folder. */
function alleleListPaths(release: ReleaseNumber, home: Home): string[] {
  const folders = [
    `${home.folder}allelelist/`,
    'Latest/allelelist/',
    'allelelist/',
    home.folder,
    'Latest/',
    '',
  ]
  return distinct(folders.flatMap((folder) => alleleListNames(release).map((name) => folder + name)))
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
