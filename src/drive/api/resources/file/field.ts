/** A member of a file's resource: how it follows from what the store has, as JSON. */
import type { FileView } from '../../../domain/items/file-view.ts'
import type { PermissionView } from '../../../domain/permissions/permission-view.ts'
import type { Caller } from '../../../contract/caller.ts'
import type { Links } from '../../answers/links.ts'

/** What any resource depends on besides the thing itself. */
export interface Viewing {
  readonly caller: Caller
  readonly links: Links
}

/** And that of an item. */
export interface Seeing extends Viewing {
  /** Resources of the labels of an item, where they were asked for. */
  readonly labelsOf?: (file: number) => readonly object[]
  /** All permissions of an item: called only if they are selected. */
  readonly permissions: (view: FileView) => readonly PermissionView[]
}

/** JSON text. Undefined: this item has none. */
export type Field = (view: FileView, seeing: Seeing) => string | undefined
