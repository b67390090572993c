/** THE TABLE of handlers: what answers each operation of the interface. */
import { getAbout } from './about.ts'
import type { Handlers } from './dispatch.ts'
import { deleteFile, getFile, insertFile, listAllFiles, updateFile } from './files.ts'
import { generateIds } from './generate-ids.ts'

export const HANDLERS: Handlers = {
  'about.get': getAbout,
  'files.get': getFile,
  'files.generateIds': generateIds,
  'files.list': listAllFiles,
  'files.insert': insertFile,
  'files.update': updateFile,
  'files.patch': updateFile,
  'files.delete': deleteFile,
}
