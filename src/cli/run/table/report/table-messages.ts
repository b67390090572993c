/** How a table is read, where the cells themselves do not show it. */
import type { Reporter } from '../../reporter.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../../../../table/plan/plan.ts'

/** Antigens keep their name, old names do not. */
export function noteReadings(
  { reporter }: { readonly reporter: Reporter },
  { groups, header, aside }: TablePlan,
): void {
  if (aside.length > 0) {
    const names = aside.map((column) => header.labels[column]).join(' ')
    const message = `${names}: results of an earlier conversion are not read as typings; -c reads them`
    reporter.note({ level: 'note', code: 'result-columns', message })
  }
  for (const [digits, kind] of [
    ['v2', 'v2 names'],
    ['first-field', 'first fields'],
  ] as const) {
    const alike = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === digits)
    const example = alike.map(findExample).find((one) => one !== undefined)
    if (example === undefined) continue
    const names = alike.flatMap(({ columns }) => columns.map((column) => header.labels[column])).join(' ')
    const message = `${names}: digits without ":" read as ${kind} (${example})`
    reporter.note({ level: 'note', code: 'bare-digits', message })
  }
}

/** `0301 -> 03:01` */
function findExample({ values, context, locus }: PlannedGroup): string | undefined {
  const example = values.find((value) => /^\d+$/.test(value))
  const read = example === undefined ? undefined : tryRead(example, context)
  if (read === undefined || read instanceof Error || read.kind === 'token') return undefined
  return `${example} -> ${read.glString.replace(`${locus}*`, '')}`
}
