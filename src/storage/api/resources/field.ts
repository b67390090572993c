/** A member of a file's resource: how it follows from what the store has, as JSON. */
import type { FileView } from '../../library/file-view.ts'
import type { Caller } from '../../model/caller.ts'
import type { Links } from '../links.ts'

/** What the resource depends on besides the item. */
export interface Seeing {
  readonly caller: Caller
  readonly links: Links
  /** Resources of the labels of an item, where they were asked for. */
  readonly labelsOf?: (file: number) => readonly object[]
}

/** JSON text. Undefined: this item has none. */
export type Field = (view: FileView, seeing: Seeing) => string | undefined
