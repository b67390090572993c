/** Uploads as they go: one after the other, each with its progress, and a button that stops it or tries again. */
import { button, element, part } from '../../page/elements.ts'
import { sizeText } from '../../page/size.ts'
import { wordsOf } from './service.ts'
import { say } from './talk.ts'
import { abandon, type Transfer, transfer } from './transfer.ts'

let queue: Promise<void> = Promise.resolve()

export function sendFiles(files: readonly File[], to: Transfer['to'], done: () => void): void {
  for (const file of files) {
    const { name: title, size, lastModified } = file
    const place = 'folder' in to ? to.folder : to.file
    const mark = `upload ${place} ${size} ${lastModified} ${title}`
    enqueue({ title, content: file, type: typeOf(file), to, mark }, done)
  }
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  txt: 'text/plain',
  json: 'application/json',
}

/** Of tables the name says more than the browser, to which they are what the machine opens them with. */
function typeOf({ name, type }: File): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  return TYPES[ending] ?? (type === '' ? 'application/octet-stream' : type)
}

function enqueue(what: Transfer, done: () => void): void {
  const row = showRow(what)
  const run = () => {
    const stop = new AbortController()
    row.running(() => stop.abort())
    queue = queue.then(() => carry(what, { row, stop, again: run, done }))
  }
  run()
}

interface Carrying {
  readonly row: Row
  readonly stop: AbortController
  readonly again: () => void
  readonly done: () => void
}

async function carry(what: Transfer, { row, stop, again, done }: Carrying): Promise<void> {
  const { title, content } = what
  const { signal } = stop
  try {
    signal.throwIfAborted()
    await transfer(what, {
      signal,
      moved: (held) => row.moved(held, `${sizeText(held)} of ${sizeText(content.size)}`),
      waits: (seconds) => row.say(`The connection is broken: it goes on in ${seconds} s.`),
    })
    row.over('Uploaded.')
    say(`${title} is uploaded.`)
    done()
  } catch (error) {
    if (!signal.aborted) {
      row.failed(wordsOf(error), again)
      return say(`${title} is not uploaded: ${wordsOf(error)}`, true)
    }
    row.over('Stopped.')
    // it expires by itself
    await abandon(what).catch(() => undefined)
  }
}

interface Row {
  running(stop: () => void): void
  moved(held: number, text: string): void
  say(text: string): void
  over(text: string): void
  failed(text: string, again: () => void): void
}

function showRow({ title, content }: Transfer): Row {
  const bar = element('progress', { max: `${Math.max(1, content.size)}`, value: '0', 'aria-label': title })
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
