/** Text spooled to disk, in order per key, until what precedes it is known; memory is bounded.  [disk] */
import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HlaError } from '../errors.ts'
import { formatCount } from '../format-count.ts'

export interface Spool {
  /** @throws {HlaError} io — too many keys */
  readonly add: (key: string, text: string) => void
  /** Keys in order of arrival, with the number of texts of each. */
  readonly keys: () => readonly { readonly key: string; readonly count: number }[]
  /** Texts of a key; call after the last `add`. */
  readonly texts: (key: string) => AsyncIterable<string>
  readonly remove: () => void
}

interface SpoolFile {
  readonly file: string
  held: string
  count: number
}

/** Characters buffered per key. */
const BUFFER_LENGTH = 32 * 1024
const MAX_KEYS = 1000

/** `title` says in messages what the keys are. */
export function openSpool(title: string): Spool {
  const kept = new Map<string, SpoolFile>()
  let folder: string | undefined
  const flush = (one: SpoolFile) => {
    if (one.held !== '') appendFileSync(one.file, one.held, 'latin1')
    one.held = ''
  }
  const open = (key: string): SpoolFile => {
    if (kept.size === MAX_KEYS)
      throw new HlaError('io', `there are more than ${formatCount(MAX_KEYS)} ${title}`, {
        hint: 'is that the right column?',
      })
    folder ??= mkdtempSync(join(tmpdir(), 'hla-spool-'))
    const one = { file: join(folder, String(kept.size)), held: '', count: 0 }
    kept.set(key, one)
    return one
  }
  return {
    add(key, text) {
      const one = kept.get(key) ?? open(key)
      one.held += text
      one.count += 1
      if (one.held.length > BUFFER_LENGTH) flush(one)
    },
    keys: () => [...kept].map(([key, { count }]) => ({ key, count })),
    async *texts(key) {
      const one = kept.get(key)
      if (one === undefined) return
      flush(one)
      for await (const text of createReadStream(one.file, 'latin1')) yield String(text)
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
