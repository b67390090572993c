/** What few items have: kept together as JSON in one column. */

export interface Extra {
  readonly description?: string
  readonly folderColor?: string
  /** Absent: they may. */
  readonly writersCanShare?: false
  /** Readers and commenters may not copy or download. */
  readonly copyNeedsWriter?: true
  readonly restriction?: Restriction
  /** It is in a shared drive now, and was in My Drive before. */
  readonly wasOwned?: true
  /** MIME type of what a shortcut points to, when it was made. */
  readonly targetMime?: string
  /** Content is in the words index whatever its type. */
  readonly indexContent?: true
}

/** Content, title and comments stay as they are until it is lifted. */
export interface Restriction {
  readonly reason?: string
  readonly at: number
  /** Key of a principal. */
  readonly by: number
  readonly ownerOnly?: true
}

/** A column that only this file writes. */
export function readExtra(text: string): Extra {
  return text === '{}' ? NOTHING : (JSON.parse(text) as Extra)
}

const NOTHING: Extra = {}

/** Without what is undefined: nothing is kept of what was cleared. */
export function writeExtra(extra: { readonly [Key in keyof Extra]: Extra[Key] | undefined }): string {
  return JSON.stringify(extra)
}
