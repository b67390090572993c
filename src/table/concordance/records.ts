/** What came of comparing two files, as records of the output formats and as a line. Pure. */
import {
  type CountsRecord,
  type FilesCompared,
  type LocusCounts,
  countsRecord,
  sumCounts,
} from './verdicts.ts'
import type { AnswerRecord } from '../../operations/answers/records.ts'
import { formatCount } from '../../format-count.ts'

export const CONCORDANCE_COLUMNS = [
  'locus',
  'method',
  'compared',
  'identical',
  'compatible',
  'null',
  'one_allele',
  'no_allele',
  'concordance',
  'allele_concordance',
  'missing_left',
  'missing_right',
  'unreadable',
  'copies',
] as const

const ALL = 'all'

/** One a locus and method, those of all loci last. */
export function locusRecords(compared: FilesCompared): AnswerRecord[] {
  return compared.methods.flatMap(({ method, counts }) => [
    ...sortedLoci(counts.loci).map(([locus, one]) => answerRecord(locus, method, countsRecord(one))),
    answerRecord(ALL, method, countsRecord(sumCounts(counts.loci.values()))),
  ])
}

/** Everything, for JSON. */
export function wholeRecord(
  compared: FilesCompared,
  [left, right]: readonly string[],
  release: string,
): AnswerRecord {
  const json = {
    release,
    left: { file: left, ...compared.left },
    right: { file: right, ...compared.right },
    persons: compared.persons,
    methods: compared.methods.map(({ method, counts }) => ({
      method,
      persons_compared: counts.compared,
      persons_concordant: counts.concordant,
      loci: sortedLoci(counts.loci).map(([locus, one]) => ({
        locus: shownLocus(locus),
        ...countsRecord(one),
      })),
      all: countsRecord(sumCounts(counts.loci.values())),
    })),
  }
  return { input: '', method: undefined, text: '', json, error: undefined }
}

function answerRecord(locus: string, method: string, record: CountsRecord): AnswerRecord {
  const json = { locus: shownLocus(locus), method, ...record }
  const values = new Map<string, string | number | null>(Object.entries(json))
  const cells = CONCORDANCE_COLUMNS.map((column) => `${values.get(column) ?? ''}`)
  return { input: '', method, text: '', json, cells, error: undefined }
}

/** What tells no locus has a line of its own. */
function shownLocus(locus: string): string {
  return locus === '' ? '?' : locus
}

function sortedLoci(loci: ReadonlyMap<string, LocusCounts>): [string, LocusCounts][] {
  return [...loci].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** `982 persons are in both files, 3 in a.csv alone, 5 in b.csv alone` */
export function concordanceLines(
  { persons, left, right, methods }: FilesCompared,
  names: readonly string[],
): string[] {
  const alone = [left, right].map(({ only }, at) => `${formatCount(only)} in ${names[at]} alone`)
  const broken = [left, right].flatMap(({ broken: rows }, at) =>
    rows === 0
      ? []
      : [`${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} of ${names[at]} could not be read`],
  )
  return [
    [`${formatCount(persons)} ${persons === 1 ? 'person is' : 'persons are'} in both files`, ...alone, ...broken].join(', '), // prettier-ignore
    ...methods.map(
      ({ method, counts }) =>
        `${method}: ${formatCount(counts.concordant)} of ${formatCount(counts.compared)} agree at every locus that both files have`,
    ),
  ]
}

/** Loci that one file has, of the persons in both: by side. */
export function oneSidedLoci({ methods }: FilesCompared): readonly [left: string[], right: string[]] {
  const [first] = methods
  const found: [string[], string[]] = [[], []]
  for (const [locus, counts] of sortedLoci(first?.counts.loci ?? new Map<string, LocusCounts>())) {
    const { compared, unreadable, missing_left: left, missing_right: right } = countsRecord(counts)
    if (compared + unreadable > 0 || locus === '') continue
    if (left === 0) found[0].push(locus)
    else if (right === 0) found[1].push(locus)
  }
  return found
}

/** True when a person or row is only in one file or unreadable, or a locus has a verdict other than `identical`. */
export function isDifferent({ left, right, methods }: FilesCompared): boolean {
  const alone = [left, right].some(({ only, broken }) => only + broken > 0)
  return (
    alone ||
    methods.some(({ counts }) =>
      [...counts.loci.values()].some(({ verdicts }) =>
        Object.entries(verdicts).some(([verdict, count]) => verdict !== 'identical' && count > 0),
      ),
    )
  )
}
