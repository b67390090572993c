/**
 * Removes contents whose last row has gone: at once after the commit, or later while a backup or a check holds their
 * lock. A content that is arriving again stays (docs/adr/store.md#removing-contents).  [disk, network]
 */
import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Caller } from '../../contract/failure.ts'
import type { Commands, Database, Transaction } from '../database/database.ts'
import type { StoreFolder } from '../folder.ts'
import type { MomentaryLock } from '../lock.ts'
import { isCode, isNamed, isOfSystem, removeIfThere } from './blob-files.ts'
import type { PlacedContents } from './places/place.ts'
import {
  BEGIN_WITHDRAWALS,
  type BeginWithdrawals,
  END_WITHDRAWALS,
  type EndWithdrawals,
  type Withdrawal,
} from './places/withdrawals.ts'

export interface Removals {
  /** Removes what can be removed now; the rest later. Contents in files have moved away when it returns. */
  readonly run: () => void
  /** A content arrives: it is not removed before `settle`. */
  readonly arrive: (sha256: string) => void
  /** The content has a row by now, or gets none: then it is removed, unless it arrives once more. */
  readonly settle: (content: Content) => Promise<void>
  readonly close: () => Promise<void>
}

interface Content {
  readonly sha256: string
  readonly size: number
}

export interface RemovalsOptions {
  readonly read: Database
  readonly contents: PlacedContents
  readonly lock: MomentaryLock
  readonly write: <Result>(command: string, input: unknown) => Promise<Result>
  readonly warn: (error: unknown) => void
}

/** Contents of one turn, so that requests and other processes wait only briefly. */
const FILES_AT_ONCE = 200
const OBJECTS_AT_ONCE = 10

/** ms until contents that could not be removed are tried again. */
const RETRY_MS = 1000

export function openRemovals(folder: StoreFolder, options: RemovalsOptions): Removals {
  const removals = new ContentRemovals(folder, options)
  return {
    run: () => removals.run(),
    arrive: (sha256) => removals.arrive(sha256),
    settle: (content) => removals.settle(content),
    close: () => removals.close(),
  }
}

class ContentRemovals {
  readonly #options: RemovalsOptions
  readonly #staging: string
  /** Number of requests that bring each content. */
  readonly #arriving = new Map<string, number>()
  /** Removed, or being removed; their rows are not yet. */
  readonly #leaving = new Set<string>()
  readonly #pending = new Set<Promise<void>>()
  #later: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ staging }: StoreFolder, options: RemovalsOptions) {
    this.#staging = staging
    this.#options = options
  }

  run(): void {
    const { read, lock, contents, write } = this.#options
    clearTimeout(this.#later)
    this.#later = undefined
    if (this.#isClosed) return
    const due = read.all<Content>('SELECT sha256, size FROM removals')
    const free = due.map(({ sha256 }) => sha256).filter((sha256) => !this.#leaving.has(sha256))
    const most = contents.pathOf === undefined ? OBJECTS_AT_ONCE : FILES_AT_ONCE
    const now = free.filter((sha256) => !this.#arriving.has(sha256)).slice(0, most)
    const release = now.length === 0 ? undefined : lock.attempt()
    if (release !== undefined) this.#remove(now, release)
    // contents that have to stay count for their users
    else if (now.length > 0) this.#track(write(HOLD, undefined))
    if (free.length > (release === undefined ? 0 : now.length)) this.#runLater(RETRY_MS)
  }

  arrive(sha256: string): void {
    // its file has moved away: what goes after this is another one, whose row must stay until then
    if (this.#options.contents.pathOf !== undefined) this.#leaving.delete(sha256)
    this.#arriving.set(sha256, (this.#arriving.get(sha256) ?? 0) + 1)
  }

  async settle({ sha256, size }: Content): Promise<void> {
    const { read, write, warn } = this.#options
    const others = (this.#arriving.get(sha256) ?? 1) - 1
    if (others > 0) this.#arriving.set(sha256, others)
    else this.#arriving.delete(sha256)
    // after a failure here the next start finds it in the staging folder
    if (others === 0 && !isNamed(read, sha256)) await write(LEAVE, { sha256, size }).catch(warn)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#later)
    await Promise.all(this.#pending)
    this.#options.lock.close()
  }

  #runLater(ms: number): void {
    this.#later ??= setTimeout(() => this.run(), ms).unref()
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .then(() => undefined, this.#options.warn)
      .finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
  }

  #remove(digests: readonly string[], release: () => void): void {
    const { pathOf } = this.#options.contents
    for (const sha256 of digests) this.#leaving.add(sha256)
    const removing = pathOf === undefined ? this.#removeObjects(digests) : this.#removeFiles(digests, pathOf)
    // files have moved away by now
    if (pathOf !== undefined) release()
    this.#track(this.#forget(digests, removing).finally(() => pathOf === undefined && release()))
  }

  async #forget(digests: readonly string[], removing: Promise<readonly string[]>): Promise<void> {
    const { read, write } = this.#options
    try {
      const removed = await removing
      await write(
        FORGET,
        removed.filter((sha256) => this.#leaving.has(sha256)),
      )
    } finally {
      for (const sha256 of digests) this.#leaving.delete(sha256)
      if (read.get(ANY) !== undefined) this.#runLater(digests.length < OBJECTS_AT_ONCE ? RETRY_MS : 0)
    }
  }

  async #removeFiles(digests: readonly string[], pathOf: (sha256: string) => string) {
    const { read } = this.#options
    const removed: string[] = []
    const asides: string[] = []
    for (const sha256 of digests) {
      const aside = join(this.#staging, `gone-${randomBytes(16).toString('hex')}`)
      if (isNamed(read, sha256) || moveAside(pathOf(sha256), aside)) removed.push(sha256)
      asides.push(aside)
    }
    await Promise.all(asides.map(removeIfThere))
    return removed
  }

  async #removeObjects(digests: readonly string[]): Promise<readonly string[]> {
    const { contents, write } = this.#options
    const asked: BeginWithdrawals = { contents: digests }
    const begun = await write<readonly Withdrawal[]>(BEGIN_WITHDRAWALS, asked)
    for (const { sha256 } of begun) await contents.remove(sha256)
    const ended: EndWithdrawals = { ended: begun.map(({ pk }) => pk) }
    await write(END_WITHDRAWALS, ended)
    return digests
  }
}

/** @returns false if the system refuses it now, as for a file that is open on Windows */
function moveAside(path: string, aside: string): boolean {
  try {
    renameSync(path, aside)
    return true
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true
    if (isOfSystem(error)) return false
    throw error
  }
}

const ANY = 'SELECT 1 FROM removals LIMIT 1'

/** Names of commands. The prefix "store: " keeps them apart from all others. */
const LEAVE = 'store: leave content'
const HOLD = 'store: hold removals'
const FORGET = 'store: forget removals'

export const REMOVAL_COMMANDS: Commands = {
  [LEAVE](tx: Transaction, _caller: Caller, { sha256, size }: Content) {
    if (!isNamed(tx, sha256))
      tx.run('INSERT OR IGNORE INTO removals(sha256, size) VALUES (?, ?)', sha256, size)
  },
  [HOLD](tx: Transaction) {
    tx.run('UPDATE removals SET is_held = 1 WHERE is_held = 0')
  },
  [FORGET](tx: Transaction, _caller: Caller, removed: readonly string[]) {
    for (const sha256 of removed) tx.run('DELETE FROM removals WHERE sha256 = ?', sha256)
  },
}
