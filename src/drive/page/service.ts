/** Requests to the service of this page: the public API, with the user's credentials. */
import { ITEM, type List, type PageItem, filePath, quoted } from './answers.ts'

/** Key of this tab's token, which survives a reload. */
const KEY = 'hla-drive-token'

/** Key that marks a signed-in session in this browser; its token is in a cookie that scripts cannot read. */
const SESSION = 'hla-drive-session'

/** Refusal by the service, with its message. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** No response was received. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached.', { cause })
  }
}

/** Number of sign-ins so far: a late refusal of earlier credentials does not end a later sign-in. */
let signIns = 0

export function isSignedIn(): boolean {
  return sessionStorage.getItem(KEY) !== null || localStorage.getItem(SESSION) !== null
}

/** @throws {Refusal | Unreachable} */
export async function signIn(email: string, password: string): Promise<void> {
  const answer = await reach('sign-in', {
    method: 'POST',
    headers: PAGE,
    body: new URLSearchParams({ email, password }),
  })
  if (!answer.ok) throw new Refusal(answer.status, await messageIn(answer))
  noteSession()
}

/** Name of the store, and ways to sign in. */
export interface SignInWays {
  /** Absent until an administrator has set one. */
  readonly name?: string
  /** True while no account has a password. */
  readonly isNew?: boolean
  readonly openId?: { readonly name: string; readonly start: string }
}

export async function fetchWays(): Promise<SignInWays> {
  const answer = await reach('sign-in', {})
  // the type of the service's response
  return answer.ok ? ((await answer.json()) as SignInWays) : {}
}

/** Notes a session, for which the service has set the cookie. */
export function noteSession(): void {
  signIns += 1
  localStorage.setItem(SESSION, '1')
}

/** How an item is open without an account. */
export interface Opening {
  readonly isOpen: boolean
  /** Name of the user who shared it. */
  readonly sharedBy?: string | null
  /** Downloads that the link still allows; null for no limit. */
  readonly downloadsLeft?: number | null
}

export async function fetchOpening(id: string): Promise<Opening> {
  const answer = await reach(`public/${encodeURIComponent(id)}`, {})
  // the type of the service's response
  return answer.ok ? ((await answer.json()) as Opening) : { isOpen: false }
}

/** Header that pages of other sites cannot send with a cookie. */
const PAGE = { 'x-hla-page': '1' }

export function useToken(token: string): void {
  signIns += 1
  sessionStorage.setItem(KEY, token)
}

/** Also clears everything else that this tab has stored. */
export async function signOut(): Promise<void> {
  const hasSession = localStorage.getItem(SESSION) !== null
  sessionStorage.clear()
  localStorage.removeItem(SESSION)
  if (hasSession) await reach('sign-out', { method: 'POST', headers: PAGE })
}

/** Clears everything stored for the previous user, and keeps the token. */
export function keepTokenAlone(): void {
  const token = sessionStorage.getItem(KEY)
  sessionStorage.clear()
  if (token !== null) useToken(token)
}

/** Time in ms after which a wait is shown. */
const WAIT_MS = 50

let showBusy: (isBusy: boolean) => void = () => {}
let pending = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** `act` runs when a request has been without an answer for a moment, and when the last one is answered. */
export function whenBusy(act: (isBusy: boolean) => void): void {
  showBusy = act
}

function begin(): void {
  pending += 1
  if (pending === 1) timer = setTimeout(() => showBusy(true), WAIT_MS)
}

function end(): void {
  pending -= 1
  if (pending > 0) return
  clearTimeout(timer)
  showBusy(false)
}

let refused = () => {}

/** `act` runs when the service rejects the token. Pending work can continue with another token. */
export function whenRefused(act: () => void): void {
  refused = act
}

let changed = () => {}

/** `act` runs after each change made through this page. */
export function whenChanged(act: () => void): void {
  changed = act
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface Asking extends RequestInit {
  readonly query?: Query
}

/** `path` is relative to the page. Statuses in `also` count as success. @throws {Refusal | Unreachable} */
export async function send(
  path: string,
  { query = {}, ...init }: Asking = {},
  also: readonly number[] = [],
): Promise<Response> {
  const headers = new Headers(init.headers)
  const [token, mine] = [sessionStorage.getItem(KEY), signIns]
  if (token === null) headers.set('x-hla-page', PAGE['x-hla-page'])
  else headers.set('authorization', `Bearer ${token}`)
  const answer = await reach(`${path}?${formatQuery(query)}`, { ...init, headers })
  if (answer.ok && (init.method ?? 'GET') !== 'GET') changed()
  if (answer.ok || also.includes(answer.status)) return answer
  if (answer.status === 401 && mine === signIns) {
    sessionStorage.removeItem(KEY)
    localStorage.removeItem(SESSION)
    refused()
  }
  throw new Refusal(answer.status, await messageIn(answer))
}

/** Calls an operation; a request with a body defaults to POST. */
export function call<T>(path: string, query: Query = {}, body?: unknown, method?: string): Promise<T> {
  return callAt<T>(`drive/v2/${path}`, query, body, method)
}

export function fetchItem(id: string): Promise<PageItem> {
  return call<PageItem>(filePath(id), { fields: ITEM })
}

/** `path` is relative to the page. */
export async function callAt<T>(path: string, query: Query, body?: unknown, method?: string): Promise<T> {
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await send(path, {
    query,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : json),
  })
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T // the operation's schema describes this type
}

/** Items of all pages of a list. */
export async function callAll<T>(path: string, query: Query = {}): Promise<T[]> {
  const items: T[] = []
  let pageToken: string | undefined
  do {
    const list: List<T> = await call(path, { ...query, pageToken })
    items.push(...list.items)
    pageToken = list.nextPageToken
  } while (pageToken !== undefined)
  return items
}

/** Query of a search in all drives. */
export const IN_ALL_DRIVES = { corpora: 'allDrives', includeItemsFromAllDrives: true }

/** Items in a folder that are not in the trash. */
export function fetchChildren(folder: string, query: Query = {}): Promise<PageItem[]> {
  const q = `${quoted(folder)} in parents and trashed = false`
  const fields = `nextPageToken,items(${ITEM})`
  return callAll<PageItem>('files', { q, ...IN_ALL_DRIVES, maxResults: 1000, fields, ...query })
}

function formatQuery(query: Query): URLSearchParams {
  // always includes items of shared drives
  const given = Object.entries({ ...query, supportsAllDrives: true })
  return new URLSearchParams(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  begin()
  try {
    return await fetch(address, { ...init, cache: 'no-store' })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Unreachable(error)
  } finally {
    end()
  }
}

/** True for a failure of the connection or the service, after which the same request may succeed. */
export function mayRetry(error: unknown): boolean {
  return (
    error instanceof Unreachable ||
    (error instanceof Refusal && (error.status >= 500 || error.status === 429))
  )
}

async function messageIn(answer: Response): Promise<string> {
  const text = await answer.text()
  try {
    // all failures of the service have this form
    return (JSON.parse(text) as { readonly error: { readonly message: string } }).error.message
  } catch {
    return `The service answers with status ${answer.status}.`
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
