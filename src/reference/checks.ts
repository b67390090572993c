/** Checks of published files before they are compiled. Pure. */
import { basename } from 'node:path'
import { HlaError } from '../errors.ts'
import { type Contradiction, contradictionsIn } from './contradictions.ts'
import { type FetchedFile, isChecksumList, refusePointer, WMDA_FILES } from './published/fetched-file.ts'
import { type Md5Report, compareMd5 } from './published/md5.ts'
import { type ReleaseNumber, alleleListNames, compareReleases, isOfRelease } from './release-number.ts'
import { parseAlleleList } from './sources/allele-list.ts'
import { parseNomenclature } from './sources/nomenclature.ts'
import { TCE_FILE } from './sources/tce.ts'
import { type FileHeader, readDataLines, readHeader } from './sources/lines.ts'

export interface CheckReport {
  /** Date of the release, from its files: `2024-10-09`. */
  readonly date: string
  /** Names in the release's allele list. */
  readonly alleles: number
  /** Number of names in hla_nom.txt that the allele list lacks: confidential ones. */
  readonly notPublic: number
  readonly md5: Md5Report
  /** True when the published checksums confirm the files. */
  readonly isVouched: boolean
  /** Unusual or accepted findings, repeated by `hla version` and provenance files. */
  readonly warnings: readonly string[]
}

/**
 * @throws {HlaError} lfs-pointer, unknown-format, truncated-file — for a file of another kind or cut short
 * @throws {HlaError} bad-release-file — for a file of another release, or files that contradict each other; `accepting`
 * turns broken promises of the publisher into warnings
 */
export function checkFiles(
  files: readonly FetchedFile[],
  release: ReleaseNumber,
  { accepting = false } = {},
): CheckReport {
  const data = files.filter((file) => !isChecksumList(file))
  for (const file of files) refusePointer(file.origin, file.bytes)
  for (const file of data) {
    if (/^(?:wmda|allelelist|tce)\//.test(file.name)) refuseByteOrderMark(file)
    if (file.name.startsWith('wmda/')) checkTable(file, release)
    if (file.name.startsWith('allelelist/')) checkList(file, release)
    // early ones name no release
    if (file.name === TCE_FILE && readFileHeader(file).version !== undefined) checkVersion(file, release)
  }
  const nomenclature = data.find((file) => file.name === 'wmda/hla_nom.txt')
  const list = data.find((file) => isReleaseList(file, release))
  const names = list ? parseAlleleList(decodeFile(list)).map(({ name }) => name) : []
  const date = (nomenclature && readFileHeader(nomenclature).date) ?? 'undated'
  const md5 = compareMd5(files)
  const contradictions = [...compared(data, names), ...sizes(data, release)]
  // five files are in the list of checksums; the sixth, the allele list, is not
  const isPublished = WMDA_FILES.every((name) => md5.matching.includes(`wmda/${name}`))
  const grave = contradictions.filter(({ severity, isOfList }) => {
    if (severity === 'unusual' || (accepting && severity === 'broken-promise')) return false
    return !isPublished || isOfList
  })
  refuse(grave, data, release)
  const notPublic = nomenclature ? countNotPublic(decodeFile(nomenclature), names) : 0
  return {
    date,
    alleles: names.length,
    notPublic,
    md5,
    isVouched: isPublished,
    warnings: contradictions.map(sentence),
  }
}

function countNotPublic(nomenclature: string, names: readonly string[]): number {
  const listed = new Set(names)
  return [...parseNomenclature(nomenclature).inUse].filter((name) => !listed.has(name)).length
}

/** Empty when one of the files is missing, which is reported elsewhere. */
function compared(data: readonly FetchedFile[], list: readonly string[]): Contradiction[] {
  const texts = new Map(data.map((file) => [file.name, file]))
  const text = (name: string) => {
    const file = texts.get(`wmda/${name}`)
    return file && decodeFile(file)
  }
  const [nomenclature, gGroups, pGroups, dnaSerology, serology] = WMDA_FILES.map(text)
  if (
    nomenclature === undefined ||
    gGroups === undefined ||
    pGroups === undefined ||
    dnaSerology === undefined ||
    serology === undefined ||
    list.length === 0
  )
    return []
  const hasHats = readDataLines(dnaSerology)[0]?.text.split(';').length === 7
  return contradictionsIn({ list, nomenclature, gGroups, pGroups, dnaSerology, serology, hasHats })
}

/**
 * A release has at least nine tenths of the alleles of the one before; lists of other releases may be present for
 * comparison.
 */
function sizes(data: readonly FetchedFile[], release: ReleaseNumber): Contradiction[] {
  const list = data.find((file) => isReleaseList(file, release))
  if (list === undefined) return []
  const lists = data
    .filter((file) => file.name.startsWith('allelelist/') && file !== list)
    .flatMap((file) => ({ label: readFileHeader(file).version ?? '', alleles: countRows(file) }))
    .filter(({ label }) => label !== '' && !isOfRelease(label, release))
    .sort((a, b) => compareReleases(a.label, b.label))
  const alleles = countRows(list)
  const earlier = lists.findLast(({ label }) => compareReleases(label, release.label) < 0)
  const later = lists.find(({ label }) => compareReleases(label, release.label) > 0)
  const says = (other: { label: string; alleles: number }): Contradiction => ({
    file: list.name,
    text: `it has ${alleles} alleles, the list of ${other.label} ${other.alleles}`,
    severity: 'broken-promise',
  })
  return [
    ...(earlier && isFarFewer(alleles, earlier.alleles) ? [says(earlier)] : []),
    ...(later && isFarFewer(later.alleles, alleles) ? [says(later)] : []),
  ]
}

/** True when alleles are missing compared with the release before: the list was cut. */
export function isFarFewer(alleles: number, before: number): boolean {
  return alleles < before * 0.9
}

function countRows(file: FetchedFile): number {
  return parseAlleleList(decodeFile(file)).length
}

function refuse(
  contradictions: readonly Contradiction[],
  data: readonly FetchedFile[],
  release: ReleaseNumber,
): void {
  const [first] = contradictions
  if (first === undefined) return
  const origin = data.find(({ name }) => name === first.file)?.origin ?? first.file
  const more = contradictions.length > 1 ? `; ${contradictions.slice(1, 4).map(sentence).join('; ')}` : ''
  throw new HlaError(
    'bad-release-file',
    `the files of ${release.label} contradict each other: ${basename(first.file)}: ${first.text}${more}`,
    {
      offending: origin,
      hint: contradictions.some(({ severity }) => severity === 'damage') ? DAMAGE_HINT : PROMISE_HINT,
    },
  )
}

const DAMAGE_HINT =
  'one of them is damaged or of another release: fetch all of them again, with wmda/md5checksum.txt; files that match it are installed as they are'
const PROMISE_HINT =
  'fetch all of them again; if that is how they are published, --accept-changed installs them, and "hla version" says so'

function sentence({ file, text }: Contradiction): string {
  return `${basename(file)}: ${text}`
}

/** Date and version in the file's header; only its beginning is read. */
export function readFileHeader({ bytes }: FetchedFile): FileHeader {
  return readHeader(bytes.toString('latin1', 0, 2000))
}

/** Fields per line, separated by semicolons; `rel_dna_ser.txt` may have the HATS antigens as a seventh. */
const COLUMNS: Readonly<Record<string, readonly number[]>> = {
  'wmda/hla_nom.txt': [6],
  'wmda/rel_dna_ser.txt': [6, 7],
  'wmda/rel_ser_ser.txt': [4],
}

function checkTable(file: FetchedFile, release: ReleaseNumber): void {
  checkVersion(file, release)
  const lines = readDataLines(decodeFile(file))
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) throw cutOff(file, 'it has no rows')
  const expected = COLUMNS[file.name] ?? [3]
  const columns = first.text.split(';').length
  if (!expected.includes(columns))
    throw newFormat(file, `${columns} columns; ${expected.join(' or ')} are known`)
  if (last.text.split(';').length !== columns)
    throw cutOff(file, `its last line is "${last.text.slice(0, 60)}"`)
}

/** Lists of other releases serve to lift names, and may have any version. */
function checkList(file: FetchedFile, release: ReleaseNumber): void {
  if (isReleaseList(file, release)) checkVersion(file, release)
  const rows = readDataLines(decodeFile(file))
  const last = rows.at(-1)?.text ?? ''
  if (!COMPLETE_ROW.test(last)) throw cutOff(file, `its last line is "${last.slice(0, 60)}"`)
  const seen = new Set<string>()
  for (const { text, number } of rows) {
    const [accession = '', name = ''] = text.split(',')
    if (accession === 'AlleleID') continue
    if (!COMPLETE_ROW.test(text)) throw badLine(file, number, `it is "${text.slice(0, 60)}"`)
    const repeated = [accession, name].find((one) => seen.has(one))
    if (repeated !== undefined) throw badLine(file, number, `${repeated} is repeated`)
    seen.add(accession).add(name)
  }
}

/** Complete row of an allele list; a truncated name ends in one digit, a colon or an asterisk. */
const COMPLETE_ROW = /^HLA\d{5,},[A-Z0-9]+\*\d{2,}(:\d{2,})*[A-Z]?$/

function checkVersion(file: FetchedFile, release: ReleaseNumber): void {
  const { version } = readFileHeader(file)
  if (version !== undefined && isOfRelease(version, release)) return
  const difference = version === undefined ? 'does not state its release' : `is of IPD-IMGT/HLA ${version}`
  const hint = 'published files have a "# version:" line near the top; check where the file came from'
  const facts = { found: version ?? '', expected: release.label }
  throw new HlaError('bad-release-file', `${file.origin} ${difference}; ${release.label} was expected`, {
    offending: file.origin,
    hint,
    facts,
  })
}

/** A byte order mark shows that an editor has rewritten the file. */
function refuseByteOrderMark({ origin, bytes }: FetchedFile): void {
  if (!bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) return
  throw new HlaError(
    'bad-release-file',
    `${origin} begins with a byte order mark, which published files do not have`,
    {
      offending: origin,
      hint: 'a program has saved it again: download it again, or remove its first three bytes',
    },
  )
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function newFormat({ origin }: FetchedFile, found: string): HlaError {
  const hint = 'the file was edited, or its format changed after this version of hla'
  return new HlaError('unknown-format', `unknown nomenclature format: ${origin} has ${found}`, {
    offending: origin,
    hint,
  })
}

function badLine({ origin }: FetchedFile, line: number, why: string): HlaError {
  return new HlaError('bad-release-file', `${origin} has a bad line ${line}: ${why}`, {
    offending: origin,
    hint: 'copy or download the file again',
  })
}

function cutOff({ origin }: FetchedFile, why: string): HlaError {
  const hint = 'copy or download the file again'
  return new HlaError('truncated-file', `${origin} is not complete: ${why}`, { offending: origin, hint })
}

function isReleaseList(file: FetchedFile, release: ReleaseNumber): boolean {
  return file.name.startsWith('allelelist/') && alleleListNames(release).includes(basename(file.name))
}

function decodeFile(file: FetchedFile): string {
  return file.bytes.toString('latin1')
}
