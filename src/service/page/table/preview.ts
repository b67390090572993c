/** Before a table is converted: how it is read, which columns are read, and its first rows converted. */
import { element, part } from '../../../web/page/elements.ts'
import { type ConvertedOnPage, firstRows, planText, saidNotes, type Summary } from './converted.ts'

type ReadColumn = Summary['columns'][number]

/** `pick` gets the numbers of the columns that are to be read. */
export async function showPreview(
  { plan, table, summary, failure }: ConvertedOnPage,
  isWhole: boolean,
  pick: (numbers: readonly number[]) => void,
): Promise<void> {
  const box = part('preview')
  const columns = summary?.columns ?? []
  const unread = columns.filter(({ read }) => read === 'no').map(({ name }) => name)
  const parts = [
    element('h3', {}, isWhole ? 'The table' : 'The beginning of the table'),
    planText(plan, 'How the table is read'),
    failure === undefined ? undefined : element('p', { class: 'problem' }, failure),
    ...(summary === undefined ? [] : saidNotes(summary)),
    unread.length === 0
      ? undefined
      : element('p', { class: 'hint' }, `Left as they are, without a typing in them: ${unread.join(', ')}`),
    columns.length === 0 ? undefined : columnPicker(columns, pick),
    ...(table === undefined || summary === undefined
      ? []
      : await firstRows(table, summary, 'Rows as they will be')),
  ]
  box.replaceChildren(...parts.filter((one) => one !== undefined))
  box.hidden = false
}

/** Of a table that could not be read nobody knows the columns but whoever sees the file. */
export function showNoPreview(why: string): void {
  const box = part('preview')
  box.replaceChildren(element('p', { class: 'hint' }, why))
  box.hidden = false
}

export function hidePreview(): void {
  part('preview').hidden = true
}

/** Some tables have thousands. */
const MOST_PICKED = 200

function columnPicker(
  columns: readonly ReadColumn[],
  pick: (numbers: readonly number[]) => void,
): HTMLElement {
  const boxes = columns.slice(0, MOST_PICKED).map(({ name, read, locus }, at) => {
    const box = element('input', { type: 'checkbox', value: `${at + 1}`, checked: read === 'typing' })
    const what = read === 'typing' && locus !== '' && locus !== name ? ` (${locus})` : ''
    return [box, element('label', {}, box, `${name}${what}`)] as const
  })
  const rest =
    columns.length > MOST_PICKED ? [element('p', { class: 'hint' }, `The first ${MOST_PICKED} columns.`)] : []
  const set = element(
    'fieldset',
    { id: 'picked-columns' },
    element('legend', {}, 'Columns that are read as typings'),
    ...boxes.map(([, label]) => label),
    ...rest,
  )
  set.addEventListener('change', () =>
    pick(boxes.flatMap(([{ checked, value }]) => (checked ? [Number(value)] : []))),
  )
  return set
}
