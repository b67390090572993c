/** The operations on files: get, list, insert, update, patch, delete. */
import type { ListCall } from '../../requests/list-call.ts'
import { type Asking, command, commandPreparing } from '../../../domain/commands.ts'
import { findView, type FileView } from '../../../domain/items/file-view.ts'
import type { FileRow } from '../../../domain/items/file-row.ts'
import { readLimits } from '../../../domain/limits.ts'
import { listFiles } from '../../../domain/files/list-files.ts'
import type { ModifiedDateBehavior } from '../../../domain/files/update-file.ts'
import { invalidParameter, notFound } from '../../../contract/failure.ts'
import { readMethodBody } from '../../../protocol/bodies/body.ts'
import { parseOrderBy } from '../../../protocol/q/order.ts'
import { parseFileQuery } from '../../../protocol/q/q.ts'
import { type Selection, wants } from '../../../protocol/answers/fields.ts'
import { refuseConversion, withoutOwnType } from '../../conversion/wanted.ts'
import { type CallAnswer, type Call, idIn, NOTHING, resource } from '../../requests/call.ts'
import { readCorpus } from '../../answers/corpora.ts'
import { pageItems } from '../../lists/page-items.ts'
import { listAnswer } from '../../answers/list-answer.ts'
import { listEtag } from '../../answers/list-etag.ts'
import { inOnePiece } from '../../answers/json.ts'
import { linkTo, nextMembers, readPosition } from '../../answers/paging.ts'
import { fileResource } from '../../resources/file/file.ts'
import { readSeeing } from '../../answers/seeing.ts'

export function getFile(call: Call): CallAnswer | Promise<CallAnswer> {
  const { drive, caller, parameters } = call
  const id = idIn(call, 'fileId')
  if (parameters.updateViewedDate === true) return viewFile(call, id)
  const view = findView(drive.store.read, caller, id)
  if (view === undefined) throw notFound('File', id, 'fileId')
  return fileAnswer(view, call)
}

async function viewFile(call: Call, id: string): Promise<CallAnswer> {
  return fileAnswer(await command(call.drive.store, 'markViewed', call.caller, { id }), call)
}

/** The resource of a file, as every operation on one answers it. */
export function fileAnswer(view: FileView, call: Call): CallAnswer {
  return resource(view.etag, (selection) => fileResource(view, readSeeing(call), selection))
}

export async function insertFile(call: Call, selection?: Selection): Promise<CallAnswer> {
  const { drive, caller, method, parameters, body } = call
  refuseConversion(call)
  const input = {
    body: readMethodBody(method, 'File', body),
    isPinned: parameters.pinned,
    indexesContent: parameters.useContentAsIndexableText,
  }
  const asking: Asking<'insertFile'> = { command: 'insertFile', caller, input }
  return commandPreparing(drive.store, asking, (view) => preparedAnswer(view, call, selection))
}

/** Its text is made at once, unless that takes a look into the store, where the file is not yet. */
export function preparedAnswer(view: FileView, call: Call, selection: Selection | undefined): CallAnswer {
  const { caller, links, parameters } = call
  if (
    selection === undefined ||
    parameters.includeLabels !== undefined ||
    LOOKED_UP.some((name) => wants(selection, name))
  )
    return fileAnswer(view, call)
  const text = inOnePiece(fileResource(view, { caller, links, permissions: lookedUp }, selection))
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
    id: idIn(call, 'fileId'),
    body: withoutOwnType(call, readMethodBody(method, 'File', body)),
    ifMatch,
    behavior: readBehavior(call),
    isViewed: parameters.updateViewedDate ?? true,
    add: idsIn(parameters.addParents),
    remove: idsIn(parameters.removeParents),
  })
  return fileAnswer(view, call)
}

/** A list with commas. */
export function idsIn(text: string | undefined): string[] | undefined {
  const ids = text?.split(',').flatMap((id) => id.trim() || [])
  return ids === undefined || ids.length === 0 ? undefined : ids
}

export function readBehavior({ parameters }: Call): ModifiedDateBehavior {
  const { modifiedDateBehavior, setModifiedDate } = parameters
  // one of the values that the table of parameters lists
  const said = modifiedDateBehavior as ModifiedDateBehavior | undefined
  return said ?? (setModifiedDate === true ? 'fromBodyOrNow' : 'now')
}

export async function deleteFile(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  await command(drive.store, 'deleteFile', caller, { id: idIn(call, 'fileId'), ifMatch })
  return NOTHING
}

export function listAllFiles(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller, parameters } = call
  const seeing = readSeeing(call)
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
    envelope: { kind: 'drive#fileList', etag, selfLink: linkTo(call), incompleteSearch: false, ...more },
    items: () => page.items,
  })
}

/** Those we have: `photos` yields nothing. */
export function readSpaces(text = 'drive'): FileRow['space'][] {
  return text.split(',').flatMap((word) => {
    const space = word.trim()
    if (space === 'drive' || space === 'appDataFolder') return [space]
    if (space === 'photos' || space === '') return []
    throw invalidParameter('spaces', `Invalid value: ${space}`)
  })
}
