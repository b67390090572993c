/** A file is converted by the service: chosen or dropped, sent, offered for download. */
import { takeDrops } from '../../../web/page/drop.ts'
import { byId, element, part } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { chosenLevel } from '../typing/antigen-level.ts'
import { METHODS } from '../typing/methods.ts'
import { send } from '../service.ts'
import { fileOfPasted } from './pasted.ts'
import {
  type ConvertedOnPage,
  type Summary,
  firstRows,
  forgetFiles,
  planText,
  readConverted,
  saidNotes,
  showConverted,
} from './converted.ts'

let running: AbortController | undefined

export function prepareTableForm(): void {
  part('table-methods').append(
    ...METHODS.map(({ name, summary }) =>
      element(
        'label',
        { title: summary },
        element('input', { type: 'checkbox', name: 'method', value: name, checked: name === 'lgx' }),
        name,
      ),
    ),
  )
  part('table-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void convert()
  })
  part('cancel').addEventListener('click', () => running?.abort())
  part('preview-table').addEventListener('click', () => void preview())
  // what was previewed is previewed as it is read now
  part('table-form').addEventListener('change', ({ target }) => {
    const isPicked = target instanceof HTMLElement && target.closest('#preview') !== null
    if (target === byId('file', HTMLInputElement)) hidePreview()
    else if (!isPicked && !part('preview').hidden) void preview()
  })
  takeDrops(part('drop'), choose)
}

/** Several lines that were pasted beside the typing. */
export function takePasted(text: string): void {
  const file = fileOfPasted(text)
  const files = new DataTransfer()
  files.items.add(file)
  choose(files.files)
  part('table-title').scrollIntoView()
  void preview()
  say(`${file.name} is what you pasted: several lines are a table.`)
}

/** Nothing is sent before somebody says so. */
function choose(files: FileList): void {
  byId('file', HTMLInputElement).files = files
  part('convert').focus()
}

async function convert(): Promise<void> {
  const file = byId('file', HTMLInputElement).files?.[0]
  if (file === undefined) return
  say(`Converting ${file.name} (${sizeText(file.size)}) …`)
  part('converted').hidden = true
  hidePreview()
  forgetFiles()
  running?.abort()
  running = new AbortController()
  setRunning(true)
  try {
    const answer = await send(`table?${tableQuery(file.name)}`, { body: file, signal: running.signal })
    const converted = await readConverted(answer)
    await showConverted(converted)
    say(describeStatus(converted), converted.failure !== undefined)
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === 'AbortError'
    say(isStopped ? 'Stopped.' : error instanceof Error ? error.message : String(error), !isStopped)
  } finally {
    setRunning(false)
  }
}

let previewing: AbortController | undefined

/** The beginning of it is converted as all of it would be. */
async function preview(): Promise<void> {
  const file = byId('file', HTMLInputElement).files?.[0]
  if (file === undefined) return say('Choose a file first.', true)
  previewing?.abort()
  const { signal } = (previewing = new AbortController())
  try {
    const sample = await takeSample(file)
    if (sample === undefined)
      return showNoPreview('This file is read when it is converted: there is no preview of it.')
    const answer = await send(`table?${tableQuery(sample.name)}`, { body: sample.content, signal })
    await showPreview(await readConverted(answer), sample.isWhole, pickColumns)
  } catch (error) {
    if (signal.aborted) return
    showNoPreview(error instanceof Error ? error.message : String(error))
  }
}

function pickColumns(numbers: readonly number[]): void {
  byId('columns', HTMLInputElement).value = numbers.join(',')
  void preview()
}

function setRunning(isRunning: boolean): void {
  byId('convert', HTMLButtonElement).disabled = isRunning
  part('cancel').hidden = !isRunning
}

function say(text: string, isFailure = false): void {
  const status = part('table-status')
  status.className = isFailure ? 'failed' : ''
  status.textContent = text
}

function describeStatus({ failure, summary }: ConvertedOnPage): string {
  return failure === undefined ? `Converted: ${summary?.text ?? ''}.` : `Not converted: ${failure}`
}

function tableQuery(name: string): URLSearchParams {
  const query = new URLSearchParams({ name })
  for (const box of document.querySelectorAll<HTMLInputElement>('input[name="method"]:checked')) {
    query.append('method', box.value)
  }
  const level = chosenLevel()
  // no other method has antigens
  if (level !== undefined && query.getAll('method').includes('S')) query.set('antigens', level)
  query.set('into', byId('into', HTMLSelectElement).value)
  query.set('on_error', byId('on-error', HTMLSelectElement).value)
  for (const id of ['columns', 'locus', 'gl', 'layout']) {
    const text = byId(id, HTMLInputElement).value.trim()
    if (text !== '') query.set(id, text)
  }
  if (byId('no-header', HTMLInputElement).checked) query.set('header', 'false')
  if (byId('table-lenient', HTMLInputElement).checked) query.set('accept', 'all')
  return query
}

type ReadColumn = Summary['columns'][number]

/** `pick` gets the numbers of the columns that are to be read. */
async function showPreview(
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
function showNoPreview(why: string): void {
  const box = part('preview')
  box.replaceChildren(element('p', { class: 'hint' }, why))
  box.hidden = false
}

function hidePreview(): void {
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

/** Bytes. */
const [START, MOST_WHOLE] = [64 * 1024, 2_000_000]
const TEXT = /\.(?:csv|tsv|tab|txt)$/i

interface Sample {
  readonly name: string
  readonly content: Blob
  /** Nothing of the file is left out. */
  readonly isWhole: boolean
}

/** undefined: only all of it says anything, and that is too much to be sent twice. */
async function takeSample(file: File): Promise<Sample | undefined> {
  const name = file.name.replace(/\.gz$/i, '')
  if (TEXT.test(name)) {
    const isPacked = name !== file.name
    const text = isPacked
      ? await firstBytes(file.stream().pipeThrough(new DecompressionStream('gzip')))
      : file
    if (text.size <= START) return { name, content: text, isWhole: true }
    const bytes = new Uint8Array(await text.slice(0, START).arrayBuffer())
    const end = bytes.lastIndexOf(10) + 1
    return end === 0 ? undefined : { name, content: new Blob([bytes.slice(0, end)]), isWhole: false }
  }
  return file.size <= MOST_WHOLE ? { name: file.name, content: file, isWhole: true } : undefined
}

/** One more than the sample takes, so that it is seen whether there is more. */
async function firstBytes(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  while (size <= START) {
    const { done, value } = await reader.read()
    if (done) return new Blob(pieces)
    pieces.push(value)
    size += value.byteLength
  }
  await reader.cancel()
  return new Blob(pieces)
}
