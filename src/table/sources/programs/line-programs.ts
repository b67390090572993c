/** Typing programs that write lines of their own form, read line by line: a row each. */
import { DRB345, locusInTyping } from '../../words/locus-header.ts'
import { HlaError } from '../../../errors.ts'
import { toByteText } from '../../input/encoding.ts'
import { gatheredDialect } from '../long-table.ts'
import type { ExtraColumn, RecordInput, TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, beginsWith, matchesMostLines, slotAt } from './program-format.ts'

type LineReader = (text: string, line: number) => readonly TypingRecord[]

interface LineProgram extends Pick<ProgramFormat, 'name' | 'isWrittenBy' | 'example'> {
  readonly title: string
  /** Omit when it is the title. */
  readonly summary?: string
  readonly reading: string
  readonly extras?: readonly ExtraColumn[]
  readonly ignored?: readonly string[]
  /** True when a file with another beginning is refused even on request. */
  readonly isStrict?: boolean
  /** Reader of one file. It counts text that looks like a typing but is not in `leftOut`. */
  readonly reader: (leftOut: Map<string, number>) => LineReader
}

const HLA_HD_TYPING = String.raw`(?:HLA-[A-Z0-9]+\*\S+|Not typed|-)`
const T1K_ALLELE = String.raw`(?:\.|\S+\*\S+)\t-?[\d.]+\t-?[\d.]+`
const T1K_GENES = matchesMostLines(
  new RegExp(String.raw`^[A-Z][A-Z0-9-]*\t[0-2]\t${T1K_ALLELE}\t${T1K_ALLELE}(?:\t|$)`),
)
/** Its list of alleles, PREFIX_allele.tsv. */
const T1K_LISTED = /^((?:HLA-)?[A-Z][A-Z0-9]*)\*\S+[ \t](?:-1|[0-5]?\d|60)\s*$/
const KOURAMI_LINE = /^(?:HLA-)?[A-Z][A-Z0-9]*\*\S+\t\d+\t[\d.]+(?:e-\d+)?\t\d+\t\d+(?:\t[\d.]+){3}\s*$/i
const DIPLOTYPE = /^(HLA-)?([A-Z][A-Z0-9]*)\t(\*[^/\t]+)(?:\/(\*[^/\t]+))?(?:\t.*)?$/
const PREDICTION = /^\s*Prediction #(\d+) - ([A-Z0-9]+)\*/
const CANDIDATE = /^\s*(?:HLA-)?([A-Z0-9]+)(\*[\d:]+\w?),([\d.]+),([^,]+),([\d.-]+)\s*$/
const RANKED = /^\s*(\d+) ranked ([A-Z0-9]+)\*(\S+) \(abundance: ([\d.]+)%\)/

const TABLE: readonly LineProgram[] = [
  {
    name: 'hla-hd',
    title: 'HLA-HD',
    example: 'A\tHLA-A*24:02:01\tHLA-A*02:01:01',
    isWrittenBy: matchesMostLines(
      new RegExp(String.raw`^[A-Z0-9]+\t${HLA_HD_TYPING}\t${HLA_HD_TYPING}(?:\t|$)`),
    ),
    reading:
      'one line per locus; - means homozygous (for DRB3, DRB4 and DRB5 one copy), Not typed means untyped',
    reader: () => readHlaHd,
  },
  {
    name: 't1k',
    title: 'T1K',
    example: 'HLA-A\t2\tHLA-A*02:01:01\t40.5\t20\tHLA-A*24:02:01\t38.1\t18',
    isWrittenBy: (lines) => T1K_GENES(lines) || isT1kList(lines),
    reading: 'gene, alleles, and allele, abundance and quality twice; or allele and quality; . is no allele',
    extras: ([1, 2] as const).flatMap((slot) =>
      ['abundance', 'quality'].map((name) => ({ name, isOfTyping: true, slot })),
    ),
    ignored: ['further alleles'],
    reader: (leftOut) => (text, line) => readT1k(text, line, leftOut),
  },
  {
    name: 'kourami',
    title: 'Kourami',
    example: 'A*02:01:01G\t546\t1.0\t546\t546\t43.0\t22.0\t11.0',
    isWrittenBy: matchesMostLines(KOURAMI_LINE),
    reading: 'one line per allele, a homozygous one twice',
    extras: ['matched', 'identity'].map((name) => ({ name, isOfTyping: true })),
    ignored: ['lengths and coverages'],
    reader: () => readKourami,
  },
  {
    name: 'pharmcat',
    title: 'PharmCAT',
    summary: "PharmCAT's calls of other programs",
    example: 'HLA-A\t*02:01/*24:02',
    isWrittenBy: (lines) =>
      matchesMostLines(DIPLOTYPE)(lines.filter((line) => !line.startsWith('#'))) &&
      lines.some((line) => line.startsWith('HLA-')),
    reading: 'gene and diplotype: / separates the two copies',
    reader: () => readDiplotype,
  },
  {
    name: 'polysolver',
    title: 'POLYSOLVER',
    example: 'HLA-A\thla_a_02_01_01_01\thla_a_24_02_01_01',
    isWrittenBy: matchesMostLines(
      /^HLA-([A-Z0-9]+)\thla_[a-z0-9]+(?:_\d+)+[a-z]?\thla_[a-z0-9]+(?:_\d+)+[a-z]?\s*$/,
    ),
    reading: 'one line per locus; hla_a_02_01 is A*02:01',
    reader: () => readPolysolver,
  },
  {
    name: 'spechla',
    title: 'SpecHLA',
    example: 'Sample\tHLA_A_1\tHLA_A_2 … S1\tA*02:01:01:01\tA*24:02:01:01',
    // a line with the release precedes the header
    isWrittenBy: beginsWith(/^#/, /^Sample(?:\tHLA_[A-Z0-9]+_[12])+\s*$/),
    isStrict: true,
    reading: 'one row per sample below HLA_A_1, HLA_A_2 and so on',
    reader: specHlaReader,
  },
  {
    name: 'hlaminer',
    title: 'HLAminer',
    example: 'Prediction #1 - A*24 … A*24:02P,9000.5,1e-200,2000',
    isWrittenBy: (lines) => lines.some((line) => line.includes('Prediction #') && PREDICTION.test(line)),
    reading: 'the best candidates of predictions 1 and 2 of each gene',
    extras: [
      { name: 'score', isOfTyping: true },
      { name: 'confidence', isOfTyping: true },
    ],
    ignored: ['candidates with a lower score', 'Expect values'],
    reader: hlaMinerReader,
  },
  {
    name: 'hisat-genotype',
    title: 'HISAT-genotype',
    summary: "HISAT-genotype's report",
    example: '1 ranked A*02:01:01:01 (abundance: 51.00%)',
    isWrittenBy: (lines) =>
      lines.some(
        (line) => line.includes('HISAT-genotype') || (line.includes(' ranked ') && RANKED.test(line)),
      ),
    reading: 'the alleles of rank 1 and 2 of each gene',
    extras: [{ name: 'abundance', isOfTyping: true }],
    ignored: ['alleles of rank 3 and below', 'counts of reads'],
    reader: () => readHisatGenotype,
  },
  {
    name: 'hlaforest',
    title: 'HLAforest',
    // from the root of the allele's tree to its leaf
    example: 'ROOT:A\tROOT:A:02\tROOT:A:02:01',
    isWrittenBy: matchesMostLines(/^ROOT:[A-Z0-9]+(?:\tROOT:[A-Z0-9]+(?::\w+)+)*\s*$/, 'ROOT:'),
    reading: 'one line per allele; ROOT:A:02:01 is A*02:01',
    reader: () => readHlaForest,
  },
]

export const LINE_PROGRAMS: readonly ProgramFormat[] = TABLE.map(
  ({ title, summary = title, isStrict = false, reading, extras = [], ignored = [], reader, ...program }) => ({
    ...program,
    title,
    summary,
    open(file) {
      if (isStrict && !program.isWrittenBy(file.lines)) return undefined
      const leftOut = new Map<string, number>()
      return {
        format: title,
        reading,
        personName: 'sample',
        extras,
        ignored,
        leftOut,
        dialect: gatheredDialect({ ...file.dialect, delimiter: '\t' }),
        blocks() {
          // the file may be read again
          leftOut.clear()
          return lineRecords(file, reader(leftOut))
        },
      }
    },
  }),
)

/** Maximum characters of a line. */
const MAX_LENGTH = 1024 * 1024

async function* lineRecords(
  { input, dialect }: RecordInput,
  read: LineReader,
): AsyncGenerator<readonly TypingRecord[]> {
  let [held, number] = ['', 0]
  const lineAt = (line: string) => read(line.replace(/\r$/, ''), (number += 1))
  for await (const chunk of toByteText(input.chunks(), dialect)) {
    const lines = (held + chunk.toString('latin1')).split('\n')
    held = lines.pop() ?? ''
    if (held.length > MAX_LENGTH)
      throw new HlaError('io', `line ${number + 1} is too long for a line of ${input.name}`)
    yield lines.flatMap(lineAt)
  }
  yield lineAt(held)
}

type LineTyping = Pick<TypingRecord, 'locus' | 'typing' | 'slot'>

/** A typing of the person that the file is about. */
function record(line: number, typing: LineTyping, values: readonly string[] = []): TypingRecord {
  return { person: undefined, ...typing, line, values }
}

function readHlaHd(text: string, line: number): readonly TypingRecord[] {
  const [locus = '', ...typings] = text.split('\t').map((part) => part.trim())
  if (text.trim() === '') return []
  // one chromosome may lack the gene: one detected allele is one copy
  const again = DRB345.includes(locus) ? '' : (typings[0] ?? '')
  return typings.map((typing, at) => {
    const own = typing === '-' && at > 0 ? again : typing
    const isNone = own === 'Not typed' || own === '-'
    return record(line, { locus, typing: isNone ? '' : slashed(own), slot: slotAt(at) })
  })
}

/** `HLA-A*01:01,HLA-A*01:02` -> `A*01:01/A*01:02` */
function slashed(alleles: string): string {
  return alleles.replaceAll('HLA-', '').replaceAll(',', '/')
}

/** Note for alleles of quality 0 or less: T1K prints them, and means none (mourisl/T1K, issue 15). */
const NO_QUALITY = 'alleles of quality 0 or less'

/** At most two alleles of each of several genes: other lists of alleles have counts beside them. */
function isT1kList(lines: readonly string[]): boolean {
  const genes = new Map<string, number>()
  for (const line of lines) {
    if (line.trim() === '') continue
    const [, gene] = (line.includes('*') ? T1K_LISTED.exec(line) : undefined) ?? []
    if (gene === undefined) return false
    genes.set(gene, (genes.get(gene) ?? 0) + 1)
  }
  return genes.size >= MIN_T1K_GENES && [...genes.values()].every((count) => count <= 2)
}

const MIN_T1K_GENES = 3

function readT1k(text: string, line: number, leftOut: Map<string, number>): readonly TypingRecord[] {
  if (text.trim() === '') return []
  const read = (allele: string, quality: string) => {
    if (allele === '.') return ''
    if (quality.trim() === '' || !(Number(quality) <= 0)) return slashed(allele)
    leftOut.set(NO_QUALITY, (leftOut.get(NO_QUALITY) ?? 0) + 1)
    return ''
  }
  const [, listed] = T1K_LISTED.exec(text) ?? []
  if (listed !== undefined) {
    const [allele = '', quality = ''] = text.trim().split(/[ \t]/)
    const typing = read(allele, quality)
    return [
      record(line, { locus: listed.replace(/^HLA-/, ''), typing, slot: undefined }, [
        '',
        quality,
        '',
        quality,
      ]),
    ]
  }
  const [gene = '', , first = '', a1 = '', q1 = '', second = '', a2 = '', q2 = ''] = text.split('\t')
  const locus = gene.trim().replace(/^HLA-/, '')
  const typings = [read(first, q1), read(second, q2)]
  return typings.map((typing, at) => record(line, { locus, typing, slot: slotAt(at) }, [a1, q1, a2, q2]))
}

/** Alleles that the program cannot distinguish are separated by `;`. */
function readKourami(text: string, line: number): readonly TypingRecord[] {
  const [names = '', matched = '', identity = ''] = text.split('\t')
  const typing = names.trim().replaceAll('HLA-', '').replaceAll(';', '/')
  if (typing === '') return []
  return [
    record(line, { locus: locusInTyping(typing) ?? typing, typing, slot: undefined }, [matched, identity]),
  ]
}

/** Lines of genes whose calls have another form, such as a phenotype, hold no typing. */
function readDiplotype(text: string, line: number): readonly TypingRecord[] {
  const [, prefix, locus = '', ...copies] = DIPLOTYPE.exec(text.trim()) ?? []
  const named = copies.filter((copy) => copy !== undefined)
  return named.map((copy, at) =>
    record(line, { locus, typing: prefix === undefined ? copy : `${locus}${copy}`, slot: slotAt(at) }),
  )
}

function readPolysolver(text: string, line: number): readonly TypingRecord[] {
  const [locus = '', ...names] = text.trim().split('\t')
  if (locus === '') return []
  return names.map((name, at) =>
    record(line, { locus: locus.replace(/^HLA-/, ''), typing: spelled(name), slot: slotAt(at) }),
  )
}

/** Names in another form are unchanged, and fail. */
function spelled(name: string): string {
  const [, locus, fields, suffix = ''] = /^hla_([a-z0-9]+)((?:_\d+)+)([a-z]?)$/.exec(name) ?? []
  if (locus === undefined || fields === undefined) return name
  return `${locus.toUpperCase()}*${fields.slice(1).replaceAll('_', ':')}${suffix.toUpperCase()}`
}

function specHlaReader(): LineReader {
  let columns: readonly { readonly locus: string; readonly slot: 1 | 2 }[] | undefined
  return (text, line) => {
    if (text.startsWith('#') || text.trim() === '') return []
    const [person = '', ...cells] = text.split('\t').map((cell) => cell.trim())
    if (columns === undefined) {
      columns = cells.map((name) => ({ locus: name.slice(4, -2), slot: name.endsWith('1') ? 1 : 2 }))
      return []
    }
    return columns.map(({ locus, slot }, at) => ({
      ...record(line, { locus, typing: (cells[at] ?? '').replaceAll(';', '/'), slot }),
      person,
    }))
  }
}

/** A prediction is complete when the next begins: a candidate as good as the best is one more possibility. */
function hlaMinerReader(): LineReader {
  let rank = 0
  let best: TypingRecord | undefined
  return (text, line) => {
    const predicted = PREDICTION.exec(text)
    const [, locus, fields, score = '', , confidence = ''] = CANDIDATE.exec(text) ?? []
    if (predicted === null && locus !== undefined && fields !== undefined && (rank === 1 || rank === 2)) {
      const typing = `${locus}${fields}`
      best ??= record(line, { locus, typing, slot: rank }, [score, confidence])
      if (best.values[0] === score && best.typing !== typing && !best.typing.split('/').includes(typing))
        best = { ...best, typing: `${best.typing}/${typing}` }
      return []
    }
    // another prediction, an empty line or a heading ends this one
    if (predicted !== null) rank = Number(predicted[1])
    const done = best
    best = undefined
    return done === undefined ? [] : [done]
  }
}

function readHisatGenotype(text: string, line: number): readonly TypingRecord[] {
  const [, rank, locus = '', fields = '', abundance = ''] = RANKED.exec(text) ?? []
  if (rank !== '1' && rank !== '2') return []
  return [record(line, { locus, typing: `${locus}*${fields}`, slot: rank === '1' ? 1 : 2 }, [abundance])]
}

function readHlaForest(text: string, line: number): readonly TypingRecord[] {
  const leaf = text.trim().split('\t').at(-1) ?? ''
  if (leaf === '') return []
  const [, locus = '', ...fields] = leaf.split(':')
  const typing = fields.length === 0 ? '' : `${locus}*${fields.join(':')}`
  return [record(line, { locus, typing, slot: undefined })]
}
