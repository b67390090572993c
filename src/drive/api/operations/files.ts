/** The operations on files, besides their labels and channels. */
import type { ListCall } from '../requests/parts.ts'
import { type FileView, findView } from '../../domain/items/file-view.ts'
import type { FileRow } from '../../domain/items/file-row.ts'
import { idKey, readLimits } from '../../domain/settings.ts'
import { listFiles } from '../../domain/search/list-files.ts'
import type { ModifiedDateBehavior } from '../../domain/files/update-file.ts'
import { invalidParameter, notFound } from '../../contract/failure.ts'
import { parseOrderBy } from '../../protocol/q/q-fields.ts'
import { parseFileQuery } from '../../protocol/q/q.ts'
import { type Selection, selectFields } from '../../protocol/answers/fields.ts'
import { chooseDocument, exportFile, refuseConversion, withoutOwnType } from '../conversion/export.ts'
import { withContentDownload } from '../answers/download.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readFileBody,
  resource,
} from '../requests/call.ts'
import { readCorpus, readFileContext } from '../answers/corpora.ts'
import { pageItems } from '../lists/light-lists.ts'
import { listAnswer, listEtag, nextMembers, readPosition } from '../answers/paging.ts'
import { fileResource } from '../resources/file.ts'
import { findSource } from '../../domain/revisions/file-contents.ts'
import type { ConvertedSource } from '../../domain/files/copy-file.ts'
import type { FileBody } from '../../contract/bodies.ts'
import { isNativeDocument } from '../../contract/kinds.ts'
import { userView } from '../../domain/access/principals.ts'
import { generateId } from '../../protocol/ids.ts'

export const FILES: Handlers = {
  'files.get': withContentDownload(getFile),
  'files.insert': insertFile,
  'files.patch': updateFile,
  'files.update': updateFile,
  'files.copy': copyFile,
  'files.delete': (call) => changeOnly(call, 'deleteFile', readFileName(call)),
  'files.trash': (call) => changeFile(call, 'trashFile'),
  'files.untrash': (call) => changeFile(call, 'untrashFile'),
  'files.touch': (call) => changeFile(call, 'touchFile'),
  'files.emptyTrash': (call) => changeOnly(call, 'emptyTrash', { drive: call.parameters.driveId }),
  'files.export': exportFile,
  'files.generateIds': generateIds,
}

function getFile(call: Call): CallAnswer | Promise<CallAnswer> {
  const id = pathId(call, 'fileId')
  if (call.parameters.updateViewedDate === true)
    return change(call, 'markViewed', { id }).then((view) => fileAnswer(view, call))
  const view = findView(call.drive.store.read, call.caller, id)
  if (view === undefined) throw notFound('File', id, 'fileId')
  return fileAnswer(view, call)
}

function readFileName(call: Call) {
  return { id: pathId(call, 'fileId'), ifMatch: call.ifMatch, conditions: call.conditions }
}

async function changeFile(call: Call, name: 'trashFile' | 'untrashFile' | 'touchFile'): Promise<CallAnswer> {
  return fileAnswer(await change(call, name, readFileName(call)), call)
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

async function insertFile(call: Call): Promise<CallAnswer> {
  const { parameters } = call
  refuseConversion(call)
  const view = await change(call, 'insertFile', {
    body: readFileBody(call),
    isPinned: parameters.pinned,
    indexesContent: parameters.useContentAsIndexableText,
    conditions: call.conditions,
  })
  return fileAnswer(view, call)
}

/** PUT and PATCH mean the same (spec 1). */
async function updateFile(call: Call): Promise<CallAnswer> {
  const { parameters } = call
  refuseConversion(call)
  const view = await change(call, 'updateFile', {
    ...readFileName(call),
    body: withoutOwnType(call, readFileBody(call)),
    behavior: readBehavior(call),
    isViewed: parameters.updateViewedDate !== false,
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
  const etag = listEtag([...files.map((file) => file.etag), more.nextPageToken])
  return listAnswer(call, { kind: 'drive#fileList', etag, incompleteSearch: false, ...more }, page.items)
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

async function copyFile(call: Call): Promise<CallAnswer> {
  const body = readFileBody(call)
  const view = await change(call, 'copyFile', {
    id: pathId(call, 'fileId'),
    body,
    isPinned: call.parameters.pinned,
    conditions: call.conditions,
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

const SPACES = ['drive', 'appDataFolder']
const TYPES = ['files', 'shortcuts']

function generateIds({ drive, caller, parameters }: Call): CallAnswer {
  const { maxResults = 10, space = 'drive', type = 'files' } = parameters
  if (!SPACES.includes(space)) throw invalidParameter('space', `Invalid value: ${space}`)
  if (!TYPES.includes(type)) throw invalidParameter('type', `Invalid value: ${type}`)
  const key = idKey(drive.store.read)
  const user = userView(drive.store.read, caller.user)?.id ?? ''
  const ids = Array.from({ length: maxResults }, () => generateId(key, { user, space }))
  const body = { kind: 'drive#generatedIds', space, ids }
  return resource(undefined, (selection) => selectFields(body, { ...selection, isWhole: false }))
}
