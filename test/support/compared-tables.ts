/** Compares two texts in this process as the command line compares two files. */
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { compareFiles } from '../../src/table/concordance/compare-files.ts'
import type { ComparisonCounts, DifferenceRow, FilesCompared } from '../../src/table/concordance/verdicts.ts'
import type { ComparedFile } from '../../src/table/concordance/side-reader.ts'
import { personName } from '../../src/table/sources/gathering/person.ts'
import { type Failure, failureText } from '../../src/table/output/failure-report.ts'
import { openTable } from '../../src/table/plan/open-table.ts'
import type { RawTableOptions } from '../../src/options/table-options.ts'
import { readRequest } from '../../src/table/plan/raw-table-options.ts'
import { localAnswering } from '../../src/table/run/table-job.ts'
import { openFiles } from '../../src/table/run/open-input.ts'
import { smallMacs, smallRelease } from './small-release.ts'

const answering = localAnswering(makeKnowledge({ release: smallRelease(), mac: smallMacs() }))

export interface ComparedTables {
  readonly compared: FilesCompared
  readonly counts: ComparisonCounts
  readonly rows: readonly DifferenceRow[]
  readonly failures: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
}

interface Options extends RawTableOptions {
  readonly method?: string
  readonly loci?: readonly string[]
  readonly names?: readonly [string, string]
  /** Bytes per read. */
  readonly piece?: number
}

export async function comparedTables(
  left: string,
  right: string,
  { method = 'lgx', loci, names = ['left.csv', 'right.csv'], piece = 1 << 16, ...raw }: Options = {},
): Promise<ComparedTables> {
  const rows: DifferenceRow[] = []
  const failures: Failure[] = []
  const pairs: (readonly [string, string])[] = []
  const input = { reduction_method: method }
  const compared = await compareFiles({
    left: await opened(names[0], left, { ...raw, piece }),
    right: await opened(names[1], right, { ...raw, piece }),
    facts: answering.facts,
    executor: answering.executor,
    methods: [{ method, leftInput: input, rightInput: input }],
    loci: loci === undefined ? undefined : new Set(loci),
    failed: (failure) => failures.push(failure),
    differs: (row) => rows.push(row),
    passed: () => undefined,
    paired: (one, other) => pairs.push([one, other]),
  })
  const [first] = compared.methods
  if (first === undefined) throw new Error('no method')
  return {
    compared,
    counts: first.counts,
    rows,
    failures: failures.map((one) => failureText(one, '?')),
    pairs,
  }
}

/** Verdicts for one person and locus. */
export function verdictsOf(rows: readonly DifferenceRow[], person: string, locus: string): string[] {
  return rows
    .filter((row) => row.person === person && row.locus === locus)
    .map(({ verdict }) => verdict as string)
}

async function opened(
  name: string,
  text: string,
  { piece, ...raw }: RawTableOptions & { readonly piece: number },
): Promise<ComparedFile> {
  const content = Buffer.from(text)
  async function* bytes() {
    for (let at = 0; at < content.length; at += piece)
      yield await Promise.resolve(content.subarray(at, at + piece))
  }
  const reading = readRequest(raw, undefined, [])
  const source = { name, title: name, size: content.length, bytes }
  const { facts } = answering
  const asked = { source, reading, layout: undefined, facts, isHashed: false, delimiter: ',' }
  const input = await openFiles({ ...asked, opened: (one) => one })
  const table = await openTable(input, reading, undefined, facts)
  const ofFile = input.source === undefined ? '' : personName(name, raw.sampleFrom)
  return { name, table, ragged: 'error', personName: ofFile }
}
