/** Rights where a restriction or the place of an item asks for another role than usual (spec 11.2, 11.5). */
import { expect, test } from 'vitest'
import {
  type Capability,
  type Circumstances,
  isCapable,
  isCapableInDrive,
  listCapabilities,
  listDriveCapabilities,
} from '../../../src/drive/contract/capabilities.ts'
import type { Role } from '../../../src/drive/contract/kinds.ts'

const ROLES: readonly Role[] = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner']
const FILE: Circumstances = {
  isFolder: false,
  isRoot: false,
  isTrashed: false,
  inDrive: false,
  writersCanShare: true,
  copyNeedsWriter: false,
  isLocked: false,
  foldersNeedOrganizer: false,
}

test.for<[Capability, Partial<Circumstances>, weakest: Role | 'nobody']>([
  ['canShare', {}, 'writer'],
  ['canShare', { writersCanShare: false }, 'owner'],
  ['canShare', { isRoot: true, isFolder: true }, 'nobody'],
  ['canShare', { inDrive: true }, 'fileOrganizer'],
  ['canShare', { inDrive: true, writersCanShare: false }, 'fileOrganizer'],
  ['canShare', { inDrive: true, isRoot: true, isFolder: true }, 'organizer'],
  ['canShare', { inDrive: true, isFolder: true }, 'fileOrganizer'],
  ['canShare', { inDrive: true, isFolder: true, foldersNeedOrganizer: true }, 'organizer'],
  ['canShare', { inDrive: true, foldersNeedOrganizer: true }, 'fileOrganizer'],
  ['canCopy', {}, 'reader'],
  ['canCopy', { copyNeedsWriter: true }, 'writer'],
  ['canCopy', { isFolder: true }, 'nobody'],
  ['canDownload', {}, 'reader'],
  ['canDownload', { copyNeedsWriter: true }, 'writer'],
  ['canEdit', { copyNeedsWriter: true, writersCanShare: false }, 'writer'],
  ['canListChildren', { isFolder: true, copyNeedsWriter: true }, 'reader'],
  ['canComment', {}, 'commenter'],
  ['canComment', { isLocked: true }, 'nobody'],
  ['canRename', {}, 'writer'],
  ['canRename', { isRoot: true }, 'nobody'],
  ['canRename', { isLocked: true }, 'nobody'],
  ['canTrash', {}, 'owner'],
  ['canTrash', { inDrive: true }, 'fileOrganizer'],
  ['canUntrash', { isTrashed: true }, 'owner'],
  ['canUntrash', {}, 'nobody'],
  ['canDelete', { inDrive: true }, 'organizer'],
  ['canReadDrive', {}, 'nobody'],
  ['canReadDrive', { inDrive: true }, 'reader'],
])('%s of %j is for the %s and stronger ones', ([capability, about, weakest]) => {
  const item = { ...FILE, ...about }
  const able = ROLES.filter((role) => isCapable(role, capability, item))
  // in a shared drive an organizer is what an owner is elsewhere
  const first = ROLES.findIndex((role) => role === weakest || (weakest === 'owner' && role === 'organizer'))
  expect(able).toEqual(weakest === 'nobody' ? [] : ROLES.slice(first))
  expect(ROLES.filter((role) => listCapabilities(role, item)[capability])).toEqual(able)
})

test.for<[Role, boolean, object]>([
  ['reader', false, { canCopy: true, canDownload: true, canListChildren: true, canComment: false }],
  ['commenter', true, { canCopy: false, canDownload: false, canComment: true, canEdit: false }],
  ['writer', true, { canCopy: true, canDownload: true, canEdit: true, canShare: false }],
  ['fileOrganizer', false, { canShare: true, canTrashChildren: true, canDeleteChildren: false }],
  ['organizer', true, { canCopy: true, canDeleteChildren: true, canManageMembers: true }],
])('a %s of a shared drive, where copies need a writer: %s', ([role, copyNeedsWriter, expected]) => {
  expect(listDriveCapabilities(role, copyNeedsWriter)).toMatchObject(expected)
  expect(isCapableInDrive(role, 'canDeleteDrive')).toBe(role === 'organizer')
})
