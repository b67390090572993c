/** Which document a content is to become, and from which type: `convert=true`, or the type of a document in the body (spec 21). */
import { findSeen, type SeenFile } from '../../domain/access/access.ts'
import type { FileBody } from '../../contract/bodies.ts'
import { badRequest } from '../../contract/failure.ts'
import { BYTES_MIME, IMPORTS, isNativeDocument, TYPES_BY_SUFFIX } from '../../contract/kinds.ts'
import type { Call } from '../requests/call.ts'
import type { WantedDocument } from './converter.ts'

export interface GivenContent {
  readonly body: FileBody
  /** Of the content, without parameters. */
  readonly type: string | undefined
  /** Of the content. */
  readonly name?: string | undefined
}

/** Of a new file; undefined: it is kept as it is. @throws 400 */
export function newDocument({ parameters }: Call, given: GivenContent): WantedDocument | undefined {
  const { mimeType = '' } = given.body
  const asked = isNativeDocument(mimeType) && isKnown(mimeType) ? mimeType : undefined
  return parameters.convert === true || asked !== undefined ? documentOf(given, asked) : undefined
}

/** Of new content of a file: a document stays what it is. @throws 400 */
export function changedDocument(call: Call, given: GivenContent): WantedDocument | undefined {
  const file = documentAt(call)
  if (file !== undefined) return documentOf({ ...given, name: given.name ?? file.title }, file.mime)
  refuseConversion(call)
  return undefined
}

/** @throws 400 — a file that is there becomes no document */
export function refuseConversion(call: Call): void {
  if (call.parameters.convert !== true || documentAt(call) !== undefined) return
  const isNew = call.method.id === 'files.insert'
  const message = isNew
    ? 'There is no content to convert.'
    : 'A file that is there stays what it is; a copy of it can be converted (files.copy).'
  throw badRequest(message, 'convert')
}

/** A body that says of a document what it is says nothing. */
export function withoutOwnType(call: Call, { mimeType, ...body }: FileBody): FileBody {
  if (mimeType === undefined) return body
  return isNativeDocument(mimeType) && documentAt(call)?.mime === mimeType ? body : { ...body, mimeType }
}

function documentAt({ drive, caller, path }: Call): SeenFile | undefined {
  const id = path['fileId']
  const file = id === undefined ? undefined : findSeen(drive.store.read, caller, id)
  return file !== undefined && isKnown(file.mime) ? file : undefined
}

function isKnown(native: string): boolean {
  return [...IMPORTS.values()].some((all) => all.includes(native))
}

/** `asked`: the first that its type becomes, unless another is named. @throws 400 */
export function documentOf(given: GivenContent, asked?: string): WantedDocument {
  const type = typeOf(given)
  const all = IMPORTS.get(type)
  const native = asked ?? all?.[0]
  if (native !== undefined && all?.includes(native) === true) return { native, type }
  const can = [...IMPORTS].flatMap(([one, to]) => (asked === undefined || to.includes(asked) ? [one] : []))
  throw badRequest(`A content of the type ${type} is not converted; these are: ${can.join(', ')}.`, 'convert')
}

/** Types that say nothing, and what Windows calls a CSV file. */
const ANY: ReadonlySet<string> = new Set([BYTES_MIME, 'application/vnd.ms-excel'])

function typeOf({ body, type, name }: GivenContent): string {
  // that of a document says what it is to become
  const said = [body.mimeType, type].find((one) => one && !isNativeDocument(one)) ?? BYTES_MIME
  const plain = (said.split(';')[0] ?? '').trim().toLowerCase()
  const title = body.title ?? name ?? ''
  const suffix = title.slice(title.lastIndexOf('.') + 1).toLowerCase()
  return ANY.has(plain) ? (TYPES_BY_SUFFIX.get(suffix) ?? plain) : plain
}
