/** about: the user, the quota, and what the store supports.  [disk] */
import { largestChange } from '../../domain/changes/change-log.ts'
import { statfsSync } from 'node:fs'
import { COUNTED } from '../../domain/accounts/quota.ts'
import { type UserView, userView } from '../../domain/access/principals.ts'
import { realId } from '../../domain/items/file-row.ts'
import { assured } from '../../../errors.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { DRIVE_THEMES } from '../../domain/drives/drive-view.ts'
import { FOLDER_COLORS } from '../../domain/files/file-facts.ts'
import { EXPORTS, IMPORTS, TABLE_MIME } from '../../contract/kinds.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type Call, type CallAnswer, resource } from '../requests/call.ts'
import { requestUrl, listEtag } from '../answers/paging.ts'
import { userResource } from '../resources/file.ts'

export function getAbout(call: Call): CallAnswer {
  const { drive, caller } = call
  const view = drive.store.snapshot((db) => readAbout(db, caller))
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

interface AboutView {
  readonly user: UserView
  readonly rootId: string
  /** Bytes; undefined: no limit. */
  readonly quota: number | undefined
  readonly used: number
  readonly usedInTrash: number
  readonly largestChange: number
}

export function readAbout(db: Database, caller: Caller): AboutView {
  const user = assured(userView(db, caller.user), `there is no user ${caller.user}`)
  const sql = `SELECT quota, ${COUNTED} AS used FROM principals WHERE pk = ?`
  const { quota = null, used = 0 } = db.get<{ quota: number | null; used: number }>(sql, caller.user) ?? {}
  return {
    user,
    rootId: realId(db, caller, 'root'),
    quota: quota ?? undefined,
    used,
    usedInTrash: usedInTrash(db, caller.user),
    largestChange: largestChange(db),
  }
}

/** Selects by access list, because an index covers the trash of each list. */
function usedInTrash(db: Database, owner: number): number {
  const sql = `SELECT sum(used) AS used FROM files WHERE trashed = 1 AND owner = ?1
    AND acl IN (SELECT acl FROM acl_entries WHERE principal = ?1)`
  return db.get<{ used: number | null }>(sql, owner)?.used ?? 0
}
