/**
 * A release in the form of 2026, built from available files: 3.58.0 with the real names and antigens of 3.64.0 (HATS),
 * the relations and sample assignments of the published preview, confidential names, and the definitions before 2026.
 * New alleles join the groups of their neighbours.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ReleaseTexts, groupBy } from '../../src/reference/compile/compile.ts'
import { compareNames } from '../../src/nomenclature/order.ts'
import { publishedTexts } from './published-texts.ts'
import { sharedPath } from './shared.ts'

const PREVIEW = 'upstream/nomenclature-2026'
const HATS = 'hats-4.1.0-3.64.0.tsv.gz'

export const hasPreview = existsSync(sharedPath(PREVIEW, HATS))

/** Names that only hla_nom.txt has, like DRB4*01:03:01:25 … of 3.59.0 (public thread 393). */
export const CONFIDENTIAL = [
  'DPA1*02:974N',
  'DRB1*15:01:01:933',
  'DRB4*01:03:01:925',
  'DRB5*01:01:01:910',
] as const

export interface HatsRow {
  readonly allele: string
  /** `F`, `S`, `I`, `U`, `NULL`, `held back` … */
  readonly qualifier: string
  /** Empty if there is none. */
  readonly associated: string
  readonly split: string
  readonly broad: string
}

/** Every allele of eleven genes of the real 3.64.0; four in ten have only a name. */
export function hatsRows(): readonly HatsRow[] {
  const text = gunzipSync(readFileSync(sharedPath(PREVIEW, HATS))).toString('utf8')
  const known = (cell = '') => (cell === 'UNA' || cell === 'None' ? '' : cell)
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [allele = '', qualifier = '', associated, split, broad] = line.split('\t')
      return {
        allele,
        qualifier,
        associated: known(associated),
        split: known(split),
        broad: known(broad),
      }
    })
}

/** Antigens of the report -> numbers that were published before. */
const RENAMED: Readonly<Record<string, string>> = {
  A203: '0203', A210: '0210', A2403: '2403', B703: '0703', B2708: '2708', B3901: '3901', B3902: '3902',
  B4005: '4005', B5102: '5102', B5103: '5103', DR103: '0103', DR1403: '1403', DR1404: '1404',
} // prettier-ignore

/** First column of 3.64.0 for alleles whose antigen is neither in the sample nor equal to their name. */
const ASSIGNED: Readonly<Record<string, string>> = {
  'DRB1*14:17': '1402',
  'B*07:13': '0713',
  'B*67:02': '6702',
}

let texts: ReleaseTexts | undefined
export function texts2026(): ReleaseTexts {
  return (texts ??= makeTexts())
}

function makeTexts(): ReleaseTexts {
  const before = publishedTexts('3580')
  const serology = readFileSync(sharedPath(PREVIEW, 'rel_ser_ser.txt'), 'utf8')
  const sample = readFileSync(sharedPath(PREVIEW, 'rel_dna_ser.sample.txt'), 'utf8')
  const oldRows = dataLines(before.alleleList).slice(1)
  const accessions = new Map(oldRows.map((row) => [row.split(',')[1] ?? '', row.split(',')[0] ?? '']))
  const hats = hatsRows()
  const genes = new Set(hats.map(({ allele }) => locusOf(allele)))
  const today = new Set(hats.map(({ allele }) => allele))
  const gone = [...accessions.keys()].filter((name) => genes.has(locusOf(name)) && !today.has(name))
  const names = [...accessions.keys()].filter((name) => !genes.has(locusOf(name))).concat([...today])
  const young = names.filter((name) => !accessions.has(name))
  const homeOf = homes(gone)
  // A*01:32 became A*01:32:01 and kept its accession number
  for (const name of young) {
    const former = homeOf(name)
    const known = former === undefined ? undefined : accessions.get(former)
    const taken = known !== undefined && !accessions.has(`${former}:01`) && name === `${former}:01`
    accessions.set(name, taken ? known : `HLA9${String(accessions.size).padStart(5, '0')}`)
  }
  const loci = [...new Set(oldRows.map((row) => locusOf(row.split(',')[1] ?? '')))]
  const sorted = inGenes(names, loci)
  const change = { gone: new Set(gone), young, homeOf }
  const gGroups = groups(before.gGroups, 'G', change)
  return {
    alleleList: ['AlleleID,Allele', ...sorted.map((name) => `${accessions.get(name)},${name}`)].join('\n'),
    nomenclature: nomenclature(before.nomenclature, serology, { ...change, loci }),
    gGroups,
    pGroups: groups(before.pGroups, 'P', change, matesIn(gGroups)),
    dnaSerology: assignments(before.dnaSerology, { serology, sample, names: sorted, hats }),
    serology,
  }
}

interface Change {
  readonly gone: ReadonlySet<string>
  readonly young: readonly string[]
  /** The former name that a name extends: `A*01:32` for `A*01:32:01`. */
  readonly homeOf: (name: string) => string | undefined
}

function homes(gone: readonly string[]): (name: string) => string | undefined {
  const former = new Set(gone)
  return (name) => prefixes(name).find((prefix) => former.has(prefix))
}

/** `A*01:32:01:02` -> `A*01:32:01`, `A*01:32`; with and without the letter of the name. */
function prefixes(name: string): string[] {
  const letter = /[A-Z]$/.exec(name)?.[0] ?? ''
  const fields = name.replace(/[A-Z]$/, '').split(':')
  const cut = [3, 2].filter((count) => count < fields.length).map((count) => fields.slice(0, count).join(':'))
  return [...cut.map((one) => one + letter), ...cut]
}

function inGenes(names: readonly string[], loci: readonly string[]): string[] {
  const byLocus = groupBy(names, locusOf)
  return loci.flatMap((locus) => (byLocus.get(locus) ?? []).sort(compareNames))
}

function nomenclature(
  text: string,
  serology: string,
  { gone, young, loci }: Pick<Change, 'gone' | 'young'> & { readonly loci: readonly string[] },
): string {
  const rows = dataLines(text).map((row) => {
    const [locus = '', name = ''] = row.split(';')
    return gone.has(locus + name) ? `${locus};${name};20100401;20251015;;Name extended` : row
  })
  const known = new Set(rows.map((row) => row.split(';', 2).join('')))
  const antigens = dataLines(serology).flatMap((line) => {
    const [letters = '', number = '', , associated = ''] = line.split(';')
    const before = /\d$/.test(letters) ? `${letters}${number}` : letters
    return associated === '' ? [] : associated.split('/').map((one) => [before, one] as const)
  })
  const assigned = antigens.filter(([letters, number]) => !known.has(letters + number))
  const added = inGenes([...young, ...CONFIDENTIAL], loci).map(
    (name) => `${name.replace('*', '*;')};20260416;;;`,
  )
  return [...assigned.map(([letters, number]) => `${letters};${number};20260416;;;`), ...added, ...rows].join(
    '\n',
  )
}

/**
 * Adds a new allele to the group of alleles with the same three fields (P: two), or else of its former name; otherwise
 * it stays alone.
 */
function groups(
  text: string,
  kind: 'G' | 'P',
  { gone, young, homeOf }: Change,
  mates: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const formOf = (name: string) => prefixed(name, kind === 'G' ? 3 : 2)
  const nameOf = ({ locus, members: [first = ''] }: { locus: string; members: readonly string[] }) =>
    formOf(first).slice(locus.length) + kind
  const lines = dataLines(text).map((row) => {
    const [locus = '', members = '', name = ''] = row.split(';')
    return { locus, name, members: members.split('/').map((member) => locus + member) }
  })
  const lineOf = new Map(lines.flatMap((line) => line.members.map((member) => [member, line] as const)))
  const lineOfForm = new Map(
    lines.flatMap((line) => line.members.map((member) => [formOf(member), line] as const)),
  )
  for (const name of young) {
    if (kind === 'P' && name.endsWith('N')) continue
    const former = [homeOf(name) ?? '', ...(mates.get(name) ?? [])].find((one) => lineOf.has(one))
    const line = lineOfForm.get(formOf(name)) ?? lineOf.get(former ?? '')
    if (line !== undefined) line.members.push(name)
    else {
      const alone = { locus: `${locusOf(name)}*`, name: '', members: [name] }
      lines.push(alone)
      lineOfForm.set(formOf(name), alone)
    }
  }
  const left = lines
    .map((line) => ({ ...line, members: line.members.filter((name) => !gone.has(name)).sort(compareNames) }))
    .filter(({ members }) => members.length > 0)
  // a line with several alleles is a group, named after the first
  const named = left.map((line) => ({
    ...line,
    name: line.members.length === 1 ? line.name : line.name || nameOf(line),
  }))
  const byLocus = groupBy(named, ({ locus }) => locus)
  return [...byLocus.values()]
    .flatMap((some) => some.sort((a, b) => compareNames(a.members[0] ?? '', b.members[0] ?? '')))
    .map(
      ({ locus, members, name }) =>
        `${locus};${members.map((one) => one.slice(locus.length)).join('/')};${name}`,
    )
    .join('\n')
}

/** Allele -> members of its G group, which all are in one P group. */
function matesIn(gGroups: string): Map<string, readonly string[]> {
  return new Map(
    dataLines(gGroups).flatMap((row) => {
      const [locus = '', members = ''] = row.split(';')
      const names = members.split('/').map((member) => locus + member)
      return names.map((name) => [name, names] as const)
    }),
  )
}

interface Assigned {
  readonly serology: string
  readonly sample: string
  readonly names: readonly string[]
  readonly hats: readonly HatsRow[]
}

function assignments(published: string, { serology, sample, names, hats }: Assigned): string {
  const rowOf = (lines: string) =>
    new Map(dataLines(lines).map((line) => [line.split(';', 2).join(''), line]))
  const before = rowOf(published)
  const sampled = rowOf(sample)
  const named = new Set(
    dataLines(serology).flatMap((line) => {
      const [letters = '', , , associated = ''] = line.split(';')
      return associated.split('/').map((number) => letters + number)
    }),
  )
  const ofProtein = new Map([...before.values()].map((row) => [prefixed(row.split(';', 2).join(''), 2), row]))
  const hatsOf = new Map(hats.map((row) => [row.allele, row.associated || row.split || row.broad]))
  const hatsOfProtein = new Map([...hatsOf].filter(([, antigen]) => antigen !== '').map(([name, antigen]) => [prefixed(name, 2), antigen])) // prettier-ignore
  return names
    .map((name) => {
      const known = sampled.get(name)
      if (known !== undefined) return known
      const cells = (before.get(name) ?? ofProtein.get(prefixed(name, 2)) ?? neighbour(name)).split(';')
      const antigen = name.endsWith('N') ? '' : hatsOf.get(name) || hatsOfProtein.get(prefixed(name, 2)) || ''
      return assignment(name, cells, antigen, named)
    })
    .join('\n')
}

/** A row with the antigen of the first field, like `A*;02:829;;;2;;3201` in the sample. */
function neighbour(name: string): string {
  const number = /^(?:A|B|C|DRB1|DQB1)\*(\d+)/.exec(name)?.[1]
  return `${name.replace('*', '*;')};${name.endsWith('N') ? '0' : ''};;${name.endsWith('N') || number === undefined ? '' : String(Number(number))};`
}

/**
 * A row like `A*;02:01:01:01;0201;;;;0201`: if the allele's own name is a published antigen, it fills the first
 * columns; otherwise they keep the split.
 */
function assignment(
  name: string,
  cells: readonly string[],
  hats: string,
  named: ReadonlySet<string>,
): string {
  const letters = lettersOf(name)
  const [, , unambiguous = '', possible = '', assumed = ''] = cells
  const anew = (numbers: string) =>
    numbers.split('/').map((number) => RENAMED[letters + number] ?? number).join('/') // prettier-ignore
  const own =
    ASSIGNED[prefixed(name, 2)] ??
    prefixed(name, 2)
      .slice(locusOf(name).length + 1)
      .replace(':', '')
  const isNamed = (named.has(letters + own) || prefixed(name, 2) in ASSIGNED) && !/N$|^DRB[345]/.test(name)
  const number = hats.startsWith(letters) ? hats.slice(letters.length) : hats
  const kept = [anew(unambiguous), anew(possible), anew(assumed)]
  // Cw12 and Cw14 to Cw18 were assigned in 2026
  const isNew = /^Cw1[2-8]/.test(hats) && !/[1-9]/.test(kept.join(''))
  const first = isNamed ? [own, '', ''] : isNew ? ['', '', hats.slice(2, 4)] : kept
  return [name.replace('*', '*;'), ...first, '', number || (isNamed ? own : '')].join(';')
}

/** Same rule as in src/reference/compile/hats.ts, which tests compare with it. */
function lettersOf(name: string): string {
  const locus = locusOf(name)
  if (locus === 'C') return 'Cw'
  return /^D(?:[PQ]A|PB)/.test(locus) ? locus.slice(0, 3) : locus.slice(0, 2)
}

function locusOf(name: string): string {
  return name.slice(0, name.indexOf('*'))
}

/** The first fields of a name, without the letter. */
function prefixed(name: string, count: number): string {
  const fields = name.replace(/[A-Z]$/, '').split(':')
  if (fields.length === 2 && count === 3) fields.push('01')
  return fields.slice(0, count).join(':')
}

function dataLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line !== '' && !line.startsWith('#'))
}

const WMDA = {
  'hla_nom.txt': 'nomenclature',
  'hla_nom_g.txt': 'gGroups',
  'hla_nom_p.txt': 'pGroups',
  'rel_dna_ser.txt': 'dnaSerology',
  'rel_ser_ser.txt': 'serology',
} as const

/**
 * Writes a folder from which 3.58.0 and 3.64.0 can be installed, in the published layout: 3.64.0 with checksums and
 * `wmda/pre2026`.
 */
export function writeReleases(folder: string): string {
  const published = (...path: string[]) => readFileSync(sharedPath('upstream/IMGTHLA', ...path), 'utf8')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const writeWithSums = (path: string, files: ReadonlyMap<string, string>) => {
    for (const [name, text] of files) write(`${path}/${name}`, text)
    const sums = [...files].map(
      ([name, text]) => `MD5 (${name}) = ${createHash('md5').update(text).digest('hex')}\n`,
    )
    write(`${path}/md5checksum.txt`, sums.join(''))
  }
  const { alleleList, ...made } = texts2026()
  const wmda = Object.entries(WMDA)
  for (const [name] of wmda) write(`3580/wmda/${name}`, published('3580/wmda', name))
  const today = wmda.map(([name, key]) => [name, headed(`wmda/${name}`, made[key])] as const)
  writeWithSums('3640/wmda', new Map([...today, ['README.md', 'About these files.\n']]))
  writeWithSums('3640/wmda/pre2026', new Map(Object.entries(textsBefore2026())))
  const list = published('Latest/allelelist/Allelelist.3580.txt')
  write('Latest/allelelist/Allelelist.3580.txt', list)
  write('Latest/allelelist/Allelelist.3640.txt', headed('Allelelist.3640.txt', alleleList))
  write('Latest/Deleted_alleles.txt', published('Latest/Deleted_alleles.txt'))
  return folder
}

/** `wmda/pre2026`: current names with the antigens of 3.58.0, in six columns, below a longer header. */
function textsBefore2026(): Record<string, string> {
  const { nomenclature: names, alleleList } = texts2026()
  const before = publishedTexts('3580')
  const rows = new Map(dataLines(before.dnaSerology).map((row) => [row.split(';', 2).join(''), row]))
  const ofProtein = new Map([...rows].map(([name, row]) => [prefixed(name, 2), row]))
  const old = new Set(dataLines(before.nomenclature).filter((row) => !row.includes('*')))
  const antigens = new Set([...old].map((row) => row.split(';', 2).join('')))
  const oldNeighbour = (name: string) => {
    const row = neighbour(name)
    const number = row.split(';')[4] ?? ''
    return antigens.has(lettersOf(name) + number) ? row : `${name.replace('*', '*;')};;;;`
  }
  const dna = dataLines(alleleList).slice(1).map((line) => {
    const name = line.split(',')[1] ?? ''
    const row = rows.get(name) ?? ofProtein.get(prefixed(name, 2)) ?? oldNeighbour(name)
    const isNull = name.endsWith('N')
    return [name.replace('*', '*;'), ...(isNull ? ['0', '', '', ''] : row.split(';').slice(2, 6))].join(';')
  }) // prettier-ignore
  const nom = dataLines(names).filter((row) => row.includes('*') || old.has(row))
  const files = {
    'hla_nom.txt': nom.join('\n'),
    'rel_dna_ser.txt': dna.join('\n'),
    'rel_ser_ser.txt': before.serology,
  }
  const disclaimer = '# Disclaimer: these are the definitions before 2026.'
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, headed(`wmda/pre2026/${name}`, text, [disclaimer])]),
  )
}

/** Current headers have a date only in hla_nom.txt. */
function headed(name: string, text: string, more: readonly string[] = []): string {
  const date = name.endsWith('hla_nom.txt') ? ['# date: 2026-04-16'] : []
  const lines = ['# version: IPD-IMGT/HLA 3.64.0', '# author: IPD Team (ipdsubs@anthonynolan.org)']
  return [`# file: ${name}`, ...date, ...lines, ...more, ...dataLines(text)].join('\n')
}
