/** Whether published files are what they should be, before anything is made of them. Pure. */
import { basename } from 'node:path'
import { HlaError } from '../errors.ts'
import { type Contradiction, contradictionsIn } from './contradictions.ts'
import { type FetchedFile, isChecksumList, refusePointer, WMDA_FILES } from './published/fetched-file.ts'
import { type Md5Report, compareMd5 } from './published/md5.ts'
import {
  type ReleaseNumber,
  alleleListNames,
  compareReleases,
  hasHatsColumn,
  isOfRelease,
} from './release-number.ts'
import { parseAlleleList } from './sources/allele-list.ts'
import { type FileHeader, readDataLines, readHeader } from './sources/lines.ts'

export interface CheckReport {
  /** Of the release, as its files say: `2024-10-09`. */
  readonly date: string
  /** Names in the release's allele list. */
  readonly alleles: number
  readonly md5: Md5Report
  /** Whether published checksums say that the files are what was published. */
  readonly isVouched: boolean
  /** What is odd but does not stop an installation. */
  readonly warnings: readonly string[]
}

/**
 * @throws {HlaError} lfs-pointer, unknown-format, truncated-file — for a file that is not what it should be
 * @throws {HlaError} bad-release-file — for one of another release, or files that contradict each other
 */
export function checkFiles(files: readonly FetchedFile[], release: ReleaseNumber): CheckReport {
  const data = files.filter((file) => !isChecksumList(file))
  for (const file of files) refusePointer(file.origin, file.bytes)
  for (const file of data) {
    if (file.name.startsWith('wmda/')) checkTable(file, release)
    if (file.name.startsWith('allelelist/')) checkList(file, release)
  }
  const nomenclature = data.find((file) => file.name === 'wmda/hla_nom.txt')
  const list = data.find((file) => isReleaseList(file, release))
  const names = list ? parseAlleleList(decodeFile(list)).map(({ name }) => name) : []
  const date = (nomenclature && readFileHeader(nomenclature).date) ?? 'undated'
  const md5 = compareMd5(files)
  const contradictions = [...compared(data, names, release), ...sizes(data, release)]
  // five files are on the list of checksums; the sixth, the allele list, is what hla_nom.txt says too
  const isVouched =
    WMDA_FILES.every((name) => md5.matching.includes(`wmda/${name}`)) &&
    !contradictions.some(({ file }) => file === 'wmda/hla_nom.txt')
  if (!isVouched) refuse(contradictions, data, release)
  return { date, alleles: names.length, md5, isVouched, warnings: contradictions.map(sentence) }
}

/** Nothing when one of the files is not there: those who need it say so. */
function compared(
  data: readonly FetchedFile[],
  list: readonly string[],
  release: ReleaseNumber,
): Contradiction[] {
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
  const hasHats = hasHatsColumn(release)
  return contradictionsIn({ list, nomenclature, gGroups, pGroups, dnaSerology, serology, hasHats })
}

/** A release has at least as many alleles as nine tenths of the one before it; the lists of others may lie beside it. */
function sizes(data: readonly FetchedFile[], release: ReleaseNumber): Contradiction[] {
  const own = data.find((file) => isReleaseList(file, release))
  if (own === undefined) return []
  const lists = data
    .filter((file) => file.name.startsWith('allelelist/') && file !== own)
    .flatMap((file) => ({ label: readFileHeader(file).version ?? '', alleles: countRows(file) }))
    .filter(({ label }) => label !== '' && !isOfRelease(label, release))
    .sort((a, b) => compareReleases(a.label, b.label))
  const alleles = countRows(own)
  const earlier = lists.findLast(({ label }) => compareReleases(label, release.label) < 0)
  const later = lists.find(({ label }) => compareReleases(label, release.label) > 0)
  const says = (other: { label: string; alleles: number }) => ({
    file: own.name,
    text: `it has ${alleles} alleles, that of ${other.label} ${other.alleles}`,
  })
  return [
    ...(earlier && isFarFewer(alleles, earlier.alleles) ? [says(earlier)] : []),
    ...(later && isFarFewer(later.alleles, alleles) ? [says(later)] : []),
  ]
}

/** Far fewer alleles than in the release before mean that something was cut. */
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
    { offending: origin, hint: 'one of them is damaged or of another release; fetch them again' },
  )
}

function sentence({ file, text }: Contradiction): string {
  return `${basename(file)}: ${text}`
}

/** The file's own date and version. Only its beginning is read. */
export function readFileHeader({ bytes }: FetchedFile): FileHeader {
  return readHeader(bytes.toString('latin1', 0, 2000))
}

/** Fields of a line as `wmda/README.md` describes them, divided by semicolons. */
function countColumns(name: string, release: ReleaseNumber): number {
  if (name === 'wmda/rel_dna_ser.txt') return hasHatsColumn(release) ? 7 : 6
  return { 'wmda/hla_nom.txt': 6, 'wmda/rel_ser_ser.txt': 4 }[name] ?? 3
}

function checkTable(file: FetchedFile, release: ReleaseNumber): void {
  checkVersion(file, release)
  const lines = readDataLines(decodeFile(file))
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) throw cutOff(file, 'it has no rows')
  const expected = countColumns(file.name, release)
  const found = first.text.split(';').length
  if (found !== expected) throw newFormat(file, `${found} columns, ${release.label} should have ${expected}`)
  if (last.text.split(';').length !== expected)
    throw cutOff(file, `its last line is "${last.text.slice(0, 60)}"`)
}

/** Lists of other releases are there for lifting names; any version will do. */
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
    if (seen.has(accession) || seen.has(name)) throw badLine(file, number, `${name} was there before`)
    seen.add(accession).add(name)
  }
}

/** A name that was cut off ends in one digit, a colon or an asterisk. */
const COMPLETE_ROW = /^HLA\d{5,},[A-Z0-9]+\*\d{2,}(:\d{2,})*[A-Z]?$/

function checkVersion(file: FetchedFile, release: ReleaseNumber): void {
  const { version } = readFileHeader(file)
  if (version !== undefined && isOfRelease(version, release)) return
  const found =
    version === undefined ? 'does not say which release it is of' : `is of IPD-IMGT/HLA ${version}`
  const hint = 'published files have a "# version:" line near the top; check where the file came from'
  const facts = { found: version ?? '', expected: release.label }
  throw new HlaError('bad-release-file', `${file.origin} ${found}; ${release.label} was expected`, {
    offending: file.origin,
    hint,
    facts,
  })
}

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
