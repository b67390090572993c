/** THE TABLE of handlers: what answers each operation of the interface. */
import { getAbout } from './about.ts'
import { getChange, getStartPageToken, listAllChanges } from './changes.ts'
import {
  deleteChild,
  deleteParent,
  getChild,
  getParent,
  insertChild,
  insertParent,
  listChildren,
  listParents,
} from './children.ts'
import { copyFile, exportFile } from './copy.ts'
import { orContent } from './download.ts'
import type { Handlers } from './dispatch.ts'
import { deleteFile, getFile, insertFile, listAllFiles, updateFile } from './files.ts'
import { generateIds } from './generate-ids.ts'
import { listLabels, modifyLabels } from './labels.ts'
import {
  deleteProperty,
  getOneProperty,
  insertProperty,
  listAllProperties,
  updateProperty,
} from './properties.ts'
import { deleteRevision, getOneRevision, listAllRevisions, updateRevision } from './revisions.ts'
import { emptyTrash, touch, trash, untrash } from './trash.ts'

export const HANDLERS: Handlers = {
  'about.get': getAbout,
  'changes.get': getChange,
  'changes.getStartPageToken': getStartPageToken,
  'changes.list': listAllChanges,
  'children.delete': deleteChild,
  'children.get': getChild,
  'children.insert': insertChild,
  'children.list': listChildren,
  'files.copy': copyFile,
  'files.emptyTrash': emptyTrash,
  'files.export': exportFile,
  'files.get': orContent(getFile),
  'files.generateIds': generateIds,
  'files.list': listAllFiles,
  'files.insert': insertFile,
  'files.update': updateFile,
  'files.patch': updateFile,
  'files.delete': deleteFile,
  'files.listLabels': listLabels,
  'files.modifyLabels': modifyLabels,
  'files.touch': touch,
  'files.trash': trash,
  'files.untrash': untrash,
  'parents.delete': deleteParent,
  'parents.get': getParent,
  'parents.insert': insertParent,
  'parents.list': listParents,
  'properties.delete': deleteProperty,
  'properties.get': getOneProperty,
  'properties.insert': insertProperty,
  'properties.list': listAllProperties,
  'properties.patch': updateProperty,
  'properties.update': updateProperty,
  'revisions.delete': deleteRevision,
  'revisions.get': orContent(getOneRevision),
  'revisions.list': listAllRevisions,
  'revisions.patch': updateRevision,
  'revisions.update': updateRevision,
}
