/** What a client may say about a file, checked: the limits of spec 23 and what goes into `Extra`. */
import type { ContentRestrictionBody, FileBody } from '../../contract/bodies.ts'
import type { Caller } from '../../contract/caller.ts'
import { badRequest, invalid } from '../../contract/failure.ts'
import { EXPORTS, isNativeDocument, type ItemKind } from '../../contract/kinds.ts'
import { nearestColor } from './palette.ts'
import { isMimeType } from '../../protocol/media-type.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { Extra, Restriction } from './extra.ts'
import { readLimits } from '../limits.ts'

/** Bytes. */
const LONGEST_INDEXABLE = 128 * 1024

/** @throws 400 */
export function checkTexts(db: Database, body: FileBody): void {
  const { title, description, indexableText, mimeType, thumbnail } = body
  const { 'title-bytes': longestTitle, 'description-characters': longestDescription } = readLimits(db)
  if (title !== undefined && Buffer.byteLength(title) > longestTitle)
    throw invalid(`A title must not be longer than ${longestTitle} bytes.`, 'title')
  if (description != null && description.length > longestDescription)
    throw invalid(`A description must not be longer than ${longestDescription} characters.`, 'description')
  if (Buffer.byteLength(indexableText?.text ?? '') > LONGEST_INDEXABLE)
    throw invalid(
      `An indexable text must not be longer than ${LONGEST_INDEXABLE} bytes.`,
      'indexableText.text',
    )
  // it is not shown again: to drop it would tell nobody
  if ((thumbnail?.image ?? '') !== '') throw badRequest('This service keeps no thumbnails.', 'thumbnail')
  if (mimeType !== undefined) checkMime(mimeType)
}

function checkMime(mime: string): void {
  if (isNativeDocument(mime)) {
    const why = EXPORTS.has(mime) ? 'are made of a content that is converted' : 'are not made by this service'
    throw badRequest(`Documents of the type ${mime} ${why}.`, 'mimeType')
  }
  if (!isMimeType(mime)) throw invalid(`Not a MIME type: ${mime.slice(0, 100)}`, 'mimeType')
}

interface Changing {
  readonly kind: ItemKind
  readonly caller: Caller
  readonly now: number
}

/** `before` with what the body says. */
export function extraAfter(before: Extra, body: FileBody, { kind, caller, now }: Changing): Extra {
  const { description, folderColorRgb, writersCanShare, contentRestrictions } = body
  const copyNeedsWriter = body.copyRequiresWriterPermission ?? body.labels?.restricted
  return {
    ...before,
    ...(description === undefined ? {} : given('description', description || undefined)),
    ...(folderColorRgb === undefined || kind !== 'folder'
      ? {}
      : given('folderColor', folderColorRgb === null ? undefined : nearestColor(folderColorRgb))),
    ...(writersCanShare === undefined ? {} : given('writersCanShare', writersCanShare ? undefined : false)),
    ...(copyNeedsWriter === undefined ? {} : given('copyNeedsWriter', copyNeedsWriter || undefined)),
    ...(contentRestrictions === undefined || kind !== 'file'
      ? {}
      : given('restriction', restrictionFrom(contentRestrictions, { caller, now }))),
  }
}

/** A member that is undefined is left out when the whole is written. */
function given<Key extends keyof Extra>(key: Key, value: Extra[Key] | undefined): Partial<Extra> {
  return { [key]: value }
}

function restrictionFrom(
  list: readonly ContentRestrictionBody[] | null,
  { caller, now }: Pick<Changing, 'caller' | 'now'>,
): Restriction | undefined {
  if (list === null) return undefined
  if (list.length > 1) throw invalid('A file has at most one content restriction.', 'contentRestrictions')
  const [one] = list
  if (one?.readOnly !== true) return undefined
  return {
    at: now,
    by: caller.user,
    ...(one.reason === undefined ? {} : { reason: one.reason }),
    ...(one.ownerRestricted === true ? { ownerOnly: true as const } : {}),
  }
}
