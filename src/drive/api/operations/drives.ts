/** The operations on shared drives. */
import type { ListCall } from '../requests/parts.ts'
import { type DriveName, type DriveView, getDrive } from '../../domain/drives/drive-view.ts'
import { readLimits } from '../../domain/settings.ts'
import { listDrives } from '../../domain/drives/drives.ts'
import { parseDriveQuery } from '../../protocol/q/q.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readCallBody,
  shown,
} from '../requests/call.ts'
import { listAnswer, nextMembers, readPosition } from '../answers/paging.ts'
import { listDriveCapabilities } from '../../contract/capabilities.ts'
import { formatDate } from '../../protocol/dates.ts'

export function listAllDrives(call: ListCall): CallAnswer {
  const { drive, caller, parameters } = call
  const [name, id] = readPosition(call) ?? []
  const list = {
    search: parseDriveQuery(parameters.q, readLimits(drive.store.read)['query-bytes']),
    most: parameters.maxResults ?? 10,
    after: name === undefined ? undefined : ([String(name), String(id)] as const),
    asAdmin: parameters.useDomainAdminAccess === true,
  }
  const { drives, next } = drive.store.snapshot((db) => listDrives(db, caller, list))
  return listAnswer(call, { kind: 'drive#driveList', ...nextMembers(call, next) }, drives.map(driveResource))
}

export const DRIVES: Handlers = {
  'drives.get': (call) =>
    shown(driveResource(getDrive(call.drive.store.read, call.caller, readDriveName(call)))),
  async 'drives.insert'(call) {
    const { requestId: request = '' } = call.parameters
    return shown(
      driveResource(await change(call, 'insertDrive', { request, body: readCallBody(call, 'Drive') })),
    )
  },
  async 'drives.update'(call) {
    const input = { ...readDriveName(call), body: readCallBody(call, 'Drive') }
    return shown(driveResource(await change(call, 'changeDrive', input)))
  },
  'drives.delete'(call) {
    const withItems = call.parameters.allowItemDeletion === true
    return changeOnly(call, 'deleteDrive', { ...readDriveName(call), withItems })
  },
  'drives.hide': (call) => setHidden(call, true),
  'drives.unhide': (call) => setHidden(call, false),
}

async function setHidden(call: Call, isHidden: boolean): Promise<CallAnswer> {
  return shown(driveResource(await change(call, 'hideDrive', { ...readDriveName(call), isHidden })))
}

function readDriveName(call: Call): DriveName {
  return { id: pathId(call, 'driveId'), asAdmin: call.parameters.useDomainAdminAccess }
}

export function driveResource({ id, name, created, role, isHidden, theme, color, restrictions }: DriveView) {
  const is = (name: keyof typeof restrictions) => restrictions[name] === true
  return {
    kind: 'drive#drive',
    id,
    name,
    createdDate: formatDate(created),
    hidden: isHidden,
    ...(theme === null ? {} : { themeId: theme }),
    ...(color === null ? {} : { colorRgb: color }),
    restrictions: {
      adminManagedRestrictions: is('adminManagedRestrictions'),
      copyRequiresWriterPermission: is('copyRequiresWriterPermission'),
      domainUsersOnly: is('domainUsersOnly'),
      driveMembersOnly: is('driveMembersOnly'),
      sharingFoldersRequiresOrganizerPermission: is('sharingFoldersRequiresOrganizerPermission'),
    },
    capabilities: listDriveCapabilities(role, is('copyRequiresWriterPermission')),
  }
}
