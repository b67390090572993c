/** A file is converted by the service: chosen or dropped, sent, offered for download. */
import { takeDrops } from '../../web/page/drop.ts'
import { byId, element, part } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import { chosenLevel } from './antigen-level.ts'
import { METHODS } from './methods.ts'
import { send } from './service.ts'
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
  takeDrops(part('drop'), choose)
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
  forgetFiles()
  running = new AbortController()
  setRunning(true)
  try {
    const answer = await send(`table?${tableQuery(file.name)}`, { body: file, signal: running.signal })
    const converted = await readConverted(answer)
    showConverted(converted)
    say(describeStatus(converted), converted.failure !== undefined)
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === 'AbortError'
    say(isStopped ? 'Stopped.' : error instanceof Error ? error.message : String(error), !isStopped)
  } finally {
    setRunning(false)
  }
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
