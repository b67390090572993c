/** Checksums published with the files. Pure. */
import { createHash } from 'node:crypto'
import { type FetchedFile, isChecksumList } from './fetched-file.ts'

/**
 * Published files have been corrected without new checksums (IMGTHLA issue 321): the user decides whether to accept
 * one.
 */
export interface Md5Report {
  /** Names of files on a list of checksums whose content matches. */
  readonly matching: readonly string[]
  /** Names of files on a list of checksums whose content differs. */
  readonly differing: readonly string[]
}

export function compareMd5(files: readonly FetchedFile[]): Md5Report {
  const lists = files.filter(isChecksumList)
  const matching: string[] = []
  const differing: string[] = []
  for (const file of files) {
    const published = isChecksumList(file) ? undefined : publishedMd5(lists, file)
    if (published === undefined) continue
    const isPublished = md5Of(file.bytes) === published || md5Of(withLineFeeds(file.bytes)) === published
    ;(isPublished ? matching : differing).push(file.name)
  }
  return { matching, differing }
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}

/** Restores LF line ends, which a checkout on Windows may change. */
function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

/** Lines are `MD5 (hla_nom.txt) = 841e…`. */
function publishedMd5(lists: readonly FetchedFile[], file: FetchedFile): string | undefined {
  const line = `MD5 (${splitOrigin(file).base}) = `
  for (const list of lists.filter((candidate) => speaksFor(candidate, file))) {
    const text = list.bytes.toString('latin1')
    const at = text.indexOf(line)
    if (at !== -1) return text.slice(at + line.length, at + line.length + MD5_DIGITS).toLowerCase()
  }
  return undefined
}

/**
 * True when a list applies to a file: one in the same folder. The list of `wmda/` may come from the latest branch, but
 * does not cover `wmda/pre2026/`.
 */
function speaksFor(list: FetchedFile, file: FetchedFile): boolean {
  const [lists, files] = [splitOrigin(list).folder, splitOrigin(file).folder]
  const isBefore2026 = (folder: string) => /[/\\]pre2026[/\\]$/.test(folder)
  const areOfWmda = list.name.startsWith('wmda/') && file.name.startsWith('wmda/')
  return lists === files || (areOfWmda && isBefore2026(lists) === isBefore2026(files))
}

function splitOrigin({ origin }: FetchedFile): { folder: string; base: string } {
  const end = Math.max(origin.lastIndexOf('/'), origin.lastIndexOf('\\'))
  return { folder: origin.slice(0, end + 1), base: origin.slice(end + 1) }
}

const MD5_DIGITS = 32
