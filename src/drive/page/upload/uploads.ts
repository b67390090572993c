/** Uploads as they go: one after the other, each with its progress, and a button that stops it or tries again. */
import { knownMediaType } from '../../../media-types.ts'
import { sizeText } from '../../../web/page/size.ts'
import { call, describeError } from '../service.ts'
import { say } from '../talk.ts'
import type { PathFile } from './dropped-files.ts'
import { type UploadRow, showRow } from './upload-rows.ts'
import { type UploadTransfer, abandon, transfer } from './transfer.ts'
import { FOLDER, ITEM, type List, type PageItem, isFolder } from '../answers.ts'
import { quoted } from '../query.ts'

let queue: Promise<void> = Promise.resolve()

export function sendFiles(files: readonly PathFile[], to: UploadTransfer['to'], done: () => void): void {
  const known: KnownFolders = new Map()
  for (const { file, folders } of files) {
    const place = async () => ('folder' in to ? { folder: await folderAt(to.folder, folders, known) } : to)
    enqueue(file, [...folders, file.name].join('/'), place, done)
  }
}

type Place = () => Promise<UploadTransfer['to']>

async function startTransfer(file: File, place: Place): Promise<UploadTransfer> {
  const { name, size, lastModified } = file
  const to = await uploadTarget(name, await place())
  const mark = `upload ${'folder' in to ? to.folder : to.file} ${size} ${lastModified} ${name}`
  return { title: name, content: file, type: guessType(file), to, mark }
}

/** The name says more than the browser, which may know a table as what the machine opens it with. */
function guessType({ name, type }: File): string {
  return knownMediaType(name) ?? (type === '' ? 'application/octet-stream' : type)
}

function enqueue(file: File, path: string, place: Place, done: () => void): void {
  const row = showRow(path, file.size)
  const run = () => {
    const stop = new AbortController()
    row.running(() => stop.abort())
    queue = queue.then(() => carry(file, place, { row, stop, again: run, done }))
  }
  run()
}

interface Carrying {
  readonly row: UploadRow
  readonly stop: AbortController
  readonly again: () => void
  readonly done: () => void
}

async function carry(file: File, place: Place, carrying: Carrying): Promise<void> {
  const { row, stop, again, done } = carrying
  const { name, size } = file
  const { signal } = stop
  let what: UploadTransfer | undefined
  try {
    signal.throwIfAborted()
    what = await startTransfer(file, place)
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

/** Path -> id; of one upload of many files, so that each folder is looked for once. */
type KnownFolders = Map<string, Promise<string>>

/** @throws {Error} several folders there have the name */
function folderAt(parent: string, names: readonly string[], known: KnownFolders): Promise<string> {
  const name = names.at(-1)
  if (name === undefined) return Promise.resolve(parent)
  const key = JSON.stringify([parent, ...names])
  const asked =
    known.get(key) ?? folderAt(parent, names.slice(0, -1), known).then((above) => findOrMake(above, name))
  known.set(key, asked)
  // tried again with the next file
  asked.catch(() => known.delete(key))
  return asked
}

async function findOrMake(parent: string, title: string): Promise<string> {
  const q = `title = ${quoted(title)} and ${quoted(parent)} in parents and trashed = false`
  const query = { q, corpora: 'allDrives', includeItemsFromAllDrives: true, fields: `items(${ITEM})` }
  const { items } = await call<List<PageItem>>('files', query)
  // the service finds titles whatever their case
  const [one, ...others] = items.filter((item) => item.title === title && isFolder(item))
  if (others.length > 0) throw new Error(`Several folders here have the name ${title}.`)
  if (one !== undefined) return one.id
  const body = { title, mimeType: FOLDER, parents: [{ id: parent }] }
  return (await call<PageItem>('files', { fields: 'id' }, body)).id
}

/** @throws {Error} several files have the name */
async function uploadTarget(title: string, to: UploadTransfer['to']): Promise<UploadTransfer['to']> {
  if ('file' in to) return to
  const q = `title = ${quoted(title)} and ${quoted(to.folder)} in parents and trashed = false`
  const query = { q, corpora: 'allDrives', includeItemsFromAllDrives: true, fields: `items(${ITEM})` }
  const { items } = await call<List<PageItem>>('files', query)
  // the service finds titles whatever their case
  const [one, ...others] = items.filter((item) => item.title === title && !isFolder(item))
  if (one === undefined) return to
  if (others.length > 0)
    throw new Error('Several files here have this name: open the one that is to have a new version.')
  return { file: one.id }
}
