/** Result of a conversion: downloads, counts, failed cells, and how the table was read. */
import { element, part, table } from '../../../web/page/elements.ts'
import { typingText } from '../typing/typing-text.ts'
import { sentence } from '../service.ts'
import { describeCells, MAX_COLUMNS, planFacts, type ReadColumn } from './columns.ts'
import type { ConvertedOnPage, Summary } from './answer.ts'
import { firstRows } from './first-rows.ts'

const offered: string[] = []

/** Releases the object URLs of earlier downloads, which would stay in memory. */
export function forgetFiles(): void {
  for (const url of offered.splice(0)) URL.revokeObjectURL(url)
}

export async function showConverted(converted: ConvertedOnPage): Promise<void> {
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
    ...failures(summary),
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

function failures({ failures: shown, failed }: Summary): HTMLElement[] {
  if (shown.length === 0) return []
  const rows = shown.map(({ line, id, column, value, message, suggestion, path = '' }) => [
    `${line}`,
    id,
    column,
    typingText(value),
    element(
      'span',
      {},
      sentence(message),
      ...[sentence(suggestion), path]
        .filter((one) => one !== '')
        .map((one) => element('div', { class: 'hint' }, one)),
    ),
  ])
  const columns = [
    { title: 'Line' },
    { title: 'Row' },
    { title: 'Column', style: 'name' },
    { title: 'Value', style: 'name' },
    { title: 'What is wrong' },
  ]
  const which =
    failed > shown.length
      ? `The first ${shown.length} of ${count(failed)} cells that could not be reduced`
      : 'Cells that could not be reduced'
  return [table(which, columns, rows)]
}

function count(number: number): string {
  return number.toLocaleString('en')
}
