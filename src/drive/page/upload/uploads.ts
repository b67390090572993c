/** Uploads as they go: one after the other, each with its progress, and a button that stops it or tries again. */
import { button, element, part } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { describeError } from '../service.ts'
import { say } from '../talk.ts'
import { abandon, type UploadTransfer, transfer } from './transfer.ts'
import { uploadTarget } from './upload-target.ts'

let queue: Promise<void> = Promise.resolve()

export function sendFiles(files: readonly File[], to: UploadTransfer['to'], done: () => void): void {
  for (const file of files) enqueue(file, to, done)
}

async function startTransfer(file: File, given: UploadTransfer['to']): Promise<UploadTransfer> {
  const { name, size, lastModified } = file
  const to = await uploadTarget(name, given)
  const mark = `upload ${'folder' in to ? to.folder : to.file} ${size} ${lastModified} ${name}`
  return { title: name, content: file, type: guessType(file), to, mark }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['tab', 'text/tab-separated-values'],
  ['txt', 'text/plain'],
  ['json', 'application/json'],
])

/** Of tables the name says more than the browser, to which they are what the machine opens them with. */
function guessType({ name, type }: File): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return TYPES.get(ending) ?? (type === '' ? 'application/octet-stream' : type)
}

function enqueue(file: File, to: UploadTransfer['to'], done: () => void): void {
  const row = showRow(file)
  const run = () => {
    const stop = new AbortController()
    row.running(() => stop.abort())
    queue = queue.then(() => carry(file, to, { row, stop, again: run, done }))
  }
  run()
}

interface Carrying {
  readonly row: UploadRow
  readonly stop: AbortController
  readonly again: () => void
  readonly done: () => void
}

async function carry(file: File, to: UploadTransfer['to'], carrying: Carrying): Promise<void> {
  const { row, stop, again, done } = carrying
  const { name, size } = file
  const { signal } = stop
  let what: UploadTransfer | undefined
  try {
    signal.throwIfAborted()
    what = await startTransfer(file, to)
    await transfer(what, {
      signal,
      moved: (held) => row.moved(held, `${sizeText(held)} of ${sizeText(size)}`),
      waits: (seconds) => row.say(`Connection lost: retrying in ${seconds} s.`),
    })
    row.over('file' in what.to ? 'Uploaded as a new version.' : 'Uploaded.')
    say(`${name} is uploaded.`)
    done()
  } catch (error) {
    if (!signal.aborted) {
      row.failed(describeError(error), again)
      return say(`${name} was not uploaded: ${describeError(error)}`, true)
    }
    row.over('Stopped.')
    // it expires by itself
    if (what !== undefined) await abandon(what).catch(() => undefined)
  }
}

interface UploadRow {
  running(stop: () => void): void
  moved(held: number, text: string): void
  say(text: string): void
  over(text: string): void
  failed(text: string, again: () => void): void
}

function showRow({ name: title, size }: File): UploadRow {
  const bar = element('progress', { max: `${Math.max(1, size)}`, value: '0', 'aria-label': title })
  const [text, action] = [element('span', { class: 'hint' }), element('span')]
  part('uploads').hidden = false
  part('upload-list').append(element('li', {}, element('span', { class: 'name' }, title), bar, text, action))
  const say = (words: string) => (text.textContent = words)
  const end = (words: string, isWhole: boolean) => {
    say(words)
    bar.hidden = true
    if (isWhole) action.replaceChildren()
  }
  return {
    say,
    running(stop) {
      say('Waiting')
      bar.hidden = false
      action.replaceChildren(button('Stop', stop, { 'aria-label': `Stop ${title}` }))
    },
    moved(held, words) {
      bar.value = held
      say(words)
    },
    over: (words) => end(words, true),
    failed(words, again) {
      end(words, false)
      action.replaceChildren(button('Try again', again, { 'aria-label': `Try again: ${title}` }))
    },
  }
}
