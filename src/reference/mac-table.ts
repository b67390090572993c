/** On-disk index of multiple allele codes: code -> expansion, expansion -> codes, prefix -> codes. */
import { type ByteSource, checkedSource, fileSource, memorySource } from './mac/byte-source.ts'
import { codeIndex, setIndex } from './mac/indexes.ts'
import { keySpan, packCode, unpackCode } from './mac/code-key.ts'
import { damagedError, HEADER_BYTES, readLayout } from './mac/layout.ts'
import { listMembers, listSet } from './mac/list-codec.ts'
import { hashSet, memberSet, sameSet } from './mac/member-set.ts'

export { encodeMacTable } from './mac/encode.ts'
export { MAC_FORMAT_VERSION } from './mac/layout.ts'

export interface MacExpansion {
  /** True: second fields only (`01`), valid after any first field; false: both (`25:01`). */
  readonly generic: boolean
  /** As published, in published order. */
  readonly members: readonly string[]
}

/** Look-ups in a damaged file throw `HlaError` bad-release-file. */
export interface MacTable {
  /** Date of the list: `'YYYY-MM-DD'`. */
  readonly date: string
  /** Number of codes. */
  readonly size: number
  /** sha256 of the source text. */
  readonly sha256: string
  /** Code assigned last, by the order of assignment; '' in an empty list. */
  readonly last: string
  /** `undefined` when the list lacks the code. */
  expand(code: string): MacExpansion | undefined
  /**
   * Codes whose set of members equals `members`, shortest first, then alphabetical. Order, repeats and leading zeros do
   * not matter; generic and specific codes are distinct.
   */
  codesOf(members: readonly string[], generic: boolean): string[]
  /** Codes that begin with `prefix` ('' = all), alphabetical; read block by block. */
  codesWithPrefix(prefix: string): Iterable<string>
  close(): void
}

/**
 * Opens a table on disk; only the header is read before the first look-up.
 * @throws {HlaError} bad-release-file, unknown-format, truncated-file, io
 */
export function openMacTable(path: string): MacTable {
  const source = fileSource(path)
  try {
    return macTableFrom(source)
  } catch (error) {
    source.close()
    throw error
  }
}

/** Opens a table in memory. */
export function readMacTable(bytes: Uint8Array): MacTable {
  return macTableFrom(memorySource(bytes))
}

/**
 * Checks all page checksums; returns the hash of the source text.
 * @throws {HlaError} bad-release-file, unknown-format, truncated-file
 */
export function verifyMacTable(bytes: Uint8Array): string {
  const raw = memorySource(bytes)
  const { fileBytes, sha256 } = readLayout(raw)
  checkedSource(raw, fileBytes, () => fail(raw)).read(0, fileBytes)
  return sha256
}

/** A table opened at its first use. */
export function lateMacTable(open: () => MacTable): MacTable {
  let opened: MacTable | undefined
  const table = () => (opened ??= open())
  return {
    get date() {
      return table().date
    },
    get size() {
      return table().size
    },
    get sha256() {
      return table().sha256
    },
    get last() {
      return table().last
    },
    expand: (code) => table().expand(code),
    codesOf: (members, generic) => table().codesOf(members, generic),
    codesWithPrefix: (prefix) => table().codesWithPrefix(prefix),
    close: () => opened?.close(),
  }
}

function macTableFrom(raw: ByteSource): MacTable {
  const layout = readLayout(raw)
  const source = checkedSource(raw, layout.fileBytes, () => fail(raw))
  // the bytes the layout was read from
  source.read(0, HEADER_BYTES)
  const { date, size, sha256, last, codeWidth } = layout
  const codes = codeIndex(source, layout)
  const sets = setIndex(source, layout)
  const memo = expansionMemo()
  return {
    date,
    size,
    sha256,
    last,
    expand(code) {
      const expansion = memo.get(code)
      if (expansion !== undefined) return expansion
      const key = packCode(code, codeWidth)
      const list = key === undefined ? undefined : codes.find(key)
      if (list === undefined) return undefined
      const members = listMembers(list) ?? fail(source)
      return memo.set(code, { generic: isGeneric(members), members })
    },
    codesOf(members, generic) {
      if (isGeneric(members) !== generic) return []
      const set = memberSet(members)
      const keys = sets.candidates(hashSet(set)).filter((key) => {
        const list = codes.find(key) ?? fail(source)
        return sameSet(set, listSet(list) ?? fail(source))
      })
      // candidates are in alphabetical order, which the sort keeps among codes of one length
      return keys.map((key) => unpackCode(key, codeWidth)).sort((one, other) => one.length - other.length)
    },
    *codesWithPrefix(prefix) {
      const low = prefix === '' ? 0 : packCode(prefix, codeWidth)
      if (low === undefined) return
      const high = low + keySpan(prefix.length, codeWidth)
      for (const key of codes.keysBetween(low, high)) yield unpackCode(key, codeWidth)
    },
    close: () => source.close(),
  }
}

/** Cache: the same few thousand codes recur after different first fields. Emptied when full. */
function expansionMemo() {
  const expansions = new Map<string, MacExpansion>()
  let size = 0
  return {
    get: (code: string) => expansions.get(code),
    set(code: string, expansion: MacExpansion) {
      if (size > MAX_MEMBERS) expansions.clear()
      size = (expansions.size === 0 ? 0 : size) + expansion.members.length
      expansions.set(code, expansion)
      return expansion
    },
  }
}

/** Maximum number of cached members, some 10 MB. */
const MAX_MEMBERS = 200_000

function isGeneric(members: readonly string[]): boolean {
  return !members.some((member) => member.includes(':'))
}

function fail(source: ByteSource): never {
  throw damagedError(source)
}
