/** The operations on changes, besides their channels. */
import { largestChange } from '../../domain/changes/change-log.ts'
import type { FastifyInstance } from 'fastify'
import { type ListCall, queryOf } from '../requests/parts.ts'
import {
  type ChangeSearch,
  type ChangeView,
  findChange,
  listChanges,
} from '../../domain/changes/list-changes.ts'
import { currentPoint, isInHistory } from '../../domain/changes/points.ts'
import { readLimits } from '../../domain/settings.ts'
import { invalid, notFound } from '../../contract/failure.ts'
import { type Selection, selectFields, isSelected, selectWithin } from '../../protocol/answers/fields.ts'
import { readChangeToken } from '../../protocol/page-token.ts'
import {
  type CallAnswer,
  type DriveContext,
  type Handlers,
  pathId,
  resource,
  shown,
} from '../requests/call.ts'
import { driveKey, driveNamed, includesDrives, readFileContext } from '../answers/corpora.ts'
import { readSpaces } from './files.ts'
import { pageItems } from '../lists/light-lists.ts'
import { requestUrl, listAnswer, listEtag } from '../answers/paging.ts'
import { driveResource } from './drives.ts'
import { fileResource } from '../resources/file.ts'
import { formatDate } from '../../protocol/dates.ts'
import { type Links, sendJson } from '../answers/json.ts'

/** Whether the store has gone back to an earlier state since a point; an addition of this store. */
export function addPoints(app: FastifyInstance, { store }: DriveContext): void {
  app.get('/point', (request, reply) => {
    const { since } = queryOf(request)
    if (since !== undefined && typeof since !== 'string')
      throw invalid('`since` must be given at most once.', 'since')
    const body = store.snapshot((db) => ({
      kind: 'hla#point',
      point: currentPoint(db),
      ...(since === undefined ? {} : { isInHistory: isInHistory(db, since) }),
    }))
    return sendJson(reply, body)
  })
}

export const CHANGES: Handlers = {
  'changes.get'(call) {
    const id = pathId(call, 'changeId')
    const change = /^\d{1,15}$/.test(id)
      ? findChange(call.drive.store.read, call.caller, Number(id))
      : undefined
    if (change === undefined) throw notFound('Change', id, 'changeId')
    return resource(undefined, (selection) => shownChange(change, call, selection))
  },
  /** Entries written from now on have this number or a greater one. */
  'changes.getStartPageToken'(call) {
    readDrives(call)
    const startPageToken = String(largestChange(call.drive.store.read) + 1)
    return shown({ kind: 'drive#startPageToken', startPageToken })
  },
}

/** Reads a search of the change log, for a list or a channel on it. @throws 400, 404 */
export function readChangeSearch(call: ListCall): ChangeSearch {
  const { parameters } = call
  return {
    from: readStart(call),
    most: Math.min(parameters.maxResults ?? 100, 1000),
    includesGone: parameters.includeDeleted !== false,
    includesOthers: parameters.includeSubscribed !== false,
    spaces: readSpaces(parameters.spaces),
    drives: readDrives(call),
  }
}

export function listAllChanges(call: ListCall, selection?: Selection): CallAnswer {
  const { drive, caller } = call
  const search = readChangeSearch(call)
  const most = readLimits(drive.store.read)['page-bytes']
  const page = pageItems(most, selection, (change: ChangeView, inner) => shownChange(change, call, inner))
  const { changes, largest, next } = drive.store.snapshot((db) => listChanges(db, caller, search, page.fits))
  const more =
    next === undefined
      ? { newStartPageToken: String(largest + 1) }
      : { nextPageToken: String(next), nextLink: requestUrl(call, { pageToken: String(next) }) }
  const etag = listEtag([
    ...changes.map(({ seq, file }) => `${seq} ${file?.etag ?? ''}`),
    ...Object.values(more),
  ])
  const fields = { kind: 'drive#changeList', etag, largestChangeId: String(largest), ...more }
  return listAnswer(call, fields, page.items)
}

/** Start of the list: a page token, or the older `startChangeId`. @throws 400 */
function readStart({ parameters }: ListCall): number {
  const { pageToken, startChangeId = 0 } = parameters
  return pageToken === undefined ? startChangeId : readChangeToken(pageToken)
}

/** Shared drives whose entries are wanted. @throws 404, 400 */
function readDrives(call: ListCall): ChangeSearch['drives'] {
  const id = driveNamed(call.parameters)
  if (id !== undefined && id !== '') return driveKey(call, id)
  return includesDrives(call.parameters) ? 'all' : 'none'
}

function shownChange(change: ChangeView, call: ListCall, selection: Selection) {
  const { file, drive } = change
  const resource = selectFields(changeResource(change, call.links), selection)
  if (drive !== undefined && isSelected(selection, 'drive'))
    return { ...resource, drive: selectFields(driveResource(drive), selectWithin(selection, 'drive')) }
  if (file === undefined || !isSelected(selection, 'file')) return resource
  return { ...resource, file: fileResource(file, readFileContext(call), selectWithin(selection, 'file')) }
}

function changeResource({ seq, fileId, at, file, ...change }: ChangeView, links: Links) {
  const { driveId, isDrive, drive } = change
  return {
    kind: 'drive#change',
    id: String(seq),
    ...(isDrive ? {} : { fileId }),
    deleted: isDrive ? drive === undefined : file === undefined,
    modificationDate: formatDate(at),
    type: isDrive ? 'drive' : 'file',
    changeType: isDrive ? 'drive' : 'file',
    ...(driveId === undefined ? {} : { driveId, teamDriveId: driveId }),
    selfLink: links.to(`changes/${seq}`),
  }
}
