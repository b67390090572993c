/** Failed cells grouped by value, each with buttons that put another value in their place before the table is converted. */
import { button, element, table } from '../../../web/page/elements.ts'
import { guessSeparator, replaceCells, splitRows } from '../../../web/page/csv.ts'
import { sentence } from '../service.ts'
import { typingText } from '../typing/typing-text.ts'
import type { FailedValue, Summary } from './answer.ts'
import type { ReadColumn } from './columns.ts'

/** Replaces the value in its columns; undefined where the file cannot be changed here. */
export type Replace = ((failed: FailedValue, to: string) => void) | undefined

export function failedValues({ values, failed }: Summary, replace: Replace): HTMLElement[] {
  if (values.length === 0) return []
  const rows = values.map((one) => [
    one.value === '' ? 'whole row' : typingText(one.value),
    element('span', {}, countCells(one), element('span', { class: 'meaning' }, placesText(one))),
    element(
      'span',
      {},
      sentence(one.message),
      one.hint === '' ? undefined : element('span', { class: 'hint' }, ` ${sentence(one.hint)}`),
    ),
    replacementsOf(one, replace),
  ])
  const columns = [
    { title: 'Value' },
    { title: 'Cells' },
    { title: 'What is wrong' },
    { title: 'Use instead', style: 'name' },
  ]
  const shown = values.reduce((sum, { cells }) => sum + cells, 0)
  const title = shown < failed ? `The first ${values.length} values that failed` : 'Values that failed'
  return [table(title, columns, rows)]
}

function replacementsOf(failed: FailedValue, replace: Replace): HTMLElement | undefined {
  const { value, replacements } = failed
  if (replacements.length === 0) return undefined
  if (replace === undefined) return element('span', {}, replacements.join(' or '))
  const buttons = replacements.map((to) =>
    button(`Use ${to}`, () => replace(failed, to), {
      class: 'small',
      'aria-label': `Use ${to} for ${value} in ${countCells(failed)}`,
    }),
  )
  return element('span', { class: 'choices' }, ...buttons)
}

function countCells({ value, cells }: FailedValue): string {
  const what = value === '' ? 'row' : 'cell'
  return cells === 1 ? `1 ${what}` : `${cells.toLocaleString('en')} ${what}s`
}

/** `A_1, A_2; lines 2, 3, …` */
function placesText({ columns, cells, lines }: FailedValue): string {
  const named = columns.filter((name) => name !== '')
  const shown = [...named.slice(0, 4), ...(named.length > 4 ? ['…'] : [])].join(', ')
  const more = lines.length < cells && lines.length === MAX_LINES ? ', …' : ''
  const at = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
  return shown === '' ? at : `${shown}; ${at}`
}

/** Lines that the service names for a value. */
const MAX_LINES = 3

/** Largest text that is changed here, in bytes. */
const MAX_BYTES = 30e6

/** Text of a delimited file whose first row has the columns that the service has read. */
export interface CorrectableTable {
  readonly text: string
  readonly separator: string
  readonly columns: readonly ReadColumn[]
}

/** Undefined for a document, a workbook, a large table, and a text that is not UTF-8. */
export async function correctable(
  file: File,
  columns: readonly ReadColumn[],
): Promise<CorrectableTable | undefined> {
  if (!/\.(?:csv|tsv|tab|txt)(?:\.gz)?$/i.test(file.name) || file.size > MAX_BYTES) return undefined
  const unpacked = isPacked(file) ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file
  try {
    const bytes = await new Response(unpacked).arrayBuffer()
    if (bytes.byteLength > MAX_BYTES) return undefined
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const separator = guessSeparator(text)
    const [first = []] = splitRows(text.replace(/^\uFEFF/, ''), separator, 1, true)
    return first.length === columns.length ? { text, separator, columns } : undefined
  } catch {
    return undefined
  }
}

/** The file with the value replaced in the columns of its failed cells, and the number of cells replaced. */
export async function replaceValue(
  file: File,
  { text, separator, columns }: CorrectableTable,
  failed: FailedValue,
  to: string,
): Promise<{ readonly file: File; readonly count: number }> {
  const within = columns.map(({ name, read }) => read === 'typing' && failed.columns.includes(name))
  let count = 0
  const made = replaceCells(text, separator, (cell, column) => {
    if (within[column] !== true || cell !== failed.value) return undefined
    count += 1
    return to
  })
  const content = new Blob([made])
  const body = isPacked(file)
    ? await new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob()
    : content
  return { file: new File([body], file.name, { type: file.type }), count }
}

function isPacked({ name }: File): boolean {
  return /\.gz$/i.test(name)
}
