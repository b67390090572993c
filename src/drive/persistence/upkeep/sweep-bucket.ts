/** Removes unreferenced objects from the bucket of a store: upload pieces, unfinished multipart uploads, contents.  [network] */
import type { Store } from '../store.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import {
  BEGIN_WITHDRAWALS,
  type BeginWithdrawals,
  END_WITHDRAWALS,
  type EndWithdrawals,
  listDoubtful,
  type Withdrawal,
} from '../contents/places/withdrawals.ts'
import { isNamed } from '../contents/blob-files.ts'
import { STORE_ITSELF } from './sweep.ts'

/** `grace` is the minimum age in ms. @returns the number of objects removed */
export async function sweepBucket(store: Store, grace: number): Promise<number> {
  const { place } = store
  if (place.contents.pathOf !== undefined) return 0
  // otherwise the sweep could empty the bucket of another store
  await place.confirm()
  const begun = await place.giveUpOlder(grace)
  return begun + (await sweepPieces(store, place, grace)) + (await sweepContents(store, place, grace))
}

async function sweepPieces({ read }: Store, { pieces }: ContentPlace, grace: number): Promise<number> {
  let count = 0
  for await (const { name, age } of pieces.list()) {
    if (age <= grace) continue
    if (read.get('SELECT 1 FROM upload_pieces WHERE object = ?', name) !== undefined) continue
    await pieces.remove(name)
    count += 1
  }
  return count
}

/** Contents per command: few enough that other commands wait only briefly. */
const AT_ONCE = 100

async function sweepContents(store: Store, place: ContentPlace, grace: number): Promise<number> {
  let count = await remove(store, place, listDoubtful(store.read, Date.now()))
  const found: string[] = []
  const withdraw = async () => {
    const input: BeginWithdrawals = { contents: found.splice(0) }
    count += await remove(store, place, await store.write(BEGIN_WITHDRAWALS, STORE_ITSELF, input))
  }
  for await (const { sha256, age } of place.contents.list()) {
    if (age <= grace || isNamed(store.read, sha256)) continue
    found.push(sha256)
    if (found.length === AT_ONCE) await withdraw()
  }
  await withdraw()
  return count
}

/**
 * ms of wall-clock time: after a sleep of the machine other servers may have acted. Far less than the time after which
 * they take the withdrawals up.
 */
const LONGEST = 600_000

/** A removal that the bucket does not confirm stays recorded and is retried later, as are those left when time runs out. */
async function remove(store: Store, place: ContentPlace, begun: readonly Withdrawal[]): Promise<number> {
  const ended: number[] = []
  const until = Date.now() + LONGEST
  try {
    for (const { pk, sha256 } of begun) {
      if (Date.now() > until) break
      await place.contents.remove(sha256)
      ended.push(pk)
    }
  } finally {
    const input: EndWithdrawals = { ended }
    await store.write(END_WITHDRAWALS, STORE_ITSELF, input)
  }
  return ended.length
}
