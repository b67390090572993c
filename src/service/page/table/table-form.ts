/** A file is converted by the service: chosen or dropped, sent, offered for download. */
import { takeDrops } from '../../../web/page/drop.ts'
import { byId, element, part } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { chosenLevel } from '../typing/antigen-level.ts'
import { METHODS } from '../typing/methods.ts'
import { send } from '../service.ts'
import { hidePreview, showNoPreview, showPreview } from './preview.ts'
import { fileOfPasted } from './pasted.ts'
import { takeSample } from './sample.ts'
import { type ConvertedOnPage, forgetFiles, readConverted, showConverted } from './converted.ts'

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
