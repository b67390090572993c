/** Passwords: kept as what scrypt makes of them, with its parameters. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import { invalid, rateLimitExceeded } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { endSignIns } from './sign-ins.ts'

/** 32 MiB, and about a quarter of a second. */
const COST = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Characters. */
const SHORTEST = 12
const LONGEST = 1024

/** `$scrypt$ln=15,r=8,p=3$salt$hash`. @throws 400 — too short, or too long */
export async function hashPassword(password: string): Promise<string> {
  const { length } = password
  if (length < SHORTEST || length > LONGEST)
    throw invalid(`A password has ${SHORTEST} to ${LONGEST} characters.`, 'password')
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** Takes as long for who has no password, so that nobody learns who has one. */
export async function isPassword(given: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored ?? '') ?? []
  const cost = ln === undefined ? COST : { ln: Number(ln), r: Number(r), p: Number(p) }
  const made = await derive(given.slice(0, LONGEST), Buffer.from(salt, 'base64url'), cost)
  const expected = Buffer.from(hash, 'base64url')
  return made.length === expected.length && timingSafeEqual(made, expected)
}

export interface SetPassword {
  readonly email: string
  /** null: none. */
  readonly hash: string | null
}

/** Whoever signed in with the one before is signed out. */
export function setPassword(tx: Transaction, _caller: Caller, { email, hash }: SetPassword): void {
  const user = findSignIn(tx, email)
  if (user === undefined) throw invalid(`There is no user ${email}.`, 'email')
  tx.run('UPDATE principals SET password = ? WHERE pk = ?', hash, user.pk)
  endSignIns(tx, user.pk)
}

export interface SignIn {
  readonly pk: number
  readonly password: string | null
}

/** Also one who is disabled, who gets no token. */
export function findSignIn(db: Database, email: string): SignIn | undefined {
  const sql = `SELECT pk, password FROM principals WHERE kind = 'user' AND is_known = 1 AND email = ?`
  return db.get<SignIn>(sql, email)
}

/** Passwords that wait while one is computed. */
const MOST_WAITING = 32
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** One at a time, for the memory that it takes. @throws 429 — too many are waiting */
async function derive(password: string, salt: Buffer, { ln, r, p }: typeof COST): Promise<Buffer> {
  if (waiting >= MOST_WAITING) throw rateLimitExceeded()
  waiting += 1
  const work = last.then(() => runScrypt(password, salt, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }))
  last = work.catch(() => undefined)
  try {
    return await work
  } finally {
    waiting -= 1
  }
}

function runScrypt(
  password: string,
  salt: Buffer,
  cost: Readonly<Record<'N' | 'r' | 'p' | 'maxmem', number>>,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, cost, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    )
  })
}
