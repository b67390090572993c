/** Notes once that an output outgrows its input: antigens and codes become long lists. */
import { advice, clause, option } from '../../advice.ts'
import { messageText } from '../../operations/faces.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { TableJob } from './table-job.ts'

/** Output to input. */
const LARGE_RATIO = 10
/** Bytes below which size does not matter. */
const SMALL = 1_000_000

export type GrowthWatch = ReturnType<typeof watchGrowth>

/** Calls `outgrown` at most once. */
export function watchGrowth(outgrown: () => void) {
  let [read, written, isTold] = [0, 0, false]
  return {
    read: (bytes: number): void => void (read += bytes),
    wrote(bytes: number): void {
      written += bytes
      if (isTold || written < SMALL || written < LARGE_RATIO * read) return
      isTold = true
      outgrown()
    },
  }
}

/** Names the kinds of typings in the plan's sample that become long lists, as in `--keep`. */
export function largeOutput(
  { groups }: TablePlan,
  { operation, face }: Pick<TableJob, 'operation' | 'face'>,
) {
  const kinds = KINDS.filter(([, , isOf]) => groups.some(isOf))
  const canKeep = 'options' in operation.input.properties
  const keep = canKeep ? clause`; ${option('keep', kinds.map(([kind]) => kind).join(','))} leaves them as they are` : '' // prettier-ignore
  const cause =
    kinds.length === 0
      ? ''
      : advice`: ${kinds.map(([, title]) => title).join(' and ')} become long lists${keep}`
  const said = advice`the output is more than ${String(LARGE_RATIO)} times as large as the input${cause}`
  return { code: 'large-output', message: messageText(said, face ?? 'command-line') }
}

const ANTIGEN = /(?:^|[^\w:*])(?:HLA-)?[A-Z]+\d+(?![\w*])/i

const KINDS: readonly (readonly [kind: string, title: string, isOf: (group: PlannedGroup) => boolean])[] = [
  ['serology', 'antigens', ({ values, hasDigits, context }) => (hasDigits && context.digits === 'antigen') || values.some((value) => ANTIGEN.test(value))],
  ['xx', 'XX codes', ({ values }) => values.some((value) => /:XX\b/.test(value))],
  ['mac', 'multiple allele codes', ({ values }) => values.some((value) => /:(?!XX\b)[A-Z]{2,}\b/.test(value))],
] // prettier-ignore
