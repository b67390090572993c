/**
 * Layout of the compiled history: header, number columns, then text. Little endian, as all but one platform of Node 20
 * are.
 */
import { HlaError } from '../../errors.ts'
import { sumBytes } from '../pages.ts'

/** A file of another version is refused and compiled anew. */
export const HISTORY_FORMAT_VERSION = 2

/** Number of runs, and bytes of the three texts. */
export interface HistorySizes {
  readonly runs: number
  readonly releases: number
  readonly names: number
  readonly deletions: number
}

/** Views on one buffer. Run `i` is entry `i` of each column; its name is `names[offsets[i]..offsets[i + 1]]`. */
export interface HistoryColumns {
  readonly offsets: Uint32Array
  readonly accessions: Uint32Array
  /** Runs by accession number, then by first release. */
  readonly byAccession: Uint32Array
  readonly first: Uint8Array
  readonly last: Uint8Array
  /** Labels, separated by one space. */
  readonly releases: Uint8Array
  /** ASCII, without separators. */
  readonly names: Uint8Array
  /** UTF-8: one row per line, three columns separated by tabs. */
  readonly deletions: Uint8Array
}

const MAGIC = 0x48_41_4c_48 // "HLAH" in the bytes of the file
/** Header words; the last is the checksum of the others and of the content. */
const HEADER = 8
const SUM_AT = (HEADER - 1) * 4

export function allocateHistory(sizes: HistorySizes): { bytes: Uint8Array; columns: HistoryColumns } {
  const bytes = new Uint8Array(encodedLength(sizes))
  const header = [
    MAGIC,
    HISTORY_FORMAT_VERSION,
    bytes.length,
    sizes.runs,
    sizes.releases,
    sizes.names,
    sizes.deletions,
  ]
  new Uint32Array(bytes.buffer, 0, HEADER).set(header)
  return { bytes, columns: viewColumns(bytes, sizes) }
}

/** Writes the checksum; call last. */
export function sealHistory(bytes: Uint8Array): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(SUM_AT, contentSum(bytes), true)
}

function contentSum(bytes: Uint8Array): number {
  return sumBytes(bytes, HEADER * 4, bytes.length, sumBytes(bytes, 0, SUM_AT))
}

/**
 * Views without copying; bytes at an unaligned offset are copied once.
 * @throws {HlaError} unknown-format — not such a file, or another version; truncated-file — shorter than it declares;
 * checksum-mismatch
 */
export function openHistory(given: Uint8Array): HistoryColumns {
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice()
  if (bytes.length < HEADER * 4)
    throw new HlaError('truncated-file', 'the compiled allele history is incomplete')
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER)
  const [magic, version, length, runs = 0, releases = 0, names = 0, deletions = 0] = header
  if (magic !== MAGIC) throw new HlaError('unknown-format', 'not a compiled allele history')
  if (version !== HISTORY_FORMAT_VERSION) {
    throw new HlaError(
      'unknown-format',
      `compiled allele history of version ${version}, not ${HISTORY_FORMAT_VERSION}`,
    )
  }
  const sizes = { runs, releases, names, deletions }
  if (bytes.length !== length || length !== encodedLength(sizes)) {
    throw new HlaError('truncated-file', 'the compiled allele history is incomplete')
  }
  if (contentSum(bytes) !== header[HEADER - 1])
    throw new HlaError('checksum-mismatch', 'the compiled allele history is damaged')
  return viewColumns(bytes, sizes)
}

function encodedLength({ runs, releases, names, deletions }: HistorySizes): number {
  return HEADER * 4 + (3 * runs + 1) * 4 + 2 * runs + releases + names + deletions
}

/** Four-byte columns come first, for alignment. */
function viewColumns({ buffer, byteOffset }: Uint8Array, sizes: HistorySizes): HistoryColumns {
  let at = byteOffset + HEADER * 4
  const take = (length: number) => (at += length) - length
  return {
    offsets: new Uint32Array(buffer, take((sizes.runs + 1) * 4), sizes.runs + 1),
    accessions: new Uint32Array(buffer, take(sizes.runs * 4), sizes.runs),
    byAccession: new Uint32Array(buffer, take(sizes.runs * 4), sizes.runs),
    first: new Uint8Array(buffer, take(sizes.runs), sizes.runs),
    last: new Uint8Array(buffer, take(sizes.runs), sizes.runs),
    releases: new Uint8Array(buffer, take(sizes.releases), sizes.releases),
    names: new Uint8Array(buffer, take(sizes.names), sizes.names),
    deletions: new Uint8Array(buffer, take(sizes.deletions), sizes.deletions),
  }
}
