/**
 * Reserves the id of an output before it is created, for all rules: the store keeps the claim.  [network]
 */
import type { Claims } from './folder-rule.ts'
import { isRefusal } from '../client/failure.ts'
import { getFile, newFileId, patchFile, removeProperty } from '../client/files.ts'
import type { DriveFile } from '../client/resource.ts'
import { HlaError } from '../../errors.ts'
import { shownTitle } from '../commands/files/shown-title.ts'
import { claimKey, type OutputSuffix, isClaimKey } from './marks.ts'
import type { FolderRule } from './folder-rule.ts'

/**
 * Age in ms after which another user's claim is considered abandoned. An upload still running then would create a
 * second output.
 */
const CLAIM_LIFETIME = 24 * 60 * 60 * 1000

/** Maximum attempts. Each failed one means that another process changed the same file. */
const MAX_ATTEMPTS = 50

/**
 * The claim is a property of the table, or of the output folder when this user may only read the table.
 * The write is conditional on the etag of the read, so one process writes the claim and the others find it.
 * @throws {HlaError} io — a rule of another user holds the claim; refusals of the store
 */
export async function claimId(
  folderRule: FolderRule,
  source: DriveFile,
  ending: OutputSuffix,
): Promise<string> {
  const { drive, template, to, claims } = folderRule
  const key = claimKey(source.id, template, ending)
  let isOnSource = true
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
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
  throw new HlaError(
    'io',
    `${shownTitle(source.title)} is changed too often to be reserved for conversion; try again`,
    {
      facts: { status: '412' },
    },
  )
}

/** Removes abandoned claims: runs that ended early leave them on the folder, which holds few properties. */
async function removeOldClaims({ drive }: FolderRule, { id, properties }: DriveFile): Promise<void> {
  for (const [key, value] of Object.entries(properties)) {
    const since = isClaimKey(key) ? readClaim(value)?.since : undefined
    if (since !== undefined && Date.now() - since >= CLAIM_LIFETIME)
      await removeProperty(drive.connection, id, key)
  }
}

/**
 * Removes the claims on the folder once the output exists and is found by its mark. Claims on tables stay: they are
 * few, and are deleted with the table.
 */
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
    hint: 'the other rule has up to a day to finish; after that, this rule can convert the table',
    // a status of its own: neither a conflict to retry at once, nor an error of the table
    facts: { status: '423' },
  })
}

/** Conflict error: the caller looks at the table again at once. */
export function contestedError(): HlaError {
  return new HlaError('io', 'another process is converting the same table', { facts: { status: '409' } })
}

function isUnusableId(error: unknown): boolean {
  return isRefusal(error, 400) && error.facts?.['location'] === 'id'
}

/** Runs one step of an upload, and records the store's refusals of the id. */
export async function recordIdRefusal<Result>(
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
    throw contestedError()
  }
}
