/** Uploads as they go: one after the other, each with its progress, and a button that stops it or tries again. */
import { sizeText } from '../../../web/page/size.ts'
import { describeError } from '../service.ts'
import { say } from '../talk.ts'
import type { PathFile } from './dropped-files.ts'
import { folderAt, type KnownFolders } from './folders.ts'
import { showRow, type UploadRow } from './upload-rows.ts'
import { abandon, type UploadTransfer, transfer } from './transfer.ts'
import { uploadTarget } from './upload-target.ts'

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
