/** Columns of a table: content and reading of each, with a menu to change it. */
import { byId, element, table } from '../../../web/page/elements.ts'
import { sentence } from '../service.ts'

export interface ReadColumn {
  readonly name: string
  readonly read: 'typing' | 'id' | 'no'
  /** Locus of typings; empty when each cell names its own. */
  readonly locus: string
  /** Description of how cells with typings are read. */
  readonly reading?: string
  readonly examples?: readonly string[]
  /** Reason why a column that looks like typings is not read. */
  readonly why?: string
}

/** Maximum number of columns shown; some tables have thousands. */
export const MAX_COLUMNS = 200

/** Menu values besides loci: ignore the column; each cell names its own locus. */
const [LEFT, NAMED] = ['', 'gl']

/** Menu choices by column number from 0. */
const chosen = new Map<number, string>()

/** Clears the choices for another file. */
export function forgetChoices(): void {
  if (chosen.size === 0) return
  chosen.clear()
  writeChoices()
}

/** Choice for a column; undefined when its menu was not used. */
export function chosenFor(at: number): string | undefined {
  return chosen.get(at)
}

/** `change` receives the id of the changed menu. */
export function columnsTable(
  caption: string,
  columns: readonly ReadColumn[],
  loci: readonly string[],
  change: (id: string) => void,
): HTMLElement[] {
  const rows = columns
    .slice(0, MAX_COLUMNS)
    .map((column, at) => [column.name, columnMenu(column, at, loci, change), describeCells(column)])
  const made = table(caption, [{ title: 'Column' }, { title: 'Holds' }, { title: 'Cells' }], rows)
  made.id = 'columns-table'
  return columns.length <= MAX_COLUMNS
    ? [made]
    : [
        made,
        element('p', { class: 'hint' }, `These are the first ${MAX_COLUMNS} of ${columns.length} columns.`),
      ]
}

function columnMenu(
  column: ReadColumn,
  at: number,
  loci: readonly string[],
  change: (id: string) => void,
): HTMLElement {
  const { name, read, locus } = column
  const others = locus === '' || loci.includes(locus) ? [] : [locus]
  const now = read === 'typing' ? locus || NAMED : read === 'id' ? 'id' : LEFT
  const choices = [
    ...(read === 'id' ? [['id', 'The name of the person'] as const] : []),
    [LEFT, 'Left as it is'] as const,
    [NAMED, 'Typings with their locus'] as const,
    ...[...others, ...loci].map((one) => [one, `Typings of ${one}`] as const),
  ]
  const menu = element(
    'select',
    { id: `column-${at + 1}`, 'aria-label': `What ${name} holds`, autocomplete: 'off' },
    ...choices.map(([value, text]) => element('option', { value, selected: value === now }, text)),
  )
  menu.addEventListener('change', () => {
    chosen.set(at, menu.value)
    writeChoices()
    change(menu.id)
  })
  return menu
}

export function describeCells({ reading, examples = [], why }: ReadColumn): HTMLElement {
  if (why !== undefined) return element('span', { class: 'hint' }, `Not read: ${sentence(why)}`)
  const shown = examples.map((text) => element('span', { class: 'example' }, text))
  return element(
    'span',
    {},
    reading === undefined ? undefined : element('span', { class: 'hint' }, reading),
    ...shown,
  )
}

/** Copies the menu choices to the text fields of the form. */
function writeChoices(): void {
  const numbers = (value: string) =>
    [...chosen].flatMap(([at, one]) => (one === value ? [at + 1] : [])).join(',')
  const loci = new Set([...chosen.values()].filter((value) => ![LEFT, NAMED, 'id'].includes(value)))
  byId('exclude', HTMLInputElement).value = numbers(LEFT)
  byId('gl', HTMLInputElement).value = numbers(NAMED)
  byId('locus', HTMLInputElement).value = [...loci].map((locus) => `${locus}=${numbers(locus)}`).join(' ')
}

/** Description of how the table was read, except its columns. */
export function planFacts(plan: readonly { readonly name: string; readonly text: string }[]): HTMLElement {
  const lines = plan.map(({ name, text }) =>
    element(
      'div',
      {},
      element('dt', {}, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`),
      element('dd', {}, text),
    ),
  )
  return element('dl', { class: 'facts' }, ...lines)
}
