/** Checks a capability of the caller on an item against the table in `capabilities.ts`. */
import type { Caller } from '../../contract/caller.ts'
import { type Capability, type Circumstances, isCapable } from '../../contract/capabilities.ts'
import { noPermission } from '../../contract/failure.ts'
import type { Database } from '../../persistence/database/database.ts'
import { mustBeOfApp, type SeenFile, seenFile } from './access.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-facts.ts'
import { type Extra, readExtra } from '../files/extra.ts'
import type { FileRow } from '../items/file-row.ts'

export function findCircumstances(
  { kind, is_root, trashed }: FileRow,
  extra: Extra,
  drive: DriveFacts | undefined,
): Circumstances {
  const { copyRequiresWriterPermission, sharingFoldersRequiresOrganizerPermission } =
    drive?.restrictions ?? {}
  return {
    isFolder: kind === 'folder',
    isRoot: is_root === 1,
    isTrashed: trashed === 1,
    inDrive: drive !== undefined,
    writersCanShare: extra.writersCanShare !== false,
    copyNeedsWriter: extra.copyNeedsWriter === true || copyRequiresWriterPermission === true,
    isLocked: extra.restriction !== undefined,
    foldersNeedOrganizer: sharingFoldersRequiresOrganizerPermission === true,
  }
}

export function may(db: Database, file: SeenFile, capability: Capability): boolean {
  const drive = file.drive === null ? undefined : driveFacts(db, file.drive)
  return isCapable(file.role, capability, findCircumstances(file, readExtra(file.extra), drive))
}

/** @throws 403 */
export function mustBeAble(db: Database, file: SeenFile, capability: Capability): void {
  if (!may(db, file, capability)) throw noPermission(file.id)
}

/** An item on which the caller has the capability. @throws 404; 403 — the role or the scopes do not allow it */
export function fileFor(db: Database, caller: Caller, id: string, capability: Capability): SeenFile {
  const file = seenFile(db, caller, id)
  mustBeAble(db, file, capability)
  mustBeOfApp(caller, file, 'write')
  return file
}
