/** Resumable upload of a file in pieces: continues after a broken connection, or after the page was closed.  [network] */
import { GRANULE } from '../../contract/upload-granule.ts'
import type { PageItem } from '../answers.ts'
import { type Asking, Refusal, Unreachable, send } from '../service.ts'

export interface UploadTransfer {
  readonly title: string
  readonly content: Blob
  readonly type: string
  /** A new file in the folder, or a new version of the file. */
  readonly to: { readonly folder: string } | { readonly file: string }
  /** Key under which the session is stored, equal for the same content and target. */
  readonly mark: string
}

export interface TransferObserver {
  readonly signal: AbortSignal
  /** Called with the bytes on the service's disk. */
  readonly moved: (held: number) => void
  /** Called when the connection is lost, with the seconds until the next attempt. */
  readonly waits: (seconds: number) => void
}

const [SMALLEST, LARGEST] = [4 * GRANULE, 64 * GRANULE]

/** ms per request: a dead connection may give no error, and the service keeps the bytes received. */
const REQUEST_TIMEOUT_MS = 300_000

interface StoredBytes {
  readonly held: number
  /** The finished file, once all bytes have arrived. */
  readonly item?: PageItem
}

export async function transfer(what: UploadTransfer, watching: TransferObserver): Promise<PageItem> {
  let session: string | undefined = sessionStorage.getItem(what.mark) ?? undefined
  let held = session === undefined ? 0 : undefined
  for (let failures = 0; ;) {
    try {
      session ??= await begin(what, watching.signal)
      const known: StoredBytes =
        held === undefined
          ? await move(what, session, ask(what), watching.signal)
          : await move(what, session, await piece(what, held), watching.signal)
      if (known.item !== undefined) return finished(what, known.item)
      if (held !== undefined && known.held > held) failures = 0
      held = known.held
      watching.moved(held)
    } catch (error) {
      if (isGone(error) && held === undefined) {
        // the service has deleted the session of an earlier page
        ;[session, held] = [undefined, 0]
        sessionStorage.removeItem(what.mark)
        continue
      }
      if (!mayPass(error)) throw error
      if (session !== undefined) held = undefined
      await pause((failures += 1), watching)
    }
  }
}

/** Tells the service to drop the received bytes. */
export async function abandon({ mark, to }: UploadTransfer): Promise<void> {
  const session = sessionStorage.getItem(mark)
  sessionStorage.removeItem(mark)
  if (session !== null) await sendTo(to, session, { method: 'DELETE' })
}

/** @returns the query that names the upload session, and is its credential */
async function begin(
  { title, content, type, to, mark }: UploadTransfer,
  signal: AbortSignal,
): Promise<string> {
  const isNew = 'folder' in to
  const answer = await send(uploadPath(to), {
    method: isNew ? 'POST' : 'PUT',
    query: { uploadType: 'resumable' },
    headers: {
      'content-type': 'application/json',
      'x-upload-content-type': type,
      'x-upload-content-length': `${content.size}`,
    },
    body: JSON.stringify(isNew ? { title, mimeType: type, parents: [{ id: to.folder }] } : {}),
    signal,
  })
  const session = new URL(answer.headers.get('location') ?? '', location.href).search
  sessionStorage.setItem(mark, session)
  return session
}

function finished({ mark }: UploadTransfer, item: PageItem): PageItem {
  sessionStorage.removeItem(mark)
  return item
}

function ask({ content }: UploadTransfer): Asking {
  return { headers: { 'content-range': `bytes */${content.size}` } }
}

async function piece({ content }: UploadTransfer, start: number): Promise<Asking> {
  const { size } = content
  if (size === 0) return { headers: { 'content-range': 'bytes */0' } }
  // about sixty steps of progress, within the limits
  const step = Math.min(LARGEST, Math.max(SMALLEST, Math.ceil(size / 64 / GRANULE) * GRANULE))
  const end = Math.min(size, start + step)
  // read before sending, so that a changed file is not mistaken for a network failure
  const body = await content.slice(start, end).arrayBuffer()
  return { headers: { 'content-range': `bytes ${start}-${end - 1}/${size}` }, body }
}

async function move(
  { to }: UploadTransfer,
  session: string,
  asking: Asking,
  signal: AbortSignal,
): Promise<StoredBytes> {
  const answer = await sendTo(to, session, { method: 'PUT', ...asking, signal })
  if (answer.status !== 308) return { held: 0, item: (await answer.json()) as PageItem } // the file it became
  return { held: Number(/-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1 }
}

function sendTo(to: UploadTransfer['to'], session: string, asking: Asking): Promise<Response> {
  const query = Object.fromEntries(new URLSearchParams(session))
  const signals = [AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(asking.signal ? [asking.signal] : [])]
  return send(uploadPath(to), { ...asking, query, signal: AbortSignal.any(signals) }, [308, 499])
}

function uploadPath(to: UploadTransfer['to']): string {
  return 'folder' in to ? 'upload/drive/v2/files' : `upload/drive/v2/files/${encodeURIComponent(to.file)}`
}

function isGone(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 404 || error.status === 410)
}

function mayPass(error: unknown): boolean {
  if (error instanceof Refusal) return error.status >= 500 || error.status === 429 || error.status === 408
  // a truncated response is a TypeError in browsers
  return error instanceof Unreachable || error instanceof TypeError
}

/** Waits longer after each failure, but resumes at once when the browser is online again. */
async function pause(failures: number, { signal, waits }: TransferObserver): Promise<void> {
  const seconds = Math.min(30, 2 ** (failures - 1))
  waits(seconds)
  await new Promise<void>((over) => {
    const timer = setTimeout(over, seconds * 1000)
    for (const [target, event] of [
      [window, 'online'],
      [signal, 'abort'],
    ] as const)
      target.addEventListener(event, () => (clearTimeout(timer), over()), { once: true })
  })
  signal.throwIfAborted()
}

export interface PathFile {
  readonly file: File
  /** Names of the folders that hold the file, from the chosen one. */
  readonly folders: readonly string[]
}

/** Reads the entries before the first await, because the list is empty after the event. */
export async function droppedFiles(dropped: DataTransfer): Promise<PathFile[]> {
  const entries = [...dropped.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    return entry === null ? [] : [entry]
  })
  // files made by a program have no entries
  if (entries.length === 0) return [...dropped.files].map((file) => ({ file, folders: [] }))
  const found: PathFile[] = []
  for (const entry of entries) await walk(entry, [], found)
  return found
}

async function walk(entry: FileSystemEntry, folders: readonly string[], found: PathFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ file, folders })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // returns the entries in parts, and an empty one at the end
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return
    for (const one of some) await walk(one, [...folders, entry.name], found)
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

/** Files of a chosen folder. */
export function chosenFiles(files: Iterable<File>): PathFile[] {
  return [...files].map((file) => ({
    file,
    folders: file.webkitRelativePath
      .split('/')
      .filter((name) => name !== '')
      .slice(0, -1),
  }))
}
