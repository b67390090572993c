/** Passwords, stored as scrypt hashes with their parameters. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { counted } from '../../../format-count.ts'
import { type Caller, invalid, rateLimitExceeded } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { endSignIns } from '../accounts/end-tokens.ts'
import { readLimits } from '../settings.ts'

/** 32 MiB, about a quarter of a second. */
const COST = { ln: 15, r: 8, p: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Length limits in characters. */
const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 1024

/** @throws 400 — too short, or too long */
export function mustBePassword({ length }: string): void {
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH)
    throw invalid(`A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`, 'password')
}

/** Hash of the form `$scrypt$ln=15,r=8,p=3$salt$hash`. @throws 400 — too short, or too long */
export async function hashPassword(password: string): Promise<string> {
  mustBePassword(password)
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

const STORED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** Takes the same time for a user without a password, so that the time does not reveal whether one is set. */
export async function isPassword(given: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = STORED.exec(stored ?? '') ?? []
  const cost = ln === undefined ? COST : { ln: Number(ln), r: Number(r), p: Number(p) }
  const made = await derive(given.slice(0, MAX_PASSWORD_LENGTH), Buffer.from(salt, 'base64url'), cost)
  const expected = Buffer.from(hash, 'base64url')
  return made.length === expected.length && timingSafeEqual(made, expected)
}

export interface SetPassword {
  readonly email: string
  /** Null removes the password. */
  readonly hash: string | null
}

/** Sets the password and ends all sign-ins made with the old one. */
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

/** Finds disabled users too; they get no token later. */
export function findSignIn(db: Database, email: string): SignIn | undefined {
  const sql = `SELECT pk, password FROM principals WHERE kind = 'user' AND is_known = 1 AND email = ?`
  return db.get<SignIn>(sql, email)
}

/** Maximum passwords waiting for the one being hashed. */
const MAX_WAITING = 32
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/** Runs one derivation at a time, because each takes 32 MiB. @throws 429 — too many are waiting */
async function derive(password: string, salt: Buffer, { ln, r, p }: typeof COST): Promise<Buffer> {
  if (waiting >= MAX_WAITING) throw rateLimitExceeded()
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

/** ms after which failed attempts no longer count. */
const WINDOW_MS = 15 * 60_000

/**
 * Multiples of the limit: for one user from one address, and for one user from all addresses. An address alone has no
 * limit, because behind a proxy all users share one (docs/adr/accounts.md#signing-in).
 */
const SHARES = [1, 10] as const

/** Message for a user who must wait. */
export function describeWait(seconds: number): string {
  return `Too many wrong passwords: try again in ${counted(Math.ceil(seconds / 60), 'minute')}.`
}

/** Digests under which an attempt is counted. `email` is the typed address; undefined when a device code is tried. */
export function attemptSubjects(email: string | undefined, address: string): string[] {
  const network = address.includes(':') ? networkIn(address) : address
  const user = email?.trim().toLowerCase()
  const subjects = user === undefined ? [`code ${network}`] : [`both ${network} ${user}`, `user ${user}`]
  return subjects.map((text) => createHash('sha256').update(text).digest('base64url'))
}

/** First 64 bits of an IPv6 address: a single host may have 2^64 addresses. */
function networkIn(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .join(':')
}

interface Attempt {
  readonly subjects: readonly string[]
}

/** Counts an attempt as failed. @returns seconds to wait if there were too many; the attempt is then not counted */
export function countAttempt(tx: Transaction, _caller: Caller, { subjects }: Attempt): number | undefined {
  const most = readLimits(tx)['sign-in-failures']
  const known = subjects.map((subject) =>
    tx.get<{ failures: number; since: number }>(
      'SELECT failures, since FROM sign_in_attempts WHERE subject = ? AND since > ?',
      subject,
      tx.now - WINDOW_MS,
    ),
  )
  for (const [at, row] of known.entries())
    if (row !== undefined && row.failures >= most * (SHARES[at] ?? 1))
      return Math.ceil((row.since + WINDOW_MS - tx.now) / 1000)
  const sql = `INSERT INTO sign_in_attempts(subject, failures, since) VALUES (?1, 1, ?2) ON CONFLICT(subject)
    DO UPDATE SET failures = CASE WHEN since > ?3 THEN failures + 1 ELSE 1 END, since = CASE WHEN since > ?3 THEN since ELSE ?2 END`
  for (const subject of subjects) tx.run(sql, subject, tx.now, tx.now - WINDOW_MS)
  return undefined
}

/** Takes back the count of an attempt that succeeded. Failures of other users stay counted. */
export function forgetAttempt(tx: Transaction, _caller: Caller, { subjects }: Attempt): void {
  const [both = '', ...others] = subjects
  tx.run('DELETE FROM sign_in_attempts WHERE subject = ?', both)
  for (const subject of others)
    tx.run('UPDATE sign_in_attempts SET failures = max(0, failures - 1) WHERE subject = ?', subject)
}

/** @returns the number of rows deleted */
export function purgeAttempts(tx: Transaction, most: number): number {
  const sql = `DELETE FROM sign_in_attempts WHERE subject IN (SELECT subject FROM sign_in_attempts WHERE since <= ? LIMIT ?)`
  return tx.run(sql, tx.now - WINDOW_MS, most).changes
}
