/** HIBAG, the `value` of a prediction as written by R: one row per sample, for one locus named only by the file. */
import { advice, clause, option } from '../../../../advice.ts'
import { basename } from 'node:path'
import { HlaError } from '../../../../errors.ts'
import { makeHeader } from '../../../plan/header.ts'
import { longSource } from '../long-table.ts'
import type { RecordInput } from '../typing-record.ts'
import type { ProgramFormat, BeginningTest } from './line-records.ts'

/** Row numbers may precede it. */
const HEADER = /^[,\t ]?sample\.id([,\t ])allele1\1allele2\1prob(?:\1matching)?\s*$/
const isWrittenBy: BeginningTest = ([first = '']) => HEADER.test(first.replaceAll('"', ''))

export const HIBAG: ProgramFormat = {
  name: 'hibag',
  summary: 'HIBAG, one file per locus, named after it: HLA-A.csv',
  example: '"S1","02:01","24:02",0.98,0.0031',
  isWrittenBy,
  open(file) {
    const { dialect, lines, input } = file
    if (!isWrittenBy(lines)) return undefined
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
      hint: advice`name it after its locus, as in HLA-A.csv${clause`, or ${option('table-loci', 'A')}`}`,
    },
  )
}
