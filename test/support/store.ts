/** Opens stores for tests, and queries them. */
import type { Caller } from '../../src/drive/contract/failure.ts'
import type { Staged } from '../../src/drive/persistence/contents/blob-rows.ts'
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
