/** `tce/dpb_tce.csv`: T-cell epitope groups of DPB1 alleles, by both published algorithms. */
import { HlaError } from '../../errors.ts'
import { readDataLines } from './lines.ts'

/** Path below a release. */
export const TCE_FILE = 'tce/dpb_tce.csv'

/** `1` is the most immunogenic group; `$` marks a predicted one; `0` an allele that is not expressed. */
export const TCE_GROUPS = ['0', '1', '2', '2a', '3', '1$', '2$', '2a$', '3$'] as const
export type TceGroup = (typeof TCE_GROUPS)[number]

export interface TceRow {
  /** Full name. */
  readonly allele: string
  /** By version 1 and version 2; undefined for an allele without a group. */
  readonly groups: readonly [TceGroup | undefined, TceGroup | undefined]
}

/**
 * Lines before the first allele are titles.
 * @throws {HlaError} bad-release-file — another value than the groups above, or a line cut short
 */
export function parseTce(text: string): TceRow[] {
  const lines = readDataLines(text)
  const first = lines.findIndex(({ text: line }) => line.startsWith('DPB1*'))
  if (first < 0) throw badTce('it has no DPB1 alleles')
  return lines.slice(first).map(({ text: line, number }) => {
    const [allele = '', , one, two] = line.split(',')
    if (!/^DPB1\*\d+(?::\d+)+[A-Z]?$/.test(allele) || one === undefined || two === undefined)
      throw badTce(`line ${number} is "${line.slice(0, 60)}"`)
    return { allele, groups: [readGroup(one, number), readGroup(two, number)] }
  })
}

function readGroup(value: string, line: number): TceGroup | undefined {
  if (value === '') return undefined
  const group = TCE_GROUPS.find((one) => one === value)
  if (group === undefined)
    throw badTce(`line ${line} has the group "${value.slice(0, 20)}"; ${TCE_GROUPS.join(', ')} are known`)
  return group
}

function badTce(why: string): HlaError {
  return new HlaError('bad-release-file', `dpb_tce.csv: ${why}`, {
    offending: TCE_FILE,
    hint: 'copy or download the file again; a release without it is installed, too, and answers all but the epitopes of DPB1',
  })
}
