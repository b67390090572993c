/** The operations on children and parents: the same links from either end. */
import type { ListCall } from '../requests/list-call.ts'
import { fileToRead } from '../../domain/access/access.ts'
import { type LostLink, type NewLink, findLink } from '../../domain/folders/children.ts'
import { command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/settings.ts'
import { listFiles } from '../../domain/search/list-files.ts'
import { type ParentView, findView } from '../../domain/items/file-view.ts'
import { notFound } from '../../contract/failure.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { type QNode, join, parseOrderBy } from '../../protocol/q/q-fields.ts'
import { parseFileQuery } from '../../protocol/q/q.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
import { requestUrl, listAnswer, listEtag, nextMembers, readPosition } from '../answers/paging.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import type { Links } from '../answers/json.ts'

export function listChildren(call: ListCall): CallAnswer {
  const { drive, caller, links, parameters } = call
  const folder = fileToRead(drive.store.read, caller, pathId(call, 'folderId'), 'folderId').id
  const list = {
    search: within(folder, parseFileQuery(parameters.q, readLimits(drive.store.read)['query-bytes'])),
    orders: parseOrderBy(parameters.orderBy),
    spaces: ['drive', 'appDataFolder'] as const,
    corpus: { kind: 'all' } as const,
    most: parameters.maxResults ?? 100,
    after: readPosition(call),
  }
  const { files, next } = drive.store.snapshot((db) => listFiles(db, caller, list))
  const more = nextMembers(call, next)
  const etag = listEtag([...files.map(({ row }) => row.id), more['nextPageToken']])
  return listAnswer({
    etag,
    envelope: { kind: 'drive#childList', etag, selfLink: requestUrl(call), ...more },
    items: (selection) =>
      files.map(({ row }) => selectFields(childResource(row.id, folder, links), selection)),
  })
}

function within(folder: string, search: QNode | undefined): QNode {
  const inFolder: QNode = { kind: 'member', of: 'parents', value: folder, at: [0, 0] }
  return search === undefined ? inFolder : join('and', inFolder, search)
}

export function getChild(call: Call): CallAnswer {
  const { drive, caller, links } = call
  const ends = { folder: pathId(call, 'folderId'), child: pathId(call, 'childId') }
  const { parent, child } = findLink(drive.store.read, caller, ends, 'folder')
  return resource(undefined, (selection) => selectFields(childResource(child, parent.id, links), selection))
}

export async function insertChild(call: Call): Promise<CallAnswer> {
  const { id: child = '' } = readMethodBody(call.method, 'ChildReference', call.body)
  const parent = await addChild(call, { folder: pathId(call, 'folderId'), child })
  return resource(undefined, (selection) =>
    selectFields(childResource(child, parent.id, call.links), selection),
  )
}

export function deleteChild(call: Call): Promise<CallAnswer> {
  return cut(call, { folder: pathId(call, 'folderId'), child: pathId(call, 'childId'), from: 'folder' })
}

export function listParents(call: Call): CallAnswer {
  const { drive, caller, links } = call
  const id = pathId(call, 'fileId')
  const view = findView(drive.store.read, caller, id)
  if (view === undefined) throw notFound('File', id, 'fileId')
  const etag = listEtag(view.parents.map((parent) => parent.id))
  return listAnswer({
    etag,
    envelope: { kind: 'drive#parentList', etag, selfLink: requestUrl(call) },
    items: (selection) =>
      view.parents.map((parent) => selectFields(parentResource(parent, view.row.id, links), selection)),
  })
}

export function getParent(call: Call): CallAnswer {
  const { drive, caller, links } = call
  const ends = { folder: pathId(call, 'parentId'), child: pathId(call, 'fileId') }
  const { parent, child } = findLink(drive.store.read, caller, ends, 'child')
  return resource(undefined, (selection) => selectFields(parentResource(parent, child, links), selection))
}

export async function insertParent(call: Call): Promise<CallAnswer> {
  const { id: folder = '' } = readMethodBody(call.method, 'ParentReference', call.body)
  const child = pathId(call, 'fileId')
  const parent = await addChild(call, { folder, child })
  return resource(undefined, (selection) =>
    selectFields(parentResource(parent, child, call.links), selection),
  )
}

export function deleteParent(call: Call): Promise<CallAnswer> {
  return cut(call, { folder: pathId(call, 'parentId'), child: pathId(call, 'fileId'), from: 'child' })
}

function addChild({ drive, caller, parameters }: Call, ends: Omit<NewLink, 'isAlone'>) {
  return command(drive.store, 'addLink', caller, {
    ...ends,
    isAlone: parameters.enforceSingleParent ?? false,
  })
}

async function cut(
  { drive, caller, parameters }: Call,
  ends: Omit<LostLink, 'keepsHome'>,
): Promise<CallAnswer> {
  const keepsHome = parameters.enforceSingleParent ?? false
  await command(drive.store, 'removeLink', caller, { ...ends, keepsHome })
  return NOTHING
}

function childResource(id: string, folder: string, links: Links) {
  return {
    kind: 'drive#childReference',
    id,
    selfLink: links.to(`files/${folder}/children/${id}`),
    childLink: links.file(id),
  }
}

function parentResource({ id, isRoot }: ParentView, child: string, links: Links) {
  return {
    kind: 'drive#parentReference',
    id,
    isRoot,
    selfLink: links.to(`files/${child}/parents/${id}`),
    parentLink: links.file(id),
  }
}

/** JSON text of `parentResource`; ids and links need no escaping. */
export function parentText({ id, isRoot }: ParentView, child: string, links: Links): string {
  const link = links.to(`files/${child}/parents/${id}`)
  return (
    `{"kind":"drive#parentReference","id":"${id}","isRoot":${isRoot},` +
    `"selfLink":"${link}","parentLink":"${links.file(id)}"}`
  )
}
