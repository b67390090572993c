/** Identifiers: opaque and never reused. Ids generated for clients in advance carry a signature. */
import { createHmac, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'

/** User and space for which a generated id is valid. */
export interface IdScope {
  /** Public id of the user. */
  readonly user: string
  readonly space: string
}

const RANDOM_BYTES = 18
const TAG_BYTES = 9
const TIME_BYTES = 6
const GENERATED = /^1[\w-]{36}$/

/** 33 characters: creation time, which keeps consecutive ids together in an index, and 144 random bits. */
export function newId(): string {
  const bytes = Buffer.allocUnsafe(TIME_BYTES + RANDOM_BYTES)
  bytes.writeUIntBE(Date.now(), 0, TIME_BYTES)
  bytes.set(nextRandom(), TIME_BYTES)
  return `1${bytes.toString('base64url')}`
}

const pool = Buffer.alloc(256 * RANDOM_BYTES)
let taken = pool.length

/** Draws random bytes in bulk: one system call for each id would take longer than everything else. */
function nextRandom(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  return pool.subarray(taken, (taken += RANDOM_BYTES))
}

/** 32 characters that cannot be guessed. Possession grants access. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** 37 characters: 144 random bits and a 72-bit keyed tag over them, the user and the space. Stateless (spec 5.3). */
export function generateId(key: Uint8Array, scope: IdScope): string {
  const random = randomBytes(RANDOM_BYTES)
  return `1${Buffer.concat([random, signId(key, scope, random)]).toString('base64url')}`
}

/** Tells whether the id was generated with this key for this user and space. */
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
