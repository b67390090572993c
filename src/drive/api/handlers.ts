/** THE TABLE of handlers: one for each operation of the API. */
import { getAbout } from './operations/about.ts'
import { getApp, listAllApps } from './operations/apps.ts'
import { getChange, getStartPageToken } from './operations/changes.ts'
import { stopChannel, watchAllChanges, watchOneFile } from './operations/channels.ts'
import {
  deleteChild,
  deleteParent,
  getChild,
  getParent,
  insertChild,
  insertParent,
  listParents,
} from './operations/children.ts'
import {
  deleteComment,
  deleteReply,
  getOneComment,
  getOneReply,
  insertComment,
  insertReply,
  updateComment,
  updateReply,
} from './operations/comments.ts'
import {
  copyFile,
  deleteFile,
  emptyTrash,
  generateIds,
  getFile,
  insertFile,
  touch,
  trash,
  untrash,
  updateFile,
} from './operations/files.ts'
import { exportFile } from './conversion/export.ts'
import { withContentDownload } from './answers/download.ts'
import {
  deleteDrive,
  getOneDrive,
  hideDrive,
  insertDrive,
  unhideDrive,
  updateDrive,
} from './operations/drives.ts'
import { LISTS } from './lists/table.ts'
import type { Handlers } from './dispatch.ts'
import { listLabels, modifyLabels } from './operations/labels.ts'
import {
  deletePermission,
  getIdForEmail,
  getOnePermission,
  insertPermission,
  listAllPermissions,
  updatePermission,
} from './operations/permissions.ts'
import {
  deleteProperty,
  getOneProperty,
  insertProperty,
  listAllProperties,
  updateProperty,
} from './operations/properties.ts'
import { deleteRevision, getOneRevision, listAllRevisions, updateRevision } from './operations/revisions.ts'

export const HANDLERS: Handlers = {
  ...LISTS,
  'about.get': getAbout,
  'apps.get': getApp,
  'apps.list': listAllApps,
  'changes.get': getChange,
  'changes.getStartPageToken': getStartPageToken,
  'changes.watch': watchAllChanges,
  'channels.stop': stopChannel,
  'children.delete': deleteChild,
  'children.get': getChild,
  'children.insert': insertChild,
  'comments.delete': deleteComment,
  'comments.get': getOneComment,
  'comments.insert': insertComment,
  'comments.patch': updateComment,
  'comments.update': updateComment,
  'drives.delete': deleteDrive,
  'drives.get': getOneDrive,
  'drives.hide': hideDrive,
  'drives.insert': insertDrive,
  'drives.unhide': unhideDrive,
  'drives.update': updateDrive,
  'files.copy': copyFile,
  'files.emptyTrash': emptyTrash,
  'files.export': exportFile,
  'files.get': withContentDownload(getFile),
  'files.generateIds': generateIds,
  'files.insert': insertFile,
  'files.update': updateFile,
  'files.patch': updateFile,
  'files.delete': deleteFile,
  'files.listLabels': listLabels,
  'files.modifyLabels': modifyLabels,
  'files.touch': touch,
  'files.trash': trash,
  'files.untrash': untrash,
  'files.watch': watchOneFile,
  'parents.delete': deleteParent,
  'parents.get': getParent,
  'parents.insert': insertParent,
  'parents.list': listParents,
  'permissions.delete': deletePermission,
  'permissions.get': getOnePermission,
  'permissions.getIdForEmail': getIdForEmail,
  'permissions.insert': insertPermission,
  'permissions.list': listAllPermissions,
  'permissions.patch': updatePermission,
  'permissions.update': updatePermission,
  'properties.delete': deleteProperty,
  'properties.get': getOneProperty,
  'properties.insert': insertProperty,
  'properties.list': listAllProperties,
  'properties.patch': updateProperty,
  'properties.update': updateProperty,
  'replies.delete': deleteReply,
  'replies.get': getOneReply,
  'replies.insert': insertReply,
  'replies.patch': updateReply,
  'replies.update': updateReply,
  'revisions.delete': deleteRevision,
  'revisions.get': withContentDownload(getOneRevision),
  'revisions.list': listAllRevisions,
  'revisions.patch': updateRevision,
  'revisions.update': updateRevision,
}
