/** Whether published files are what they should be, before anything is made of them. Pure. */
import { basename } from 'node:path'
import { HlaError } from '../errors.ts'
import { type FetchedFile, isChecksumList, refusePointer } from './published/fetched-file.ts'
import { type Md5Report, compareMd5 } from './published/md5.ts'
import { type ReleaseNumber, alleleListNames, hasHatsColumn, isOfRelease } from './release-number.ts'
import { parseAlleleList } from './sources/allele-list.ts'
import { type FileHeader, readDataLines, readHeader } from './sources/lines.ts'

export interface CheckReport {
  /** Of the release, as its files say: `2024-10-09`. */
  readonly date: string
  /** Names in the release's allele list. */
  readonly alleles: number
  readonly md5: Md5Report
  /** What is odd but does not stop an installation. */
  readonly warnings: readonly string[]
}

/** @throws {HlaError} lfs-pointer, bad-release-file, unknown-format, truncated-file — for a file that is not what it should be */
export function checkFiles(files: readonly FetchedFile[], release: ReleaseNumber): CheckReport {
  const data = files.filter((file) => !isChecksumList(file))
  for (const file of files) refusePointer(file.origin, file.bytes)
  for (const file of data) {
    if (file.name.startsWith('wmda/')) checkTable(file, release)
    if (file.name.startsWith('allelelist/')) checkList(file, release)
  }
  const nomenclature = data.find((file) => file.name === 'wmda/hla_nom.txt')
  const list = data.find((file) => isListOf(file, release))
  const alleles = list ? parseAlleleList(textOf(list)).length : 0
  const date = (nomenclature && headerOf(nomenclature).date) ?? 'undated'
  return { date, alleles, md5: compareMd5(files), warnings: oddities(data, alleles) }
}

/** The file's own date and version. Only its beginning is read. */
export function headerOf({ bytes }: FetchedFile): FileHeader {
  return readHeader(bytes.toString('latin1', 0, 2000))
}

/** Fields of a line as `wmda/README.md` describes them, divided by semicolons. */
function columnsOf(name: string, release: ReleaseNumber): number {
  if (name === 'wmda/rel_dna_ser.txt') return hasHatsColumn(release) ? 7 : 6
  return { 'wmda/hla_nom.txt': 6, 'wmda/rel_ser_ser.txt': 4 }[name] ?? 3
}

function checkTable(file: FetchedFile, release: ReleaseNumber): void {
  checkVersion(file, release)
  const lines = readDataLines(textOf(file))
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) throw cutOff(file, 'it has no rows')
  const expected = columnsOf(file.name, release)
  const found = first.text.split(';').length
  if (found !== expected) throw newFormat(file, `${found} columns, ${release.label} should have ${expected}`)
  if (last.text.split(';').length !== expected)
    throw cutOff(file, `its last line is "${last.text.slice(0, 60)}"`)
}

/** Lists of other releases are there for lifting names; any version will do. */
function checkList(file: FetchedFile, release: ReleaseNumber): void {
  if (isListOf(file, release)) checkVersion(file, release)
  const tail = readDataLines(file.bytes.toString('latin1', Math.max(0, file.bytes.length - 2000)))
  const last = tail.at(-1)?.text ?? ''
  if (!COMPLETE_ROW.test(last)) throw cutOff(file, `its last line is "${last.slice(0, 60)}"`)
}

/** A name that was cut off ends in one digit, a colon or an asterisk. */
const COMPLETE_ROW = /^HLA\d{5,},[A-Z0-9]+\*\d{2,}(:\d{2,})*[A-Z]?$/

function checkVersion(file: FetchedFile, release: ReleaseNumber): void {
  const { version } = headerOf(file)
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

function cutOff({ origin }: FetchedFile, why: string): HlaError {
  const hint = 'copy or download the file again'
  return new HlaError('truncated-file', `${origin} is not complete: ${why}`, { offending: origin, hint })
}

/** `rel_dna_ser.txt` has one row for each allele of the list (so in 3.29, 3.44, 3.53 and 3.58). */
function oddities(data: readonly FetchedFile[], alleles: number): string[] {
  const serology = data.find((file) => file.name === 'wmda/rel_dna_ser.txt')
  const rows = serology ? readDataLines(textOf(serology)).length : alleles
  if (rows === alleles) return []
  return [
    `rel_dna_ser.txt has ${rows} alleles, the allele list ${alleles}: one of the two may not be complete`,
  ]
}

function isListOf(file: FetchedFile, release: ReleaseNumber): boolean {
  return file.name.startsWith('allelelist/') && alleleListNames(release).includes(basename(file.name))
}

function textOf(file: FetchedFile): string {
  return file.bytes.toString('latin1')
}
