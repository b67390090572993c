/** The programs that the operator knows, as one of their users sees them (spec 18). */
import type { Caller } from '../../contract/caller.ts'
import { type AppFacts, readAppFacts, textsIn } from '../../protocol/bodies/app-facts.ts'
import type { Database } from '../../persistence/database/database.ts'
import { readScopes } from './tokens.ts'

export interface AppView {
  readonly id: string
  readonly name: string
  /** What the operator said of it. */
  readonly facts: AppFacts
  /** It holds a token of the caller's. */
  readonly isAuthorized: boolean
  /** With such a token it sees files that it did not make. */
  readonly hasWideScope: boolean
}

export interface AppSearch {
  /** Without the dot. */
  readonly extensions: readonly string[]
  readonly mimes: readonly string[]
}

/** Those that hold tokens of the caller's or are installed for everybody; of these, with a search, those that open any of it. */
export function listApps(db: Database, caller: Caller, { extensions, mimes }: AppSearch): AppView[] {
  const apps = findApps(db, caller).filter(
    ({ isAuthorized, facts }) => isAuthorized || facts['installed'] === true,
  )
  if (extensions.length + mimes.length === 0) return apps
  return apps.filter(
    ({ facts }) => opens(facts, extensions, 'FileExtensions') || opens(facts, mimes, 'MimeTypes'),
  )
}

/** Any that there is. */
export function findApp(db: Database, caller: Caller, id: string): AppView | undefined {
  return findApps(db, caller).find((app) => app.id === id)
}

function opens(facts: AppFacts, wanted: readonly string[], what: 'FileExtensions' | 'MimeTypes'): boolean {
  const known = new Set(
    textsIn(facts, `primary${what}`, `secondary${what}`).map((text) => text.toLowerCase()),
  )
  return wanted.some((one) => known.has(one.toLowerCase()))
}

interface AppRow {
  readonly id: string
  readonly name: string
  readonly facts: string
  readonly scopes: string | null
}

const APPS = `SELECT id, name, facts, (SELECT group_concat(scopes, ' ') FROM tokens
  WHERE user = ?1 AND client = clients.pk AND (expires IS NULL OR expires > ?2)) AS scopes FROM clients ORDER BY pk`

function findApps(db: Database, { user }: Caller): AppView[] {
  return db.all<AppRow>(APPS, user, Date.now()).map(({ id, name, facts, scopes }) => ({
    id,
    name,
    facts: readAppFacts(facts),
    isAuthorized: scopes !== null,
    hasWideScope: readScopes(scopes ?? '').some((scope) => scope === 'drive' || scope === 'drive.readonly'),
  }))
}
