/** Lists for administrators, by page: each reads an index in order and stops at the end of the page. */
import type { Database, Value } from '../../persistence/database/database.ts'
import { invalidToken } from '../../protocol/page-token.ts'
import { GROUP_FACTS, type GroupFacts } from '../access/groups.ts'
import { TOKEN_FACTS, type TokenFacts } from '../accounts/tokens.ts'
import { type KeyFacts, KEYS } from '../accounts/accounts.ts'
import { USER_FACTS, type UserFacts } from '../accounts/users.ts'

export interface ListPage {
  readonly most: number
  /** Key of the last row of the page before; undefined for the first page. */
  readonly after: string | undefined
}

export interface Listed<Row> {
  readonly items: readonly Row[]
  /** Key for the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** `rows` holds one row more than the page if another page follows. */
function pageFrom<Row>(rows: readonly Row[], most: number, keyOf: (row: Row) => string): Listed<Row> {
  const items = rows.slice(0, most)
  const last = rows.length > most ? items.at(-1) : undefined
  return { items, next: last === undefined ? undefined : keyOf(last) }
}

/** Sorts after every text that begins with the prefix. */
const END = '\u{10FFFF}'
const IN_ORDER = `email > ?1 AND email >= ?2 AND email < ?3 ORDER BY email LIMIT ?4`

function emailRange({ most, after = '' }: ListPage, prefix: string): Value[] {
  return [after, prefix, `${prefix}${END}`, most + 1]
}

const USERS = `${USER_FACTS} INDEXED BY principals_known WHERE kind = 'user' AND is_known = 1 AND ${IN_ORDER}`

/** Users by address; `prefix` is that of the address. */
export function pageOfUsers(db: Database, page: ListPage, prefix: string): Listed<UserFacts> {
  return pageFrom(db.all<UserFacts>(USERS, ...emailRange(page, prefix)), page.most, ({ email }) => email)
}

const GROUPS = `${GROUP_FACTS} INDEXED BY principals_known WHERE kind = 'group' AND is_known = 1 AND ${IN_ORDER}`

export function pageOfGroups(db: Database, page: ListPage, prefix: string): Listed<GroupFacts> {
  return pageFrom(db.all<GroupFacts>(GROUPS, ...emailRange(page, prefix)), page.most, ({ email }) => email)
}

export interface MemberFacts {
  readonly pk: number
  readonly email: string
  readonly name: string
}

/** Members of a disabled group are in a table of their own. */
export function pageOfMembers(
  db: Database,
  { pk, is_disabled }: GroupFacts,
  { most, after = '0' }: ListPage,
): Listed<MemberFacts> {
  const last = readNumber(after)
  const table = is_disabled === 1 ? 'suspended_members' : 'members'
  const sql = `SELECT p.pk, p.email, p.name FROM ${table} m CROSS JOIN principals p ON p.pk = m.member
    WHERE m.grp = ? AND m.member > ? ORDER BY m.member LIMIT ?`
  return pageFrom(db.all<MemberFacts>(sql, pk, last, most + 1), most, (row) => String(row.pk))
}

/**
 * Tokens made by hand, and tokens given at a sign-in. Tokens given for other tokens end with those: only the operator
 * sees them, among all.
 */
const TOKENS = {
  made: 'INDEXED BY tokens_made',
  session: 'INDEXED BY tokens_signed_in',
  all: '',
} as const
const WHICH = {
  made: 't.source IS NULL',
  session: `t.source >= 'sign-in:' AND t.source < 'sign-in;'`,
  all: 'TRUE',
} as const

export type TokenKind = keyof typeof WHICH

const NAMES = `CROSS JOIN principals p ON p.pk = t.user CROSS JOIN clients c ON c.pk = t.client`

export interface TokenSearch {
  readonly which: TokenKind
  /** Key of the user; undefined: all users. */
  readonly user: number | undefined
  readonly now: number
}

/** Valid tokens, newest first. */
export function pageOfTokens(
  db: Database,
  { which, user, now }: TokenSearch,
  { most, after }: ListPage,
): Listed<TokenFacts> {
  const [created = Number.MAX_SAFE_INTEGER, digest = ''] = readKey(after)
  const from = user === undefined ? TOKENS[which] : ''
  const sql = `${TOKEN_FACTS} ${from} ${NAMES} WHERE ${WHICH[which]} AND t.kind <> 'code' AND (t.expires IS NULL OR t.expires > ?1)
    AND (t.created < ?2 OR (t.created = ?2 AND t.digest < ?3)) ${user === undefined ? '' : 'AND t.user = ?5'}
    ORDER BY t.created DESC, t.digest DESC LIMIT ?4`
  const values = [now, created, digest, most + 1, ...(user === undefined ? [] : [user])]
  return pageFrom(db.all<TokenFacts>(sql, ...values), most, (row) => `${row.created}.${row.digest}`)
}

/** @throws 400 */
function readKey(after: string | undefined): [] | [number, string] {
  if (after === undefined) return []
  const [, created, digest] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(after) ?? []
  if (digest === undefined) throw invalidToken()
  return [Number(created), digest]
}

/** @throws 400 */
function readNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidToken()
}

/** Minimum characters of a digest that name a token: as many as lists show. */
const MIN_TOKEN_NAME_LENGTH = 10

/** `name`: the digest, or its beginning if no other token has it. */
export function findListedToken(db: Database, which: TokenKind, name: string): TokenFacts | undefined {
  const sql = `${TOKEN_FACTS} ${NAMES} WHERE t.digest >= ?1 AND t.digest < ?2 AND ${WHICH[which]} LIMIT 2`
  const [token, other] = db.all<TokenFacts>(sql, name, `${name}${END}`)
  return other === undefined && name.length >= MIN_TOKEN_NAME_LENGTH ? token : undefined
}

/** Keys of service accounts, by id. */
export function pageOfKeys(db: Database, { most, after = '' }: ListPage): Listed<KeyFacts> {
  return pageFrom(
    db.all<KeyFacts>(`${KEYS} WHERE k.kid > ? ORDER BY k.kid LIMIT ?`, after, most + 1),
    most,
    ({ kid }) => kid,
  )
}

export interface RecordFacts {
  readonly pk: number
  readonly at: number
  /** Key of the user who acted; 0 for the operator, who has no address. */
  readonly actor: number
  readonly email: string | null
  readonly command: string
  readonly subject: string
  readonly detail: string
}

const RECORDS = `SELECT a.pk, a.at, a.actor, p.email, a.command, a.subject, a.detail FROM administration a
  LEFT JOIN principals p ON p.pk = a.actor WHERE a.pk < ? ORDER BY a.pk DESC LIMIT ?`

/** Records, newest first. */
export function pageOfRecords(db: Database, { most, after }: ListPage): Listed<RecordFacts> {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : readNumber(after)
  return pageFrom(db.all<RecordFacts>(RECORDS, before, most + 1), most, ({ pk }) => String(pk))
}
