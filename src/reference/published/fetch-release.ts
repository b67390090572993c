/** Reads the files of one release from a source. */
import { HlaError } from '../../errors.ts'
import { type ReleaseNumber, isOfRelease } from '../release-number.ts'
import type { FetchedFile } from './fetched-file.ts'
import type { FileAccess } from './file-access.ts'
import { inParallel, LAST_MINOR, upTo } from './in-parallel.ts'
import {
  type Definitions,
  type Home,
  type WantedFile,
  findHome,
  neededFiles,
  optionalFiles,
  otherAlleleList,
  versionAt,
} from './layout.ts'

export interface FetchProgress {
  readonly files: number
  readonly bytes: number
  /** File read last. */
  readonly name: string
}

type Report = (progress: FetchProgress) => void
type FileReader = (wanted: WantedFile) => Promise<FetchedFile | undefined>

/** @throws {HlaError} not-found — the release, or a required file, is missing */
export async function fetchRelease(
  files: FileAccess,
  release: ReleaseNumber,
  onProgress: Report,
  definitions: Definitions = {},
): Promise<FetchedFile[]> {
  const home = await findHome(files, release)
  const read = fileReader(files, release, onProgress)
  const wantedFiles = [...neededFiles(release, home, definitions), ...optionalFiles(home, definitions)]
  const fetched = await inParallel(wantedFiles, read)
  if (!fetched.some((file) => file.name === 'wmda/md5checksum.txt')) fetched.push(...(await latestChecksums(files, release, read))) // prettier-ignore
  // the history has in one file what the single lists have
  if (fetched.some((file) => file.name === 'Allelelist_history.txt')) return fetched
  const names = new Set(fetched.map((file) => file.name))
  const minor = Number(release.label.split('.')[1])
  const others = upTo(minor).map((index) => otherAlleleList(index, home)).filter(({ name }) => !names.has(name)) // prettier-ignore
  if (files.isRemote)
    return [...fetched, ...(await listsBeside(fetched, { files, others, minor, read, home }))]
  const lists = await inParallel(others, read)
  return [
    ...fetched,
    ...lists,
    ...(await laterLists(minor + 1, (index) => read(otherAlleleList(index, home)))),
  ]
}

interface OtherLists {
  readonly files: FileAccess
  /** Lists of earlier releases. */
  readonly others: readonly WantedFile[]
  readonly minor: number
  readonly read: FileReader
  readonly home: Home
}

/** Over the network each list is requested once: at the place of the release's own list, or in the newest branch. */
async function listsBeside(
  fetched: readonly FetchedFile[],
  { files, others, minor, read, home }: OtherLists,
): Promise<FetchedFile[]> {
  const ownPath =
    fetched.find(({ name }) => name.startsWith('allelelist/'))?.origin.slice(files.prefix.length) ?? ''
  const beside = ownPath.slice(0, ownPath.lastIndexOf('/') + 1)
  for (const folder of new Set([beside, LATEST_LISTS])) {
    const inFolder = (list: WantedFile) => ({
      ...list,
      paths: list.paths.filter((path) => path.startsWith(folder)).slice(0, 1),
    })
    const lists = await inParallel(others.map(inFolder), read)
    const later = await laterLists(minor + 1, (index) => read(inFolder(otherAlleleList(index, home))))
    if (lists.length + later.length > 0) return [...lists, ...later]
  }
  return []
}

const LATEST_LISTS = 'Latest/allelelist/'

/** Reads the first path that exists, and counts it. */
function fileReader(files: FileAccess, release: ReleaseNumber, onProgress: Report): FileReader {
  let count = 0
  let bytes = 0
  return async (file) => {
    for (const path of file.paths) {
      const content = await files.read(path)
      if (!content || !(await fits(files, path, release))) continue
      count += 1
      bytes += content.length
      onProgress({ files: count, bytes, name: file.name })
      return { name: file.name, bytes: content, origin: files.prefix + path }
    }
    if (file.needed) throw missing(files, file)
    return undefined
  }
}

/** A list without a number is that of the newest release, which may differ from the requested one. */
async function fits(files: FileAccess, path: string, release: ReleaseNumber): Promise<boolean> {
  if (!path.endsWith('Allelelist.txt')) return true
  const version = await versionAt(files, path)
  return version !== undefined && (version === 'unknown' || isOfRelease(version, release))
}

function missing(files: FileAccess, { name, paths: [path = name] }: WantedFile): HlaError {
  const hint = path.includes('pre2026/')
    ? 'the release has no definitions before 2026: leave out --antigens-before-2026'
    : undefined
  return new HlaError('not-found', `${files.prefix}${path} is missing`, { offending: path, hint })
}

/** A mirror may keep the newest release's checksums only in its latest branch. */
async function latestChecksums(
  files: FileAccess,
  release: ReleaseNumber,
  read: FileReader,
): Promise<FetchedFile[]> {
  const latest = await versionAt(files, 'Latest/wmda/hla_nom.txt')
  if (latest === undefined || !isOfRelease(latest, release)) return []
  const name = 'wmda/md5checksum.txt'
  const file = await read({ name, paths: [`Latest/${name}`], needed: false })
  return file ? [file] : []
}

/** Lists newer than the release, needed to lift names back to it; the first gap ends the search. */
async function laterLists(
  from: number,
  read: (minor: number) => Promise<FetchedFile | undefined>,
): Promise<FetchedFile[]> {
  const lists: FetchedFile[] = []
  for (let minor = from; minor <= LAST_MINOR; minor += 1) {
    const list = await read(minor)
    if (!list) break
    lists.push(list)
  }
  return lists
}
