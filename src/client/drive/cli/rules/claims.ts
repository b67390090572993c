/** The id of a file that is still to be made from a table: the same for every server and rule, since the store keeps it.  [network] */
import type { Claims } from './folder-rule.ts'
import { isRefusal } from '../../failure.ts'
import { getFile, newFileId, patchFile, removeProperty } from '../../files.ts'
import type { DriveFile } from '../../resource.ts'
import { HlaError } from '../../../../errors.ts'
import { shownTitle } from '../files/shown-title.ts'
import { claimKey, type Ending, isClaimKey } from './marks.ts'
import type { FolderRule } from './folder-rule.ts'

/** Another user's claim is given up for dead: ms. An upload that is still under way by then would make a second output. */
const CLAIM_LIFETIME = 24 * 60 * 60 * 1000

/** Others change the same file at the same time; each attempt that fails is one of theirs that succeeded. */
const MOST_ATTEMPTS = 50

/**
 * The claim stands on the table, or on the folder of the outputs where this user may only read the table. It is
 * written with the etag that it was looked for with, so that of several processes one writes it and the others find it.
 * @throws {HlaError} io — a rule of another user has claimed it; what the store refuses
 */
export async function claimId(folderRule: FolderRule, source: DriveFile, ending: Ending): Promise<string> {
  const { drive, template, to, claims } = folderRule
  const key = claimKey(source.id, template, ending)
  let isOnSource = true
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const holder = await getFile(drive.connection, isOnSource ? source.id : to.id)
    const claim = readClaim(holder.properties[key])
    if (claim !== undefined && !claims.used.has(claim.id)) {
      if (!claims.foreign.has(claim.id)) return claim.id
      if (Date.now() - claim.since < CLAIM_LIFETIME) throw claimed(source)
    }
    const id = await newFileId(drive.connection)
    try {
      if (!isOnSource) await removeOldClaims(folderRule, holder)
      await patchFile(drive.connection, holder, { properties: { [key]: `${id} ${Date.now().toString(36)}` } })
      if (!isOnSource) claims.onFolder.add(key)
      return id
    } catch (error) {
      if (isRefusal(error, 403) && isOnSource) isOnSource = false
      else if (!isRefusal(error, 412)) throw error
    }
  }
  throw new HlaError('io', `${shownTitle(source.title)} changes faster than it can be claimed`, {
    facts: { status: '412' },
  })
}

/** What ended before its output was there has left some on the folder, which holds few properties. */
async function removeOldClaims({ drive }: FolderRule, { id, properties }: DriveFile): Promise<void> {
  for (const [key, value] of Object.entries(properties)) {
    const since = isClaimKey(key) ? readClaim(value)?.since : undefined
    if (since !== undefined && Date.now() - since >= CLAIM_LIFETIME)
      await removeProperty(drive.connection, id, key)
  }
}

/** The output is there, and found by its mark. Claims on a table stay: they are few, and go with it. */
export async function releaseClaims({ drive, to, claims }: FolderRule): Promise<void> {
  for (const key of claims.onFolder) {
    await removeProperty(drive.connection, to.id, key)
    claims.onFolder.delete(key)
  }
}

function readClaim(text = ''): { readonly id: string; readonly since: number } | undefined {
  const [id = '', since = ''] = text.split(' ')
  const time = Number.parseInt(since, 36)
  return id === '' || Number.isNaN(time) ? undefined : { id, since: time }
}

function claimed({ title }: DriveFile): HlaError {
  return new HlaError('io', `a rule of another user is converting ${shownTitle(title)}`, {
    hint: 'it is left to that rule for a day',
    // neither a conflict that is tried again at once, nor a fault of the table
    facts: { status: '423' },
  })
}

/** The table is looked at again, at once. */
export function contested(): HlaError {
  return new HlaError('io', 'another process is converting the same table', { facts: { status: '409' } })
}

function isUnusableId(error: unknown): boolean {
  return isRefusal(error, 400) && error.facts?.['location'] === 'id'
}

/** Runs one step of the upload of a new file, and keeps what the store says of its id. */
export async function notingId<Result>(
  { used, foreign }: Claims,
  id: string | undefined,
  step: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    if (id !== undefined && isRefusal(error, 409)) used.add(id)
    if (id === undefined || !isUnusableId(error)) throw error
    foreign.add(id)
    throw contested()
  }
}
