/** Texts that wait on the disk until those before them are known, each behind the others of its key; memory is bounded.  [disk] */
import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HlaError } from '../errors.ts'

export interface Spool {
  /** @throws {HlaError} io — there are too many keys */
  readonly add: (key: string, text: string) => void
  /** In the order they came; how many texts each has. */
  readonly keys: () => readonly { readonly key: string; readonly count: number }[]
  /** Once nothing more is added. */
  readonly texts: (key: string) => AsyncIterable<string>
  readonly remove: () => void
}

interface Kept {
  readonly file: string
  held: string
  count: number
}

/** Characters of a key that wait in memory. */
const HOLD = 32 * 1024
const MOST_KEYS = 1000

/** `title`: what keys are, for messages. */
export function openSpool(title: string): Spool {
  const kept = new Map<string, Kept>()
  let folder: string | undefined
  const flush = (one: Kept) => {
    if (one.held !== '') appendFileSync(one.file, one.held, 'latin1')
    one.held = ''
  }
  const open = (key: string): Kept => {
    if (kept.size === MOST_KEYS)
      throw new HlaError('io', `there are more than ${MOST_KEYS.toLocaleString('en-US')} ${title}`, {
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
      if (one.held.length > HOLD) flush(one)
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
      folder = undefined
    },
  }
}
