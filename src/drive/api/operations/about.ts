/** about.get.  [disk] */
import { statfsSync } from 'node:fs'
import { about } from '../../domain/accounts/quota.ts'
import { DRIVE_THEMES } from '../../domain/drives/drive-view.ts'
import { FOLDER_COLORS } from '../../domain/files/file-facts.ts'
import { EXPORTS, IMPORTS, TABLE_MIME } from '../../contract/kinds.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, resource } from '../requests/call.ts'
import { requestUrl, listEtag } from '../answers/paging.ts'
import { userResource } from '../resources/file.ts'

export function getAbout(call: Call): CallAnswer {
  const { drive, caller } = call
  const view = drive.store.snapshot((db) => about(db, caller))
  const { user, quota, used, usedInTrash, largestChange } = view
  const body = {
    kind: 'drive#about',
    etag: listEtag([JSON.stringify(view)]),
    selfLink: requestUrl(call),
    name: user.name,
    user: userResource(user, caller),
    permissionId: user.id,
    rootFolderId: view.rootId,
    quotaType: quota === undefined ? 'UNLIMITED' : 'LIMITED',
    quotaBytesTotal: String(quota ?? volumeSize(call)),
    quotaBytesUsed: String(used),
    quotaBytesUsedAggregate: String(used),
    quotaBytesUsedInTrash: String(usedInTrash),
    quotaBytesByService: [{ serviceName: 'DRIVE', bytesUsed: String(used) }],
    largestChangeId: String(largestChange),
    remainingChangeIds: String(remainingChanges(call, largestChange)),
    maxUploadSizes: [{ type: '*', size: String(drive.options.maxUpload) }],
    importFormats: IMPORT_FORMATS,
    exportFormats: exportFormats(call),
    ...CONSTANT,
  }
  return resource(body.etag, (selection) => selectFields(body, { ...selection, isWhole: false }))
}

const IMPORT_FORMATS = [...IMPORTS].map(([source, targets]) => ({ source, targets }))

function exportFormats({ drive: { conversions } }: Call) {
  return [...EXPORTS].map(([source, targets]) => ({
    source,
    targets: source === TABLE_MIME ? [...targets, ...conversions.moreTypes] : targets,
  }))
}

/** Equal for all users. Many fields describe features that this service does not have, as the API defines them. */
const CONSTANT = {
  additionalRoleInfo: [{ type: '*', roleSets: [{ primaryRole: 'reader', additionalRoles: ['commenter'] }] }],
  features: [],
  folderColorPalette: FOLDER_COLORS,
  driveThemes: DRIVE_THEMES,
  teamDriveThemes: DRIVE_THEMES,
  canCreateDrives: true,
  canCreateTeamDrives: true,
  domainSharingPolicy: 'allowed',
  isCurrentAppInstalled: true,
  languageCode: 'en-US',
}

/** Bytes of the disk, shown as the total of users without a quota. */
function volumeSize({ drive }: Call): number {
  const { blocks, bsize } = statfsSync(drive.store.folder.path)
  return blocks * bsize
}

const MAX_REMAINING_IDS = 2500

function remainingChanges({ parameters }: Call, largest: number): number {
  const { startChangeId, maxChangeIdCount = 1 } = parameters
  if (startChangeId === undefined) return Math.min(maxChangeIdCount, MAX_REMAINING_IDS)
  return Math.max(0, Math.min(largest - startChangeId + 1, maxChangeIdCount, MAX_REMAINING_IDS))
}
