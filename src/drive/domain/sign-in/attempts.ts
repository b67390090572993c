/** How often wrong passwords may be tried: counted in the store, for all its servers, before a password is looked at. */
import { createHash } from 'node:crypto'
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { readLimits } from '../limits.ts'

/** ms after which all is forgotten. */
const WINDOW = 15 * 60_000

/**
 * Multiples of the limit: for one user from one address, and for one user from all. An address alone has none: behind a proxy it is
 * everybody's (docs/adr/0130).
 */
const SHARES = [1, 10] as const

/** Digests of whoever an attempt counts for. `email`: as it was typed; undefined: a code of a program is tried. */
export function attemptSubjects(email: string | undefined, address: string): string[] {
  const place = address.includes(':') ? networkIn(address) : address
  const user = email?.trim().toLowerCase()
  const subjects = user === undefined ? [`code ${place}`] : [`both ${place} ${user}`, `user ${user}`]
  return subjects.map((text) => createHash('sha256').update(text).digest('base64url'))
}

/** The first half: who has one address of IPv6 has 2^64. */
function networkIn(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

export interface Attempt {
  readonly subjects: readonly string[]
}

/** Counts it as one that failed. @returns seconds to wait, if there were too many; then it is not counted */
export function countAttempt(tx: Transaction, _caller: Caller, { subjects }: Attempt): number | undefined {
  const most = readLimits(tx)['sign-in-failures']
  const known = subjects.map((subject) =>
    tx.get<{ failures: number; since: number }>(
      'SELECT failures, since FROM sign_in_attempts WHERE subject = ? AND since > ?',
      subject,
      tx.now - WINDOW,
    ),
  )
  for (const [at, row] of known.entries())
    if (row !== undefined && row.failures >= most * (SHARES[at] ?? 1))
      return Math.ceil((row.since + WINDOW - tx.now) / 1000)
  const sql = `INSERT INTO sign_in_attempts(subject, failures, since) VALUES (?1, 1, ?2) ON CONFLICT(subject)
    DO UPDATE SET failures = CASE WHEN since > ?3 THEN failures + 1 ELSE 1 END, since = CASE WHEN since > ?3 THEN since ELSE ?2 END`
  for (const subject of subjects) tx.run(sql, subject, tx.now, tx.now - WINDOW)
  return undefined
}

/** It did not fail. What others tried stays counted. */
export function forgetAttempt(tx: Transaction, _caller: Caller, { subjects }: Attempt): void {
  const [both = '', ...others] = subjects
  tx.run('DELETE FROM sign_in_attempts WHERE subject = ?', both)
  for (const subject of others)
    tx.run('UPDATE sign_in_attempts SET failures = max(0, failures - 1) WHERE subject = ?', subject)
}

/** @returns how many went */
export function purgeAttempts(tx: Transaction, most: number): number {
  const sql = `DELETE FROM sign_in_attempts WHERE subject IN (SELECT subject FROM sign_in_attempts WHERE since <= ? LIMIT ?)`
  return tx.run(sql, tx.now - WINDOW, most).changes
}
