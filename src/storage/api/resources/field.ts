/** A member of a resource: how it follows from what the store has. */
import type { FileView } from '../../library/file-view.ts'
import type { Caller } from '../../model/caller.ts'
import type { Links } from '../links.ts'

/** What the resource depends on besides the item. */
export interface Seeing {
  readonly caller: Caller
  readonly links: Links
}

/** Undefined: this item has none. */
export type Field = (view: FileView, seeing: Seeing) => unknown
