/** A file is sent in pieces, and goes on where a broken connection or a page that was closed left it.  [network] */
import { GRANULE } from '../../../upload-granule.ts'
import type { PageItem } from '../answers.ts'
import { type Asking, Refusal, Unreachable, send } from '../service.ts'

export interface UploadTransfer {
  readonly title: string
  readonly content: Blob
  readonly type: string
  /** A new file in that folder, or a new version of that file. */
  readonly to: { readonly folder: string } | { readonly file: string }
  /** What the same content for the same place has in common with this one. */
  readonly mark: string
}

export interface TransferObserver {
  readonly signal: AbortSignal
  /** Bytes that are on the disk of the service. */
  readonly moved: (held: number) => void
  /** Nothing moves; it is tried again in so many seconds. */
  readonly waits: (seconds: number) => void
}

const [SMALLEST, LARGEST] = [4 * GRANULE, 64 * GRANULE]

/** Of one request (ms): a connection can be dead without anybody saying so, and what came is kept. */
const LONGEST = 300_000

interface StoredBytes {
  readonly held: number
  /** When all of it is there. */
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
        // an upload of an earlier page, which the service has forgotten
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

/** The service need not keep what there is so far. */
export async function abandon({ mark, to }: UploadTransfer): Promise<void> {
  const session = sessionStorage.getItem(mark)
  sessionStorage.removeItem(mark)
  if (session !== null) await sendTo(to, session, { method: 'DELETE' })
}

/** @returns the query that names the upload: whoever knows it may go on with it */
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
  // some sixty steps of progress, were it not for the bounds
  const step = Math.min(LARGEST, Math.max(SMALLEST, Math.ceil(size / 64 / GRANULE) * GRANULE))
  const end = Math.min(size, start + step)
  // read here: a file that is no longer what it was is no failure of the network
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
  const signals = [AbortSignal.timeout(LONGEST), ...(asking.signal ? [asking.signal] : [])]
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
  // an answer that ends early is a TypeError of the browser
  return error instanceof Unreachable || error instanceof TypeError
}

/** Longer each time, but no longer than until the browser is on a network again. */
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
  /** Names of the folders that it is in, from the one that was chosen. */
  readonly folders: readonly string[]
}

/** The list of what was dropped is gone after the event: it is read before anything else. */
export async function droppedFiles(dropped: DataTransfer): Promise<PathFile[]> {
  const entries = [...dropped.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null
    return entry === null ? [] : [entry]
  })
  // what a program makes up has no entries
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
    // a part of it at a time, until there is no more
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

/** Of a chosen folder. */
export function chosenFiles(files: Iterable<File>): PathFile[] {
  return [...files].map((file) => ({
    file,
    folders: file.webkitRelativePath
      .split('/')
      .filter((name) => name !== '')
      .slice(0, -1),
  }))
}
