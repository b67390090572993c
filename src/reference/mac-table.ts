/** The on-disk index of multiple allele codes: code to expansion, expansion to codes, prefix to codes. */
import { type ByteSource, checkedSource, fileSource, memorySource } from './mac/byte-source.ts'
import { codeIndex, setIndex } from './mac/indexes.ts'
import { keySpan, packCode, unpackCode } from './mac/code-key.ts'
import { damaged, HEADER_BYTES, readLayout } from './mac/layout.ts'
import { listMembers, listSet } from './mac/list-codec.ts'
import { hashSet, memberSet, sameSet } from './mac/member-set.ts'

export { encodeMacTable } from './mac/encode.ts'
export { MAC_FORMAT_VERSION } from './mac/layout.ts'

export interface MacExpansion {
  /** Second fields only (`01`), to be put behind any first field; else both (`25:01`). */
  readonly generic: boolean
  /** As in the published text, in its order. */
  readonly members: readonly string[]
}

/** Look-ups in a damaged file throw `HlaError` bad-release-file. */
export interface MacTable {
  /** Of the list: `'YYYY-MM-DD'`. */
  readonly date: string
  /** Number of codes. */
  readonly size: number
  /** Of the source text file. */
  readonly sha256: string
  /** The code that was given out last, by the order in which they are; empty in an empty list. */
  readonly last: string
  /** `undefined` when the list has no such code. */
  expand(code: string): MacExpansion | undefined
  /**
   * All codes whose set of members equals `members`, shortest first, then alphabetical. Order, repeats and
   * leading zeros do not matter; generic and specific are different.
   */
  codesOf(members: readonly string[], generic: boolean): string[]
  /** Codes that begin with `prefix` ('' = all), alphabetical, a block at a time. */
  codesWithPrefix(prefix: string): Iterable<string>
  close(): void
}

/**
 * From disk; nothing but the header is read before the first look-up.
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

/** The same over bytes in memory. */
export function readMacTable(bytes: Uint8Array): MacTable {
  return macTableFrom(memorySource(bytes))
}

/** Compares all of it with its sums. Gives the hash of the text that it was made from. @throws {HlaError} bad-release-file, unknown-format, truncated-file */
export function verifyMacTable(bytes: Uint8Array): string {
  const raw = memorySource(bytes)
  const { fileBytes, sha256 } = readLayout(raw)
  checkedSource(raw, fileBytes, () => fail(raw)).read(0, fileBytes)
  return sha256
}

/** Opened when something of it is asked for. */
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
  // what the layout was read from
  source.read(0, HEADER_BYTES)
  const { date, size, sha256, last, codeWidth } = layout
  const codes = codeIndex(source, layout)
  const sets = setIndex(source, layout)
  const known = expansionMemo()
  return {
    date,
    size,
    sha256,
    last,
    expand(code) {
      const found = known.get(code)
      if (found !== undefined) return found
      const key = packCode(code, codeWidth)
      const list = key === undefined ? undefined : codes.find(key)
      if (list === undefined) return undefined
      const members = listMembers(list) ?? fail(source)
      return known.set(code, { generic: isGeneric(members), members })
    },
    codesOf(members, generic) {
      if (isGeneric(members) !== generic) return []
      const wanted = memberSet(members)
      const same = sets.candidates(hashSet(wanted)).filter((key) => {
        const list = codes.find(key) ?? fail(source)
        return sameSet(wanted, listSet(list) ?? fail(source))
      })
      // candidates are in alphabetical order and the sort keeps it among codes of one length
      return same.map((key) => unpackCode(key, codeWidth)).sort((one, other) => one.length - other.length)
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

/** The same few thousand codes come again and again, behind other first fields. Started again when full. */
function expansionMemo() {
  const expansions = new Map<string, MacExpansion>()
  let size = 0
  return {
    get: (code: string) => expansions.get(code),
    set(code: string, expansion: MacExpansion) {
      if (size > MOST_MEMBERS) expansions.clear()
      size = (expansions.size === 0 ? 0 : size) + expansion.members.length
      expansions.set(code, expansion)
      return expansion
    },
  }
}

/** Some 10 MB. */
const MOST_MEMBERS = 200_000

function isGeneric(members: readonly string[]): boolean {
  return !members.some((member) => member.includes(':'))
}

function fail(source: ByteSource): never {
  throw damaged(source)
}
