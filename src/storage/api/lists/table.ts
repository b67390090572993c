/** THE TABLE of lists: operations that only read, and may have much to look through. */
import type { MethodId } from '../../model/methods.ts'
import type { Selection } from '../../query/fields.ts'
import type { Answer, ListCall } from '../call.ts'
import { listAllChanges } from '../changes.ts'
import { listChildren } from '../children.ts'
import { listAllComments } from '../comments.ts'
import { listAllDrives } from '../drives.ts'
import { listAllFiles } from '../files.ts'
import { listAllReplies } from '../replies.ts'

export type ListHandler = (call: ListCall, selection?: Selection) => Answer

export const LISTS = {
  'changes.list': listAllChanges,
  'children.list': listChildren,
  'comments.list': listAllComments,
  'drives.list': listAllDrives,
  'files.list': listAllFiles,
  'replies.list': listAllReplies,
} as const satisfies Readonly<Partial<Record<MethodId, ListHandler>>>

export const LIST_HANDLERS: ReadonlyMap<string, ListHandler> = new Map(Object.entries(LISTS))
