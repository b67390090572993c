/** Validates file metadata from clients: the limits of spec 23, and the fields stored in `Extra`. */
import type { ContentRestrictionBody, FileBody } from '../../contract/bodies.ts'
import { type Caller, badRequest, invalid } from '../../contract/failure.ts'
import { EXPORTS, type ItemKind, isNativeDocument } from '../../contract/kinds.ts'
import { isMimeType } from '../../protocol/bodies/multipart-upload.ts'
import type { Database } from '../../persistence/database/database.ts'
import { readLimits } from '../settings.ts'

/** Bytes. */
const MAX_INDEXABLE_BYTES = 128 * 1024

/** @throws 400 */
export function checkTexts(db: Database, body: FileBody): void {
  const { title, description, indexableText, mimeType, thumbnail } = body
  const { 'title-bytes': longestTitle, 'description-characters': longestDescription } = readLimits(db)
  if (title !== undefined && Buffer.byteLength(title) > longestTitle)
    throw invalid(`A title must not be longer than ${longestTitle} bytes.`, 'title')
  if (description != null && description.length > longestDescription)
    throw invalid(`A description must not be longer than ${longestDescription} characters.`, 'description')
  if (Buffer.byteLength(indexableText?.text ?? '') > MAX_INDEXABLE_BYTES)
    throw invalid(
      `An indexable text must not be longer than ${MAX_INDEXABLE_BYTES} bytes.`,
      'indexableText.text',
    )
  // refused, because the client would not notice that its thumbnail was dropped
  if ((thumbnail?.image ?? '') !== '') throw badRequest('This service keeps no thumbnails.', 'thumbnail')
  if (mimeType !== undefined) checkMime(mimeType)
}

function checkMime(mime: string): void {
  if (isNativeDocument(mime)) {
    const why = EXPORTS.has(mime)
      ? 'are created by converting uploaded content'
      : 'cannot be created in this service'
    throw badRequest(`Documents of the type ${mime} ${why}.`, 'mimeType')
  }
  if (!isMimeType(mime)) throw invalid(`Not a MIME type: ${mime.slice(0, 100)}`, 'mimeType')
}

interface ExtraRequest {
  readonly kind: ItemKind
  readonly caller: Caller
  readonly now: number
}

/** Applies the body to `before`. */
export function updateExtra(before: Extra, body: FileBody, { kind, caller, now }: ExtraRequest): Extra {
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

/** JSON.stringify later drops an undefined value. */
function given<Key extends keyof Extra>(key: Key, value: Extra[Key] | undefined): Partial<Extra> {
  return { [key]: value }
}

function restrictionFrom(
  list: readonly ContentRestrictionBody[] | null,
  { caller, now }: Pick<ExtraRequest, 'caller' | 'now'>,
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

export interface Extra {
  readonly description?: string
  readonly folderColor?: string
  /** Absent means true. */
  readonly writersCanShare?: false
  /** Forbids readers and commenters to copy or download. */
  readonly copyNeedsWriter?: true
  readonly restriction?: Restriction
  /** Set on items in a shared drive that were in My Drive before. */
  readonly wasOwned?: true
  /** MIME type of a shortcut's target at the time the shortcut was made. */
  readonly targetMime?: string
  /** Indexes the words of the content, whatever its type. */
  readonly indexContent?: true
}

/** Locks content, title and comments until it is removed. */
interface Restriction {
  readonly reason?: string
  readonly at: number
  /** Key of a principal. */
  readonly by: number
  readonly ownerOnly?: true
}

/** Parses the column `extra`, which only this file writes. */
export function readExtra(text: string): Extra {
  return text === '{}' ? NOTHING : (JSON.parse(text) as Extra)
}

const NOTHING: Extra = {}

/** Drops undefined fields: a cleared field is not stored. */
export function writeExtra(extra: { readonly [Key in keyof Extra]: Extra[Key] | undefined }): string {
  return JSON.stringify(extra)
}

export const FOLDER_COLORS: readonly string[] = [
  '#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46', '#42d692', '#16a765',
  '#7bd148', '#b3dc6c', '#fbe983', '#fad165', '#92e1c0', '#9fe1e7', '#9fc6e7', '#4986e7',
  '#9a9cff', '#b99aff', '#8f8f8f', '#cabdbf', '#cca6ac', '#f691b2', '#cd74e6', '#a47ae2',
] // prettier-ignore

/** @throws 400 — not a colour of the form `#rrggbb` */
function nearestColor(text: string): string {
  const wanted = parseColor(text)
  if (wanted === undefined) throw invalid(`Not a colour: ${text}`, 'folderColorRgb')
  const distances = FOLDER_COLORS.map((color) => distance(parseColor(color) ?? [], wanted))
  return FOLDER_COLORS[distances.indexOf(Math.min(...distances))] ?? text
}

function parseColor(text: string): number[] | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  return hex?.slice(1).map((part) => Number.parseInt(part, 16))
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, part, at) => sum + (part - (other[at] ?? 0)) ** 2, 0)
}
