/** Typing programs that write a long table with their own header. */
import { advice, clause, option } from '../../../advice.ts'
import { basename } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { makeHeader } from '../../plan/header.ts'
import { longSource } from '../long-table.ts'
import type { RecordInput } from '../typing-record.ts'
import { type BeginningTest, type ProgramFormat, beginsWith } from './program-format.ts'

interface LongProgram extends Pick<ProgramFormat, 'name' | 'isWrittenBy'> {
  readonly title: string
  readonly example: string
  /** Lines before the header. */
  readonly preamble?: number
  /** Column numbers, from 0; undefined when the alleles name their loci. */
  readonly locus: number | undefined
  readonly alleles: readonly number[]
  readonly slot?: number
  readonly scores: readonly string[]
  readonly clean?: (typing: string) => string
}

/** Removes `'`, which marks a little-known allele; `no` means none. */
const unmarked = (typing: string) => (typing === 'no' ? '' : typing.replace(/'$/, ''))

const CONFIDENCE = /^#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence$/

/** Columns of its newer versions, too: all are about one allele. */
const LILAC_SCORES = [
  ...['Ref', 'Tumor', 'Rna'].flatMap((of) => ['Total', 'Unique', 'Shared', 'Wild'].map((what) => of + what)),
  'TumorCopyNumber', 'SomaticMissense', 'SomaticNonsenseOrFrameshift', 'SomaticSplice', 'SomaticSynonymous',
  'SomaticInframeIndel',
] // prettier-ignore

const TABLE: readonly LongProgram[] = [
  {
    name: 'phlat',
    isWrittenBy: beginsWith(/^Locus\tAllele1\tAllele2\tLLtot\t[Pp]val1\t[Pp]val2$/),
    title: 'PHLAT',
    example: 'HLA_A\tA*02:01:01\tA*24:02:01\t-1042.5\t1.0e-02\t0.3',
    locus: 0,
    alleles: [1, 2],
    scores: ['LLtot', 'pval1', 'pval2', 'Pval1', 'Pval2'],
  },
  {
    name: 'seq2hla',
    isWrittenBy: beginsWith(CONFIDENCE),
    title: 'seq2HLA',
    example: "DQA1\tDQA1*01:02'\t0.05\tDQA1*05:01\t0.2",
    locus: 0,
    alleles: [1, 3],
    scores: ['Confidence#1', 'Confidence#2'],
    clean: unmarked,
  },
  {
    name: 'rna2hla',
    isWrittenBy: beginsWith(/^-+HLA class/, CONFIDENCE),
    title: 'RNA2HLA',
    example: 'A\tA*02:01\t0.02\tA*24:02\t0.05',
    preamble: 1,
    locus: 0,
    alleles: [1, 3],
    scores: ['Confidence#1', 'Confidence#2'],
    clean: unmarked,
  },
  {
    name: 'hla-la',
    isWrittenBy: beginsWith(/^Locus\tChromosome\tAllele\tQ1\t/),
    title: 'HLA*LA',
    example: 'A\t1\tA*01:01:01G\t1\t-7\t40.5\t30\t25\t1\t0\t0\t1',
    locus: 0,
    slot: 1,
    alleles: [2],
    scores: ['Q1', 'AverageCoverage', 'perfectG'],
    // alleles that the program cannot distinguish
    clean: (typing) => typing.replaceAll(';', '/'),
  },
  {
    name: 'hlapers',
    isWrittenBy: beginsWith(/^locus\tallele\ttpm\tcounts$/),
    title: 'HLApers',
    example: 'A\tIMGT_A*02:01:01\t800.5\t520',
    locus: 0,
    alleles: [1],
    scores: ['tpm', 'counts'],
    clean: (typing) => typing.replace(/^IMGT_/, '').replaceAll('-IMGT_', '/'),
  },
  {
    name: 'lilac',
    isWrittenBy: beginsWith(/^Allele\tRefTotal\tRefUnique\tRefShared\tRefWild\t/),
    title: 'LILAC',
    example: 'A*02:01\t1250\t310\t930\t10\t0\t0\t0\t0',
    locus: undefined,
    alleles: [0],
    scores: LILAC_SCORES,
  },
]

export const LONG_PROGRAMS: readonly ProgramFormat[] = TABLE.map((program) => ({
  name: program.name,
  title: program.title,
  isWrittenBy: program.isWrittenBy,
  summary: program.title,
  example: program.example,
  open(file) {
    if (!program.isWrittenBy(file.lines)) return undefined
    const { preamble: at = 0, locus, alleles, slot, scores, clean } = program
    const names = (file.lines[at] ?? '').split('\t')
    const header = makeHeader(file.input.name, names, names.length)
    const columns = { sample: undefined, locus, alleles, slot }
    const dialect = { ...file.dialect, delimiter: '\t', preamble: at, quote: undefined }
    const isSkipped = (values: readonly string[]) => values.length === 1 || values[0] === '#Locus'
    return longSource(
      { ...file, dialect },
      {
        header,
        columns,
        format: program.title,
        scores,
        ...(clean && { clean }),
        ...(at > 0 && { isSkipped }),
      },
    )
  },
}))

/** Row numbers may precede it. */
const HIBAG_HEADER = /^[,\t ]?sample\.id([,\t ])allele1\1allele2\1prob(?:\1matching)?\s*$/
const isHibag: BeginningTest = ([first = '']) =>
  first.includes('sample.id') && HIBAG_HEADER.test(first.replaceAll('"', ''))

/** The `value` of a prediction as written by R: one row per sample, for one locus named only by the file. */
export const HIBAG: ProgramFormat = {
  name: 'hibag',
  title: 'HIBAG',
  summary: 'HIBAG, one file per locus, named after it: HLA-A.csv',
  example: '"S1","02:01","24:02",0.98,0.0031',
  isWrittenBy: isHibag,
  open(file) {
    const { dialect, lines, input } = file
    if (!isHibag(lines)) return undefined
    const names = (lines[0] ?? '').split(dialect.delimiter).map((name) => name.replaceAll('"', ''))
    const [sample, first, second] = ['sample.id', 'allele1', 'allele2'].map((name) => names.indexOf(name))
    const columns = { sample, locus: undefined, alleles: [first ?? 1, second ?? 2], slot: undefined }
    return longSource(file, {
      header: makeHeader(input.name, names, names.length),
      columns,
      format: 'HIBAG',
      scores: ['prob', 'matching'],
      fileLocus: locusOfFile(file),
      // R's row numbers are dropped
      left: names.flatMap((name, at) => (name === '' ? [at] : [])),
    })
  },
}

/** `HLA-A_cohort.csv`, `IMPUTED_DRB1_x.txt`. @throws {HlaError} usage — it names none, or several */
function locusOfFile({ input, isLocus, request }: RecordInput): string {
  const [asked, another] = request.loci ?? []
  if (asked !== undefined && another === undefined) return asked.replace(/^HLA-/i, '').toUpperCase()
  const words = basename(input.name).split(/[^A-Za-z0-9]+/)
  // lower-case letters may be anything
  const named = words.filter((word) => /^[A-Z]$/.test(word) || word.length > 2)
  const loci = new Set(named.map((word) => word.toUpperCase()).filter(isLocus))
  const [locus] = loci
  if (locus !== undefined && loci.size === 1) return locus
  const what = loci.size === 0 ? 'no locus' : `several loci (${[...loci].join(' ')})`
  throw new HlaError(
    'usage',
    `HIBAG writes one file per locus, but the file name ${input.name} contains ${what}`,
    {
      offending: input.name,
      hint: advice`name it after its locus, as in HLA-A.csv${clause`; ${option('long')} names it, too`}`,
    },
  )
}
