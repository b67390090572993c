/** THE TABLE of lists: read-only operations that may search through much data. */
import type { ListCall } from '../requests/parts.ts'
import type { MethodId } from '../../contract/methods.ts'
import type { Selection } from '../../protocol/answers/fields.ts'
import type { CallAnswer } from '../requests/call.ts'
import { listAllChanges } from '../operations/changes.ts'
import { listChildren } from '../operations/children.ts'
import { listAllComments, listAllReplies } from '../operations/comments.ts'
import { listAllDrives } from '../operations/drives.ts'
import { listAllFiles } from '../operations/files.ts'

export type ListHandler = (call: ListCall, selection?: Selection) => CallAnswer

export const LISTS = {
  'changes.list': listAllChanges,
  'children.list': listChildren,
  'comments.list': listAllComments,
  'drives.list': listAllDrives,
  'files.list': listAllFiles,
  'replies.list': listAllReplies,
} as const satisfies Readonly<Partial<Record<MethodId, ListHandler>>>

export const LIST_HANDLERS: ReadonlyMap<string, ListHandler> = new Map(Object.entries(LISTS))
