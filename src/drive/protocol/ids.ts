/** Identifiers: opaque, never used again; and those that a client may fetch beforehand, which prove themselves. */
import { createHmac, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

/** The user and space that a generated id is valid for. */
export interface IdScope {
  /** The id of the user that the interface shows. */
  readonly user: string
  readonly space: string
}

const RANDOM_BYTES = 18
const TAG_BYTES = 9
const TIME_BYTES = 6
const GENERATED = /^1[\w-]{36}$/

/** 33 characters: when it was made, so that ids made one after another lie together in an index, and 144 random bits. */
export function newId(): string {
  const bytes = Buffer.allocUnsafe(TIME_BYTES + RANDOM_BYTES)
  bytes.writeUIntBE(Date.now(), 0, TIME_BYTES)
  bytes.set(nextRandom(), TIME_BYTES)
  return `1${bytes.toString('base64url')}`
}

const pool = Buffer.alloc(256 * RANDOM_BYTES)
let taken = pool.length

/** To ask the system for each id's bits takes longer than all the rest of it. */
function nextRandom(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  return pool.subarray(taken, (taken += RANDOM_BYTES))
}

/** 32 characters that nobody can guess; who has it, may. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** 37 characters: 144 random bits, and 72 bits of a keyed tag over them, the user and the space. Nothing is kept (spec 5.3). */
export function generateId(key: Uint8Array, scope: IdScope): string {
  const random = randomBytes(RANDOM_BYTES)
  return `1${Buffer.concat([random, signId(key, scope, random)]).toString('base64url')}`
}

/** Whether it was generated with this key for this user and space. */
export function isGeneratedId(id: string, key: Uint8Array, scope: IdScope): boolean {
  if (!GENERATED.test(id)) return false
  const bytes = Buffer.from(id.slice(1), 'base64url')
  const random = bytes.subarray(0, RANDOM_BYTES)
  return timingSafeEqual(bytes.subarray(RANDOM_BYTES), signId(key, scope, random))
}

function signId(key: Uint8Array, scope: IdScope, random: Uint8Array): Uint8Array {
  const said = JSON.stringify(['id', scope.user, scope.space])
  return createHmac('sha256', key).update(said).update(random).digest().subarray(0, TAG_BYTES)
}
