/** Callers who have opened a link of its own: a signed cookie says which, for some hours. */
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import { findVisibleFile } from '../../domain/access/access.ts'
import { OPERATOR, command } from '../../domain/commands.ts'
import { type LinkFacts, findLink, findLinkByKey } from '../../domain/permissions/links.ts'
import type { Store } from '../../persistence/store.ts'
import { readCookie } from '../sign-in/cookies.ts'
import { type Visit, setCookie } from '../sign-in/visit.ts'
import { isSame, signText } from '../sign-in/html.ts'
import { findRequestedItem } from './authenticate.ts'
import type { Call, DriveContext } from './call.ts'

/** Seconds that an opened link stays open in a browser. */
const OPEN_SECONDS = 43_200

/** Keeps the link open for this browser. */
export function keepLinkOpen(visit: Visit, link: LinkFacts): void {
  const until = Date.now() + OPEN_SECONDS * 1000
  setCookie(visit, 'link', `${link.id}.${until}.${sign(visit.drive, link, until)}`, OPEN_SECONDS)
}

/** A new password closes what the old one has opened. */
function sign(drive: Pick<DriveContext, 'store'>, { id, password }: LinkFacts, until: number): string {
  return signText(drive, ['link', id, String(until), password ?? ''])
}

const OPENED = /^(link-[\w-]{24})\.(\d{13})\.([\w-]{43})$/

export function linkCallers(store: Store): DriveContext['linkCaller'] {
  // answers are kept by the object of their caller
  const known = new Map<number, Caller>()
  const callerOf = (user: number): Caller => {
    if (known.size > MAX_KNOWN) known.clear()
    const caller = known.get(user) ?? { user, isLink: true, client: 0, scopes: ['drive.readonly'] }
    known.set(user, caller)
    return caller
  }
  return (request) => {
    if (request.headers.cookie === undefined) return undefined
    const [, id, until = '', given = ''] = OPENED.exec(readCookie(request, 'link') ?? '') ?? []
    if (id === undefined || Number(until) <= Date.now()) return undefined
    const item = findRequestedItem(request)
    const link = item === undefined ? undefined : findLink(store.read, id)
    if (item === undefined || link === undefined) return undefined
    if (!isSame(given, sign({ store }, link, Number(until)))) return undefined
    const caller = callerOf(link.pk)
    return findVisibleFile(store.read, caller, item) === undefined ? undefined : caller
  }
}

const MAX_KNOWN = 10_000

/**
 * Counts a download by a link that limits them, before the first byte. One that is broken off stays counted, because
 * its bytes may have arrived. @throws 403
 */
export async function countByLink({ drive: { store }, caller, request }: Call): Promise<void> {
  if (caller.isLink !== true || request.method !== 'GET') return
  if ((findLinkByKey(store.read, caller.user)?.most ?? null) === null) return
  if (await command(store, 'countDownload', OPERATOR, { pk: caller.user })) return
  throw new StorageFailure(
    403,
    'downloadQuotaExceeded',
    'The link has been used for as many downloads as it allows.',
  )
}
