/** Which cells of a table that is shown are no typings, and why: marked in the table, and listed below it. */
import { element } from '../../../web/page/elements.ts'
import { isSignedIn, send } from '../service.ts'
import { describeCount } from '../count.ts'

interface CellVerdict {
  /** 1 is that of the titles. */
  readonly line: number
  readonly column: string
  readonly value: string
  readonly why: string
  /** The data that are installed do not say. */
  readonly isUndecided: boolean
}

interface Verdicts {
  readonly release: string
  readonly typings: number
  readonly found: number
  readonly cells: readonly CellVerdict[]
}

const MOST_LISTED = 20

/** `rows`: as the table shows them, the titles first. Nothing for a guest, and for a table without typings. */
export async function showVerdicts(
  table: HTMLElement,
  rows: readonly (readonly string[])[],
): Promise<Node[]> {
  if (!isSignedIn() || rows.length < 2) return []
  const answer = await send('drive/typings/v1/check', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: writeRows(rows),
  })
  // as the service answers it
  const looked = (await answer.json()) as Verdicts | { readonly why: string }
  if ('why' in looked || looked.typings === 0) return []
  const { release, typings, found, cells } = looked
  for (const verdict of cells) markCell(table, rows, verdict)
  const undecided = cells.filter(({ isUndecided }) => isUndecided).length
  const wrong = found - undecided
  const said = [
    wrong === 0 ? 'All that can be told are valid' : `${wrong.toLocaleString('en')} not valid`,
    ...(undecided === 0 ? [] : [`${undecided.toLocaleString('en')} that cannot be told`]),
  ]
  const summary =
    found === 0
      ? `${describeCount(typings, 'typing')}, valid in ${release}.`
      : `${describeCount(typings, 'typing')} by ${release}: ${said.join(', ')}.`
  const lines = cells
    .slice(0, MOST_LISTED)
    .map(({ line, column, value, why }) => element('li', {}, `Row ${line - 1}, ${column}, ${value}: ${why}`))
  const rest = found > lines.length ? [element('li', {}, `and ${found - lines.length} more`)] : []
  return [
    element('p', { class: found === 0 ? 'hint' : '' }, summary),
    ...(found === 0 ? [] : [element('ul', { class: 'wrong' }, ...lines, ...rest)]),
  ]
}

/** It stands in the cell for who hears the page, and under the pointer. */
function markCell(
  table: HTMLElement,
  rows: readonly (readonly string[])[],
  { line, column, value, why, isUndecided }: CellVerdict,
): void {
  const [titles = []] = rows
  const at = titles.findIndex((title, index) => title === column && rows[line - 1]?.[index] === value)
  const cell = table.querySelectorAll('tbody tr')[line - 2]?.querySelectorAll('td')[at]
  if (cell === undefined) return
  cell.classList.add(isUndecided ? 'undecided' : 'invalid')
  cell.title = why
  cell.append(element('span', { class: 'heard' }, ` (${isUndecided ? 'not known' : 'not valid'}: ${why})`))
}

/** As CSV of a line each: the line of a cell is that of its row. */
function writeRows(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""').replaceAll(/[\r\n]+/g, ' ')}"`
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')
}
