/** The operations on children and parents: the same links from either end. */
import type { ListCall } from '../requests/parts.ts'
import { fileToRead } from '../../domain/access/access.ts'
import { type Link, findLink } from '../../domain/folders/children.ts'
import { readLimits } from '../../domain/settings.ts'
import { listFiles } from '../../domain/search/list-files.ts'
import { type ParentView, findView } from '../../domain/items/file-view.ts'
import { notFound } from '../../contract/failure.ts'
import { type QNode, join, parseOrderBy } from '../../protocol/q/q-fields.ts'
import { parseFileQuery } from '../../protocol/q/q.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readReference,
  shown,
} from '../requests/call.ts'
import { listAnswer, listEtag, nextMembers, readPosition } from '../answers/paging.ts'
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
  const etag = listEtag([...files.map(({ row }) => row.id), more.nextPageToken])
  const items = files.map(({ row }) => childResource(row.id, folder, links))
  return listAnswer(call, { kind: 'drive#childList', etag, ...more }, items)
}

function within(folder: string, search: QNode | undefined): QNode {
  const inFolder: QNode = { kind: 'member', of: 'parents', value: folder, at: [0, 0] }
  return search === undefined ? inFolder : join('and', inFolder, search)
}

export const CHILDREN: Handlers = {
  'children.get'(call) {
    const { parent, child } = findLink(call.drive.store.read, call.caller, childEnds(call), 'folder')
    return shown(childResource(child, parent.id, call.links))
  },
  async 'children.insert'(call) {
    const child = readReference(call, 'ChildReference')
    const parent = await addLink(call, { folder: pathId(call, 'folderId'), child })
    return shown(childResource(child, parent.id, call.links))
  },
  'children.delete': (call) => removeLink(call, childEnds(call), 'folder'),
  'parents.list'(call) {
    const { drive, caller, links } = call
    const id = pathId(call, 'fileId')
    const view = findView(drive.store.read, caller, id)
    if (view === undefined) throw notFound('File', id, 'fileId')
    const etag = listEtag(view.parents.map((parent) => parent.id))
    const items = view.parents.map((parent) => parentResource(parent, view.row.id, links))
    return listAnswer(call, { kind: 'drive#parentList', etag }, items)
  },
  'parents.get'(call) {
    const { parent, child } = findLink(call.drive.store.read, call.caller, parentEnds(call), 'child')
    return shown(parentResource(parent, child, call.links))
  },
  async 'parents.insert'(call) {
    const folder = readReference(call, 'ParentReference')
    const child = pathId(call, 'fileId')
    return shown(parentResource(await addLink(call, { folder, child }), child, call.links))
  },
  'parents.delete': (call) => removeLink(call, parentEnds(call), 'child'),
}

function childEnds(call: Call): Link {
  return { folder: pathId(call, 'folderId'), child: pathId(call, 'childId') }
}

function parentEnds(call: Call): Link {
  return { folder: pathId(call, 'parentId'), child: pathId(call, 'fileId') }
}

function addLink(call: Call, ends: Link): Promise<ParentView> {
  return change(call, 'addLink', { ...ends, isAlone: call.parameters.enforceSingleParent === true })
}

function removeLink(call: Call, ends: Link, from: 'folder' | 'child'): Promise<CallAnswer> {
  return changeOnly(call, 'removeLink', {
    ...ends,
    from,
    keepsHome: call.parameters.enforceSingleParent === true,
  })
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
