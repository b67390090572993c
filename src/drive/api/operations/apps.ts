/** apps: the clients registered by the operator, as a user sees them. */
import { readScopes } from '../../domain/accounts/tokens.ts'
import { type Caller, notFound } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type AppFacts, collectTexts, localizeFacts, readAppFacts } from '../../protocol/bodies/app-facts.ts'
import { type Handlers, pathId, shown } from '../requests/call.ts'
import { splitIds } from './files.ts'
import { listAnswer, listEtag } from '../answers/paging.ts'

export const APPS: Handlers = {
  'apps.get'(call) {
    const id = pathId(call, 'appId')
    const app = findApp(call.drive.store.read, call.caller, id)
    if (app === undefined) throw notFound('App', id, 'appId')
    return shown(appResource(app))
  },
  'apps.list'(call) {
    const { drive, caller, parameters } = call
    const extensions = splitIds(parameters.appFilterExtensions) ?? []
    const mimes = splitIds(parameters.appFilterMimeTypes) ?? []
    const apps = listApps(drive.store.read, caller, { extensions, mimes })
    const etag = listEtag(apps.map((app) => JSON.stringify(app)))
    const defaultAppIds = apps.filter(({ facts }) => facts['useByDefault'] === true).map(({ id }) => id)
    const items = apps.map((app) => appResource(app, parameters.languageCode))
    return listAnswer(call, { kind: 'drive#appList', etag, defaultAppIds }, items)
  },
}

const NONE = {
  objectType: 'file',
  supportsCreate: false,
  supportsImport: false,
  supportsMultiOpen: false,
  supportsOfflineCreate: false,
  useByDefault: false,
}

function appResource({ id, name, facts, isAuthorized, hasWideScope }: AppView, language?: string) {
  return {
    kind: 'drive#app',
    id,
    name,
    ...NONE,
    ...localizeFacts(facts, language),
    authorized: isAuthorized,
    installed: isAuthorized || facts['installed'] === true,
    hasDriveWideScope: hasWideScope,
  }
}

interface AppView {
  readonly id: string
  readonly name: string
  /** Facts the operator registered. */
  readonly facts: AppFacts
  /** True if the client holds a token of the caller. */
  readonly isAuthorized: boolean
  /** True if one of these tokens also opens files that the client did not make. */
  readonly hasWideScope: boolean
}

interface AppSearch {
  /** File extensions without the dot. */
  readonly extensions: readonly string[]
  readonly mimes: readonly string[]
}

/** Clients that hold tokens of the caller or are installed for all users. A search keeps those that open one of the types. */
function listApps(db: Database, caller: Caller, { extensions, mimes }: AppSearch): AppView[] {
  const apps = findApps(db, caller).filter(
    ({ isAuthorized, facts }) => isAuthorized || facts['installed'] === true,
  )
  if (extensions.length + mimes.length === 0) return apps
  return apps.filter(
    ({ facts }) => opens(facts, extensions, 'FileExtensions') || opens(facts, mimes, 'MimeTypes'),
  )
}

/** Any registered client, authorized or not. */
function findApp(db: Database, caller: Caller, id: string): AppView | undefined {
  return findApps(db, caller).find((app) => app.id === id)
}

function opens(facts: AppFacts, wanted: readonly string[], what: 'FileExtensions' | 'MimeTypes'): boolean {
  const known = new Set(
    collectTexts(facts, `primary${what}`, `secondary${what}`).map((text) => text.toLowerCase()),
  )
  return wanted.some((one) => known.has(one.toLowerCase()))
}

interface AppRow {
  readonly id: string
  readonly name: string
  readonly facts: string
  readonly scopes: string | null
}

const REGISTERED = `SELECT id, name, facts, (SELECT group_concat(scopes, ' ') FROM tokens
  WHERE user = ?1 AND client = clients.pk AND (expires IS NULL OR expires > ?2)) AS scopes FROM clients ORDER BY pk`

function findApps(db: Database, { user }: Caller): AppView[] {
  return db.all<AppRow>(REGISTERED, user, Date.now()).map(({ id, name, facts, scopes }) => ({
    id,
    name,
    facts: readAppFacts(facts),
    isAuthorized: scopes !== null,
    hasWideScope: readScopes(scopes ?? '').some((scope) => scope === 'drive' || scope === 'drive.readonly'),
  }))
}
