/** Result of a conversion: downloads, counts, failed cells, and how the table was read. */
import { element, part, table } from '../../../web/page/elements.ts'
import { sentence } from '../service.ts'
import { describeCells, MAX_COLUMNS, planFacts, type ReadColumn } from './columns.ts'
import type { ConvertedOnPage, Summary } from './answer.ts'
import { type Replace, failedValues } from './failed-values.ts'
import { firstRows } from './first-rows.ts'

const offered: string[] = []

/** Releases the object URLs of earlier downloads, which would stay in memory. */
export function forgetFiles(): void {
  for (const url of offered.splice(0)) URL.revokeObjectURL(url)
}

export async function showConverted(converted: ConvertedOnPage, replace: Replace): Promise<void> {
  const { table: file, summary, failure } = converted
  const box = part('converted')
  if (summary === undefined || file === undefined || failure !== undefined) return box.replaceChildren()
  box.hidden = false
  box.replaceChildren(
    element(
      'div',
      { class: 'row' },
      download(file, `Download ${summary.name}`, 'button main'),
      ...reportLink(converted),
    ),
    counts(summary),
    ...noteElements(summary),
    ...failedValues(summary, replace),
    ...(await firstRows(converted)),
    element('details', {}, element('summary', {}, 'How the table was read'), ...readingParts(summary)),
  )
  part('download').focus()
}

/** Link to the report of failed cells; empty without such cells. */
export function reportLink({ errors, summary }: ConvertedOnPage): HTMLElement[] {
  if (errors === undefined || summary === undefined) return []
  const cells = `${count(summary.failed)} failed cell${summary.failed === 1 ? '' : 's'}`
  return [download(errors, `Download the report of ${cells}`, 'button')]
}

function readingParts({ columns, plan }: Summary): HTMLElement[] {
  const rows = columns
    .slice(0, MAX_COLUMNS)
    .map((column) => [column.name, holdsText(column), describeCells(column)])
  const titles = [{ title: 'Column' }, { title: 'Holds' }, { title: 'Cells' }]
  return [planFacts(plan), table('Columns', titles, rows)]
}

function holdsText({ read, locus }: ReadColumn): string {
  if (read === 'id') return 'The name of the person'
  if (read === 'no') return 'Left as it is'
  return locus === '' ? 'Typings with their locus' : `Typings of ${locus}`
}

export function noteElements({ said }: Summary): HTMLElement[] {
  return said.map(({ message }) => element('p', { class: 'hint' }, `Note: ${sentence(message)}`))
}

function download(file: File, title: string, style: string): HTMLElement {
  const href = URL.createObjectURL(file)
  offered.push(href)
  const id = style.includes('main') ? 'download' : undefined
  return element('a', { href, download: file.name, class: style, id }, title)
}

function counts({ rows, status }: Summary): HTMLElement {
  const shown = Object.entries(status).filter(([name, number]) => number > 0 || name === 'ok')
  const boxes = shown.map(([name, number]) =>
    element(
      'div',
      { class: name === 'error' ? 'bad' : undefined },
      element('dt', {}, name === 'error' ? 'failed' : name === 'ok' ? 'reduced' : name),
      element('dd', {}, count(number)),
    ),
  )
  const rowBox = element('div', {}, element('dt', {}, 'rows'), element('dd', {}, count(rows)))
  return element('dl', { class: 'counts' }, rowBox, ...boxes)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
