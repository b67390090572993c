/** Form that sends a file, chosen or dropped, to the service and offers the converted file for download. */
import { takeDrops } from '../../../web/page/drop.ts'
import { button, byId, element, hint, part } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { chosenLevel } from '../typing/antigen-level.ts'
import { METHODS, methodTitle } from '../../../web/page/methods.ts'
import { PageFailure, send } from '../service.ts'
import type { ServiceFacts } from '../typing/typing.ts'
import { chosenFor, columnsTable, forgetChoices, planFacts, type ReadColumn } from './columns.ts'
import { type ConvertedOnPage, type FailedValue, readConverted } from './answer.ts'
import { forgetFiles, reportLink, noteElements, showConverted } from './converted.ts'
import { type Replace, correctable, failedValues, replaceValue } from './failed-values.ts'
import { firstRows, readRows } from './first-rows.ts'
import { fileOfPasted } from './pasted.ts'

let running: AbortController | undefined
let offered: () => Promise<ServiceFacts>

/** `facts` returns the facts about the service. */
export function prepareTableForm(facts: () => Promise<ServiceFacts>): void {
  offered = facts
  part('table-methods').append(
    ...METHODS.map(({ name, summary }) =>
      element(
        'label',
        { title: summary },
        element('input', { type: 'checkbox', name: 'method', value: name, checked: name === 'lgx' }),
        methodTitle(name),
      ),
    ),
  )
  part('table-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void convert()
  })
  part('cancel').addEventListener('click', () => running?.abort())
  part('preview-table').addEventListener('click', () => void preview())
  // refreshes an open preview after any change of the form
  part('table-form').addEventListener('change', ({ target }) => {
    const isPicked = target instanceof HTMLElement && target.closest('#preview') !== null
    if (target === byId('file', HTMLInputElement)) forgetFile()
    else if (!isPicked && !part('preview').hidden) void preview()
  })
  takeDrops(part('drop'), choose)
}

/** Takes lines pasted into the typing box. */
export function takePasted(text: string): void {
  const file = fileOfPasted(text)
  const files = new DataTransfer()
  files.items.add(file)
  choose(files.files)
  part('table-title').scrollIntoView()
  void preview()
  showStatus(`You pasted several lines. They are read as a table, ${file.name}.`)
}

/** Selects the file without sending it. */
function choose(files: FileList): void {
  byId('file', HTMLInputElement).files = files
  forgetFile()
  part('convert').focus()
}

async function convert(): Promise<void> {
  const file = byId('file', HTMLInputElement).files?.[0]
  if (file === undefined) return
  showStatus(`Converting ${file.name} (${sizeText(file.size)}) …`)
  part('converted').hidden = true
  hidePreview()
  forgetFiles()
  running?.abort()
  running = new AbortController()
  setRunning(true)
  try {
    const query = tableQuery(file.name)
    const answer = await send(`table?${query}`, { body: file, signal: running.signal })
    const converted = await readConverted(answer, query)
    await showConverted(converted, await replacer(file, converted, convert))
    showStatus(describeStatus(converted), converted.failure !== undefined)
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === 'AbortError'
    showStatus(isStopped ? 'Stopped.' : error instanceof Error ? error.message : String(error), !isStopped)
    if (isAboutColumns(error)) await askForColumns(file)
  } finally {
    setRunning(false)
  }
}

/** Undefined where the values of the file cannot be replaced here. `again` shows the table with the new value. */
async function replacer(
  file: File,
  { summary }: ConvertedOnPage,
  again: () => Promise<void>,
): Promise<Replace> {
  const { columns, values } = summary ?? { columns: [], values: [] }
  if (values.every(({ replacements }) => replacements.length === 0)) return undefined
  const text = await correctable(file, columns)
  if (text === undefined) return undefined
  const correct = async (failed: FailedValue, to: string) => {
    const { file: changed, count } = await replaceValue(file, text, failed, to)
    setFile(changed)
    const cells = count === 1 ? '1 cell' : `${count.toLocaleString('en')} cells`
    showCorrections(original ?? file, [...corrections, `${failed.value} → ${to} in ${cells}`])
    await again()
  }
  return (failed, to) => void correct(failed, to)
}

/** The chosen file before its first correction, and the corrections so far. */
let [original, corrections]: [File | undefined, readonly string[]] = [undefined, []]

function showCorrections(before: File | undefined, all: readonly string[]): void {
  original = before
  corrections = all
  const box = part('corrections')
  box.hidden = all.length === 0
  const undo = () => {
    if (original !== undefined) setFile(original)
    showCorrections(undefined, [])
    part('converted').hidden = true
    void preview()
  }
  box.replaceChildren(
    element('p', {}, element('b', {}, 'Corrected before the conversion: '), `${all.join('; ')}.`),
    hint('The file on your disk stays as it is.'),
    button('Undo the corrections', undo, { class: 'small' }),
  )
}

function setFile(file: File): void {
  const files = new DataTransfer()
  files.items.add(file)
  byId('file', HTMLInputElement).files = files.files
}

let previewing: AbortController | undefined

/** Converts a sample of the file as the whole would be. */
async function preview(): Promise<void> {
  const file = byId('file', HTMLInputElement).files?.[0]
  if (file === undefined) return showStatus('Choose a file first.', true)
  previewing?.abort()
  const { signal } = (previewing = new AbortController())
  try {
    const sample = await takeSample(file)
    if (sample === undefined)
      return showNoPreview('This file is too large for a preview. It is read when it is converted.')
    const query = tableQuery(sample.name)
    const answer = await send(`table?${query}`, { body: sample.content, signal })
    const converted = await readConverted(answer, query)
    const { loci } = await offered()
    const replace = await replacer(file, converted, preview)
    if (!signal.aborted) await showPreview(converted, { isWhole: sample.isWhole, loci, replace })
  } catch (error) {
    if (signal.aborted) return
    if (isAboutColumns(error)) await askForColumns(file, error.reason)
    else showNoPreview(error instanceof Error ? error.message : String(error))
  }
}

/** True for errors about columns, which the menus can resolve. */
function isAboutColumns(error: unknown): error is PageFailure {
  return error instanceof PageFailure && error.code === 'usage'
}

/** Refreshes the preview, and restores the focus to the changed menu. */
async function previewAgain(id: string): Promise<void> {
  await preview()
  document.getElementById(id)?.focus()
}

function setRunning(isRunning: boolean): void {
  byId('convert', HTMLButtonElement).disabled = isRunning
  part('cancel').hidden = !isRunning
}

function showStatus(text: string, isFailure = false): void {
  const status = part('table-status')
  status.className = isFailure ? 'failed' : ''
  status.textContent = text
}

function describeStatus({ failure, summary }: ConvertedOnPage): string {
  if (failure !== undefined || summary === undefined) return `Not converted. ${failure ?? ''}`
  const { rows, typings, status } = summary
  const counted = (count: number, what: string) =>
    `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
  return `Converted ${counted(rows, 'row')}. Of ${counted(typings, 'typing')}, ${(status['ok'] ?? 0).toLocaleString('en')} were reduced.`
}

function tableQuery(name: string): URLSearchParams {
  const query = new URLSearchParams({ name })
  for (const box of document.querySelectorAll<HTMLInputElement>('input[name="method"]:checked')) {
    query.append('method', box.value)
  }
  const level = chosenLevel()
  // only method S has antigens
  if (level !== undefined && query.getAll('method').includes('S')) query.set('antigens', level)
  query.set('into', byId('into', HTMLSelectElement).value)
  query.set('on_error', byId('on-error', HTMLSelectElement).value)
  for (const id of ['columns', 'exclude', 'locus', 'gl', 'input-format']) {
    const text = byId(id, HTMLInputElement).value.trim()
    if (text !== '') query.set(id.replace('-', '_'), text)
  }
  if (byId('no-header', HTMLInputElement).checked) query.set('header', 'false')
  if (byId('table-lenient', HTMLInputElement).checked) query.set('accept', 'all')
  return query
}

async function showPreview(
  converted: ConvertedOnPage,
  { isWhole, loci, replace }: { isWhole: boolean; loci: readonly string[]; replace: Replace },
): Promise<void> {
  const { summary, failure } = converted
  const box = part('preview')
  forgetFiles()
  const parts = [
    element('h3', {}, isWhole ? 'Preview of the table' : 'Preview of the first rows'),
    failure === undefined ? undefined : element('p', { class: 'problem' }, failure),
    ...(summary === undefined
      ? []
      : [
          failedText(summary.failed, isWhole),
          ...failedValues(summary, replace),
          ...(await firstRows(converted, 'The rows after conversion')),
          element('div', { class: 'row' }, ...reportLink(converted)),
          ...noteElements(summary),
          ...columnsTable('How each column is read', summary.columns, loci, (id) => void previewAgain(id)),
          planFacts(summary.plan),
        ]),
  ]
  box.replaceChildren(...parts.filter((one) => one !== undefined))
  box.hidden = false
}

function failedText(failed: number, isWhole: boolean): HTMLElement | undefined {
  if (failed === 0) return undefined
  const cells = failed === 1 ? '1 cell fails' : `${failed.toLocaleString('en')} cells fail`
  return element(
    'p',
    { class: 'hint' },
    `${cells}${isWhole ? '' : ' at the beginning of the table'}. The rows below show where and why.`,
  )
}

/** Shows the first lines of a file without recognised typings, with a menu for each column. */
async function askForColumns(file: File, why?: string): Promise<void> {
  const sample = await takeSample(file)
  const rows = sample === undefined || !TEXT.test(sample.name) ? [] : await readRows(sample.content, 4)
  const [first = []] = rows
  if (first.length === 0) return why === undefined ? undefined : showNoPreview(why)
  const isData = byId('no-header', HTMLInputElement).checked || first.some((cell) => /\d\d:/.test(cell))
  const columns = first.map((name, at): ReadColumn => {
    const examples = (isData ? rows : rows.slice(1)).map((row) => row[at] ?? '').filter((cell) => cell !== '')
    const chosen = chosenFor(at)
    const read = chosen === undefined || chosen === '' ? 'no' : 'typing'
    return {
      name: isData ? `Column ${at + 1}` : name,
      read,
      locus: chosen === 'gl' ? '' : (chosen ?? ''),
      examples,
    }
  })
  const { loci } = await offered()
  part('preview').replaceChildren(
    element('h3', {}, 'What does each column hold?'),
    element('p', {}, 'Choose the locus of each column of typings. The preview follows.'),
    ...(why === undefined ? [] : [element('p', { class: 'hint' }, why)]),
    ...columnsTable('Columns', columns, loci, (id) => void previewAgain(id)),
  )
  part('preview').hidden = false
}

function showNoPreview(why: string): void {
  const box = part('preview')
  box.replaceChildren(element('p', { class: 'hint' }, why))
  box.hidden = false
}

/** Clears choices, corrections and preview for another file. */
function forgetFile(): void {
  showCorrections(undefined, [])
  forgetChoices()
  hidePreview()
}

function hidePreview(): void {
  part('preview').hidden = true
}

/** Sizes in bytes: of a sample, and of the largest file sent whole. */
const [START, MOST_WHOLE] = [64 * 1024, 2_000_000]
const TEXT = /\.(?:csv|tsv|tab|txt)$/i

interface Sample {
  readonly name: string
  readonly content: Blob
  /** The sample is the whole file. */
  readonly isWhole: boolean
}

/** Returns undefined for a file that can only be read as a whole, and is too large to send twice. */
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

/** Reads up to one byte more than the sample, to tell whether there is more. */
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
