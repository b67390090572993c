/** The operations on shared drives. */
import type { ListCall } from '../requests/list-call.ts'
import { command } from '../../domain/commands.ts'
import { type DriveName, type DriveView, getDrive } from '../../domain/drives/drive-view.ts'
import { readLimits } from '../../domain/settings.ts'
import { listDrives } from '../../domain/drives/list-drives.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { parseDriveQuery } from '../../protocol/q/q.ts'
import { type Call, type CallAnswer, NOTHING, pathId, resource } from '../requests/call.ts'
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
  const { nextPageToken } = nextMembers(call, next)
  return listAnswer({
    etag: undefined,
    // the schema of this list has neither an etag nor links
    envelope: { kind: 'drive#driveList', ...(nextPageToken === undefined ? {} : { nextPageToken }) },
    items: (selection) => drives.map((one) => selectFields(driveResource(one), selection)),
  })
}

export function getOneDrive(call: Call): CallAnswer {
  return driveAnswer(getDrive(call.drive.store.read, call.caller, readDriveName(call)))
}

export async function insertDrive(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, parameters } = call
  const made = await command(drive.store, 'insertDrive', caller, {
    request: parameters.requestId ?? '',
    body: readMethodBody(method, 'Drive', body),
  })
  return driveAnswer(made)
}

export async function updateDrive(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body } = call
  const change = { ...readDriveName(call), body: readMethodBody(method, 'Drive', body) }
  return driveAnswer(await command(drive.store, 'changeDrive', caller, change))
}

export async function deleteDrive(call: Call): Promise<CallAnswer> {
  const { drive, caller, parameters } = call
  const withItems = parameters.allowItemDeletion === true
  await command(drive.store, 'deleteDrive', caller, { ...readDriveName(call), withItems })
  return NOTHING
}

export function hideDrive(call: Call): Promise<CallAnswer> {
  return setHidden(call, true)
}

export function unhideDrive(call: Call): Promise<CallAnswer> {
  return setHidden(call, false)
}

async function setHidden(call: Call, isHidden: boolean): Promise<CallAnswer> {
  const { drive, caller } = call
  return driveAnswer(await command(drive.store, 'hideDrive', caller, { ...readDriveName(call), isHidden }))
}

function readDriveName(call: Call): DriveName {
  return { id: pathId(call, 'driveId'), asAdmin: call.parameters.useDomainAdminAccess }
}

function driveAnswer(view: DriveView): CallAnswer {
  return resource(undefined, (selection) => selectFields(driveResource(view), selection))
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
