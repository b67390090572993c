/** The operations on files: get, list, insert, update, patch, delete. */
import type { ListCall } from '../requests/list-call.ts'
import { type CommandCall, command, commandPreparing } from '../../domain/commands.ts'
import { type FileView, findView } from '../../domain/items/file-view.ts'
import type { FileRow } from '../../domain/items/file-row.ts'
import { idKey, readLimits } from '../../domain/settings.ts'
import { listFiles } from '../../domain/search/list-files.ts'
import type { ModifiedDateBehavior } from '../../domain/files/update-file.ts'
import { invalidParameter, notFound } from '../../contract/failure.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { parseOrderBy } from '../../protocol/q/q-fields.ts'
import { parseFileQuery } from '../../protocol/q/q.ts'
import { type Selection, selectFields, isSelected } from '../../protocol/answers/fields.ts'
import { chooseDocument, refuseConversion, withoutOwnType } from '../conversion/export.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
import { readCorpus, readFileContext } from '../answers/corpora.ts'
import { pageItems } from '../lists/light-lists.ts'
import { requestUrl, listAnswer, listEtag, nextMembers, readPosition } from '../answers/paging.ts'
import { flattenText } from '../answers/json.ts'
import { fileResource } from '../resources/file.ts'
import { findSource } from '../../domain/revisions/file-contents.ts'
import type { ConvertedSource } from '../../domain/files/copy-file.ts'
import type { FileBody } from '../../contract/bodies.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import { userView } from '../../domain/access/principals.ts'
import { generateId } from '../../protocol/ids.ts'

export function getFile(call: Call): CallAnswer | Promise<CallAnswer> {
  const { drive, caller, parameters } = call
  const id = pathId(call, 'fileId')
  if (parameters.updateViewedDate === true) return viewFile(call, id)
  const view = findView(drive.store.read, caller, id)
  if (view === undefined) throw notFound('File', id, 'fileId')
  return fileAnswer(view, call)
}

async function viewFile(call: Call, id: string): Promise<CallAnswer> {
  return fileAnswer(await command(call.drive.store, 'markViewed', call.caller, { id }), call)
}

/** Response with a file's resource, common to all operations on one file. */
export function fileAnswer(view: FileView, call: Call): CallAnswer {
  noteFile(view, call)
  return resource(view.etag, (selection) => fileResource(view, readFileContext(call), selection))
}

/** The record of accesses names the file that the operation was about. */
function noteFile({ row }: FileView, { request, caller, method }: Call): void {
  request.accessed = { file: row.id, caller, method: method.id }
}

export async function insertFile(call: Call, selection?: Selection): Promise<CallAnswer> {
  const { drive, caller, method, parameters, body } = call
  refuseConversion(call)
  const input = {
    body: readMethodBody(method, 'File', body),
    isPinned: parameters.pinned,
    indexesContent: parameters.useContentAsIndexableText,
  }
  const asking: CommandCall<'insertFile'> = { command: 'insertFile', caller, input }
  return commandPreparing(drive.store, asking, (view) => prepareAnswer(view, call, selection))
}

/** Writes the response text before the file is in the store, unless a field needs a look-up in the store. */
export function prepareAnswer(view: FileView, call: Call, selection: Selection | undefined): CallAnswer {
  const { caller, links, parameters } = call
  if (
    selection === undefined ||
    parameters.includeLabels !== undefined ||
    LOOKED_UP.some((name) => isSelected(selection, name))
  )
    return fileAnswer(view, call)
  noteFile(view, call)
  const text = flattenText(fileResource(view, { caller, links, permissions: lookedUp }, selection))
  return resource(view.etag, () => text)
}

const LOOKED_UP = ['permissions', 'permissionIds']

function lookedUp(): never {
  throw new Error('permissions are looked up when the file is in the store')
}

/** PUT and PATCH mean the same (spec 1). */
export async function updateFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, parameters, body, ifMatch } = call
  refuseConversion(call)
  const view = await command(drive.store, 'updateFile', caller, {
    id: pathId(call, 'fileId'),
    body: withoutOwnType(call, readMethodBody(method, 'File', body)),
    ifMatch,
    behavior: readBehavior(call),
    isViewed: parameters.updateViewedDate ?? true,
    add: splitIds(parameters.addParents),
    remove: splitIds(parameters.removeParents),
  })
  return fileAnswer(view, call)
}

/** Splits a comma-separated list. */
export function splitIds(text: string | undefined): string[] | undefined {
  const ids = text?.split(',').flatMap((id) => id.trim() || [])
  return ids === undefined || ids.length === 0 ? undefined : ids
}

export function readBehavior({ parameters }: Call): ModifiedDateBehavior {
  const { modifiedDateBehavior, setModifiedDate } = parameters
  // the parameter table limits the values
  const said = modifiedDateBehavior as ModifiedDateBehavior | undefined
  return said ?? (setModifiedDate === true ? 'fromBodyOrNow' : 'now')
}

export async function deleteFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  await command(drive.store, 'deleteFile', caller, { id: pathId(call, 'fileId'), ifMatch })
  return NOTHING
}

export function listAllFiles(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const seeing = readFileContext(call)
  const limits = readLimits(drive.store.read)
  const list = {
    search: parseFileQuery(parameters.q, limits['query-bytes']),
    orders: parseOrderBy(parameters.orderBy),
    spaces: readSpaces(parameters.spaces),
    corpus: readCorpus(call),
    most: parameters.maxResults ?? 100,
    after: readPosition(call),
  }
  const page = pageItems(limits['page-bytes'], selection, (file: FileView, inner) =>
    fileResource(file, seeing, inner),
  )
  const { files, next } = drive.store.snapshot((db) => listFiles(db, caller, list, page.fits))
  const more = nextMembers(call, next)
  const etag = listEtag([...files.map((file) => file.etag), more['nextPageToken']])
  return listAnswer({
    etag,
    envelope: { kind: 'drive#fileList', etag, selfLink: requestUrl(call), incompleteSearch: false, ...more },
    items: () => page.items,
  })
}

/** Spaces that exist here; `photos` yields none. */
export function readSpaces(text = 'drive'): FileRow['space'][] {
  return text.split(',').flatMap((word) => {
    const space = word.trim()
    if (space === 'drive' || space === 'appDataFolder') return [space]
    if (space === 'photos' || space === '') return []
    throw invalidParameter('spaces', `Invalid value: ${space}`)
  })
}

export async function copyFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, parameters } = call
  const body = readMethodBody(method, 'File', call.body)
  const view = await command(drive.store, 'copyFile', caller, {
    id: pathId(call, 'fileId'),
    body,
    isPinned: parameters.pinned,
    converted: await convertedSource(call, body),
  })
  return fileAnswer(view, call)
}

/** Undefined to copy without conversion. @throws 400, 413 */
async function convertedSource(call: Call, body: FileBody): Promise<ConvertedSource | undefined> {
  const { drive, caller, parameters } = call
  const asked = body.mimeType !== undefined && isNativeDocument(body.mimeType) ? body.mimeType : undefined
  if (parameters.convert !== true && asked === undefined) return undefined
  const source = findSource(drive.store.read, caller, pathId(call, 'fileId'))
  // the command reports why the source cannot be copied
  if (source === undefined) return undefined
  const wanted = chooseDocument({ body, type: source.mime, name: source.title }, asked)
  await drive.conversions.check(source.blob, wanted, source.title)
  return { ...wanted, sha256: source.blob.sha256 }
}

export async function trash(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  return fileAnswer(
    await command(drive.store, 'trashFile', caller, { id: pathId(call, 'fileId'), ifMatch }),
    call,
  )
}

export async function untrash(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  const view = await command(drive.store, 'untrashFile', caller, { id: pathId(call, 'fileId'), ifMatch })
  return fileAnswer(view, call)
}

export async function touch(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  return fileAnswer(
    await command(drive.store, 'touchFile', caller, { id: pathId(call, 'fileId'), ifMatch }),
    call,
  )
}

export async function emptyTrash({ drive, caller, parameters }: Call): Promise<CallAnswer> {
  await command(drive.store, 'emptyTrash', caller, { drive: parameters.driveId })
  return NOTHING
}

const SPACES = ['drive', 'appDataFolder']
const TYPES = ['files', 'shortcuts']

export function generateIds({ drive, caller, parameters }: Call): CallAnswer {
  const { maxResults = 10, space = 'drive', type = 'files' } = parameters
  if (!SPACES.includes(space)) throw invalidParameter('space', `Invalid value: ${space}`)
  if (!TYPES.includes(type)) throw invalidParameter('type', `Invalid value: ${type}`)
  const key = idKey(drive.store.read)
  const user = userView(drive.store.read, caller.user)?.id ?? ''
  const ids = Array.from({ length: maxResults }, () => generateId(key, { user, space }))
  const body = { kind: 'drive#generatedIds', space, ids }
  return resource(undefined, (selection) => selectFields(body, { ...selection, isWhole: false }))
}
