/** THE TABLE of handlers: one for each operation of the API, as the files of the resources have them. */
import { getAbout } from './operations/about.ts'
import { APPS } from './operations/apps.ts'
import { CHANGES } from './operations/changes.ts'
import { CHANNELS } from './operations/channels.ts'
import { CHILDREN } from './operations/children.ts'
import { COMMENTS } from './operations/comments.ts'
import { DRIVES } from './operations/drives.ts'
import { FILES } from './operations/files.ts'
import { LABELS } from './operations/labels.ts'
import { PERMISSIONS } from './operations/permissions.ts'
import { PROPERTIES } from './operations/properties.ts'
import { REVISIONS } from './operations/revisions.ts'
import { LISTS } from './lists/table.ts'
import type { Handlers } from './requests/call.ts'

export const HANDLERS: Handlers = {
  ...LISTS,
  'about.get': getAbout,
  ...APPS,
  ...CHANGES,
  ...CHANNELS,
  ...CHILDREN,
  ...COMMENTS,
  ...DRIVES,
  ...FILES,
  ...LABELS,
  ...PERMISSIONS,
  ...PROPERTIES,
  ...REVISIONS,
}
