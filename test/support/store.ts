/** Opens stores for tests, and queries them. */
import type { Caller } from '../../src/drive/contract/failure.ts'
import type { Staged } from '../../src/drive/persistence/contents/blob-rows.ts'
import type { Blobs } from '../../src/drive/persistence/contents/blobs.ts'
import type { Admit, Incoming } from '../../src/drive/persistence/contents/staging.ts'
import { openStore, type Store, type StoreOptions } from '../../src/drive/persistence/store.ts'
import { type Added, NOBODY, STORE_COMMANDS } from './store-commands.ts'

/** The writer runs in this thread unless `options` say otherwise. */
export function openTestStore(path: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore(path, {
    writer: STORE_COMMANDS,
    isService: true,
    onBroken: unexpected,
    onWarning: (text) => unexpected(new Error(text)),
    ...options,
  })
}

function unexpected(error: Error): never {
  throw error
}

export function addFile(
  store: Store,
  title: string,
  staged?: Staged,
  caller: Caller = NOBODY,
): Promise<Added> {
  return store.write('add', caller, { title, ...(staged === undefined ? {} : { staged }) })
}

export function runSql(store: Store, sql: string): Promise<unknown> {
  return store.write('sql', NOBODY, sql)
}

export function titlesOf(store: Store): string[] {
  const rows = store.read.all<{ title: string }>(`SELECT title FROM files WHERE kind = 'file' ORDER BY pk`)
  return rows.map(({ title }) => title)
}

/** Adds a file with the content, as an upload does. @returns what was stored of it */
export function addContent(store: Store, title: string, content: Incoming): Promise<Staged> {
  const add = (staged: Staged) => addFile(store, title, staged).then(() => staged)
  return store.blobs.stage(content, () => undefined, add)
}

/** The same for an upload of several requests. */
export function addUpload(store: Store, title: string, name: string, length: number): Promise<Staged> {
  const add = (staged: Staged) => addFile(store, title, staged).then(() => staged)
  return store.blobs.uploads.complete(name, length, add)
}

/** The content of an upload that is stored and then refused. */
export function refusedUpload(
  { uploads }: Pick<Blobs, 'uploads'>,
  name: string,
  length: number,
): Promise<Staged> {
  return uploads.complete(name, length, (staged) => Promise.resolve(staged))
}

/** A content that a request has stored and not yet named: it stays until the process ends, as long as the store is open. */
export function heldContent(
  { stage }: Pick<Blobs, 'stage'>,
  content: Incoming,
  admit: Admit = () => undefined,
): Promise<Staged> {
  return new Promise((resolve, reject) => {
    const hold = (staged: Staged) => {
      resolve(staged)
      return new Promise<never>(() => undefined)
    }
    stage(content, admit, hold).catch(reject)
  })
}

/** Bytes in pieces, as from a network. */
export async function* pieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function bytesOf(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Bytes without repeated parts. */
export function madeBytes(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size)
  let state = seed >>> 0
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}
