/** Queue of uploads, sent one at a time, each with its progress and a button to stop or retry it. */
import { knownMediaType } from '../../contract/media-types.ts'
import { sizeText } from '../../../web/page/size.ts'
import { IN_ALL_DRIVES, call, describeError } from '../service.ts'
import { say } from '../panel.ts'
import { type PathFile, type UploadTransfer, abandon, chosenFiles, transfer } from './transfer.ts'
import { FOLDER, ITEM, type List, type PageItem, isFolder, quoted } from '../answers.ts'
import { button, element, part } from '../../../web/page/elements.ts'
import { menuButton } from '../../../web/page/menu.ts'
import { withShortcut } from '../keyboard.ts'
import { takeDroppedFiles } from '../drag.ts'

let queue: Promise<void> = Promise.resolve()

function sendFiles(files: readonly PathFile[], to: UploadTransfer['to'], done: () => void): void {
  const known: KnownFolders = new Map()
  for (const { file, folders } of files) {
    const target = async () => ('folder' in to ? { folder: await folderAt(to.folder, folders, known) } : to)
    enqueue(file, [...folders, file.name].join('/'), target, done)
  }
}

type Target = () => Promise<UploadTransfer['to']>

async function startTransfer(file: File, target: Target): Promise<UploadTransfer> {
  const { name, size, lastModified } = file
  const to = await uploadTarget(name, await target())
  const mark = `upload ${'folder' in to ? to.folder : to.file} ${size} ${lastModified} ${name}`
  return { title: name, content: file, type: guessType(file), to, mark }
}

/** The name takes precedence over the browser's type, which may depend on the programs installed. */
function guessType({ name, type }: File): string {
  return knownMediaType(name) ?? (type === '' ? 'application/octet-stream' : type)
}

function enqueue(file: File, path: string, target: Target, done: () => void): void {
  const row = showRow(path, file.size)
  const run = () => {
    const stop = new AbortController()
    row.waiting(() => stop.abort())
    queue = queue.then(() => carry(file, target, { row, stop, again: run, done }))
  }
  run()
}

interface Carrying {
  readonly row: UploadRow
  readonly stop: AbortController
  readonly again: () => void
  readonly done: () => void
}

async function carry(file: File, target: Target, carrying: Carrying): Promise<void> {
  const { row, stop, again, done } = carrying
  const { name, size } = file
  const { signal } = stop
  let what: UploadTransfer | undefined
  try {
    signal.throwIfAborted()
    row.begun()
    what = await startTransfer(file, target)
    await transfer(what, {
      signal,
      moved: (held) => row.moved(held, `${sizeText(held)} of ${sizeText(size)}`),
      waits: (seconds) => row.say(`Connection lost: retrying in ${seconds} s.`),
    })
    row.over()
    say('file' in what.to ? `${name} is uploaded as a new version.` : `${name} is uploaded.`)
    done()
  } catch (error) {
    if (!signal.aborted) {
      row.failed(describeError(error), again)
      return say(`${name} was not uploaded: ${describeError(error)}`, true)
    }
    row.stopped()
    say(`The upload of ${name} is stopped.`)
    // an abandoned session expires without a request
    if (what !== undefined) await abandon(what).catch(() => undefined)
  }
}

/** Path -> id, for one upload of many files: each folder is looked up once. */
type KnownFolders = Map<string, Promise<string>>

/** @throws {Error} the name is ambiguous */
function folderAt(parent: string, names: readonly string[], known: KnownFolders): Promise<string> {
  const name = names.at(-1)
  if (name === undefined) return Promise.resolve(parent)
  const key = JSON.stringify([parent, ...names])
  const asked =
    known.get(key) ?? folderAt(parent, names.slice(0, -1), known).then((above) => findOrMake(above, name))
  known.set(key, asked)
  // the next file tries again
  asked.catch(() => known.delete(key))
  return asked
}

async function findOrMake(parent: string, title: string): Promise<string> {
  const [one, ...others] = (await itemsNamed(title, parent)).filter(isFolder)
  if (others.length > 0) throw new Error(`Several folders here have the name ${title}.`)
  if (one !== undefined) return one.id
  const body = { title, mimeType: FOLDER, parents: [{ id: parent }] }
  return (await call<PageItem>('files', { fields: 'id' }, body)).id
}

/** @throws {Error} the name is ambiguous */
async function uploadTarget(title: string, to: UploadTransfer['to']): Promise<UploadTransfer['to']> {
  if ('file' in to) return to
  const [one, ...others] = (await itemsNamed(title, to.folder)).filter((item) => !isFolder(item))
  if (one === undefined) return to
  if (others.length > 0)
    throw new Error(
      'Several files here have this name. Open the one to update, and upload the new version there.',
    )
  return { file: one.id }
}

async function itemsNamed(title: string, folder: string): Promise<PageItem[]> {
  const q = `title = ${quoted(title)} and ${quoted(folder)} in parents and trashed = false`
  const query = { q, ...IN_ALL_DRIVES, fields: `items(${ITEM})` }
  const { items } = await call<List<PageItem>>('files', query)
  // the service compares titles without case
  return items.filter((item) => item.title === title)
}

interface UploadRow {
  waiting(stop: () => void): void
  begun(): void
  moved(held: number, text: string): void
  say(text: string): void
  over(): void
  stopped(): void
  failed(text: string, again: () => void): void
}

/** Functions that stop the waiting and running uploads. */
const stops = new Map<HTMLElement, () => void>()

/** Shows a row only for a running or failed upload; the title counts the others. */
function showRow(title: string, size: number): UploadRow {
  const bar = element('progress', { max: `${Math.max(1, size)}`, value: '0', 'aria-label': title })
  const [text, action] = [element('span', { class: 'hint' }), element('span')]
  const row = element('li', {}, element('span', { class: 'name' }, title), bar, text, action)
  part('upload-list').append(row)
  const say = (words: string) => (text.textContent = words)
  const become = (state: 'waiting' | 'running' | 'over' | 'failed' | 'stopped') => {
    row.dataset['state'] = state
    row.hidden = state !== 'running' && state !== 'failed'
    if (state !== 'waiting' && state !== 'running') stops.delete(row)
    showCounts()
  }
  return {
    say,
    waiting(stop) {
      stops.set(row, stop)
      bar.hidden = false
      action.replaceChildren(button('Stop', stop, { 'aria-label': `Stop ${title}` }))
      become('waiting')
    },
    begun() {
      say('Starting')
      become('running')
    },
    moved(held, words) {
      bar.value = held
      say(words)
    },
    over: () => become('over'),
    stopped: () => become('stopped'),
    failed(words, again) {
      say(words)
      bar.hidden = true
      action.replaceChildren(button('Try again', again, { 'aria-label': `Try again: ${title}` }))
      become('failed')
    },
  }
}

/** Removes finished uploads. Those still running stay, and keep the panel open. */
export function closeUploads(): void {
  for (const row of rowsIn('over', 'failed', 'stopped')) row.remove()
  showCounts()
}

export function stopUploads(): void {
  for (const stop of stops.values()) stop()
}

function rowsIn(...states: readonly string[]): readonly HTMLElement[] {
  const rows = [...part('upload-list').querySelectorAll('li')]
  return rows.filter(({ dataset }) => states.includes(dataset['state'] ?? ''))
}

function showCounts(): void {
  const [done, failed, left] = [rowsIn('over'), rowsIn('failed'), rowsIn('waiting', 'running')].map(
    ({ length }) => length,
  ) as [number, number, number] // three counts
  const failures = failed === 0 ? '' : `, ${failed} failed`
  part('uploads').hidden = part('upload-list').childElementCount === 0
  part('stop-uploads').hidden = left < 2
  part('close-uploads').hidden = left > 0
  part('uploads-title').textContent =
    left === 0 ? `${done} uploaded${failures}` : `Uploading ${done + 1} of ${done + left}${failures}`
}

/** Upload control of the toolbar: a menu in a folder, a button for a new version of a file. Chosen and dropped files are sent at once. */
export function uploadTool(to: UploadTransfer['to'], done: () => Promise<void>): HTMLElement {
  const isFolder = 'folder' in to
  const take = (files: readonly PathFile[]) =>
    sendFiles(isFolder ? files : files.slice(0, 1), to, () => {
      if (tool.isConnected) void done()
    })
  const fileInput = chooser(
    'upload',
    isFolder ? 'Upload files' : 'Upload a new version',
    { multiple: isFolder },
    take,
  )
  const folderInput = chooser('upload-folder', 'Upload a folder', { webkitdirectory: true }, take)
  const menu = [
    { text: 'Files', press: () => fileInput.click() },
    { text: 'Folder', press: () => folderInput.click() },
  ]
  const tool = isFolder
    ? element(
        'span',
        {},
        withShortcut(
          menuButton('Upload ▾', 'Upload', () => menu),
          'u',
        ),
        fileInput,
        folderInput,
      )
    : element(
        'span',
        {},
        button('New version', () => fileInput.click()),
        fileInput,
      )
  takeDroppedFiles(take)
  return tool
}

function chooser(
  id: string,
  label: string,
  attributes: Readonly<Record<string, boolean>>,
  take: (files: readonly PathFile[]) => void,
): HTMLInputElement {
  const input = element('input', { id, type: 'file', hidden: true, 'aria-label': label, ...attributes })
  input.addEventListener('change', () => {
    if (input.files !== null) take(chosenFiles(input.files))
    // lets the same file be chosen again
    input.value = ''
  })
  return input
}
