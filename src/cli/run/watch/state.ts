/** Where a watch goes on after it has ended, however it ended.  [disk] */
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HlaError } from '../../../errors.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { writeAtomically } from '../../../io/atomic-write.ts'
import { holdLock, type Lock } from '../../../drive/persistence/lock.ts'

export interface WatchState {
  /** Of the feed of changes: all before it is done. Undefined: everything that is there is still to be looked at. */
  readonly pageToken?: string | undefined
  /** Id -> revision of tables without a byte, of which that is still to be said. */
  readonly empty?: Readonly<Record<string, string>> | undefined
}

export interface StateFile {
  readonly now: () => WatchState
  /** On disk when this is done. */
  readonly change: (change: WatchState) => void
  readonly release: () => void
}

const FORMAT = 'hla-drive-watch/1'

/** `watch`: what is watched, and what for. @throws {HlaError} io — another process has it; usage — it is of another watch */
export async function openState(path: string, watch: string): Promise<StateFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const lock: Lock = await holdLock(
    { path: dirname(path) },
    `${basename(path)}.lock`,
    'another watch of the same goes on from',
  )
  let state = read(path, watch)
  return {
    now: () => state,
    change(change) {
      const next = { ...state, ...change }
      if (JSON.stringify(next) === JSON.stringify(state)) return
      writeAtomically(path, `${JSON.stringify({ format: FORMAT, watch, ...next })}\n`)
      state = next
    },
    release: lock.release,
  }
}

function read(path: string, watch: string): WatchState {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  const state: unknown = JSON.parse(text)
  const { format, watch: was, pageToken, empty } = isRecord(state) ? state : {}
  if (format === FORMAT && was === watch)
    return { pageToken: typeof pageToken === 'string' ? pageToken : undefined, empty: readEmpty(empty) }
  throw new HlaError('usage', `${path} belongs to another watch`, {
    offending: path,
    hint: 'use another file with --state',
  })
}

function readEmpty(value: unknown): WatchState['empty'] {
  if (!isRecord(value)) return undefined
  const texts = Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string')
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}
