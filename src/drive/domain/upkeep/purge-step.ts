/** One step of a purge. Types only. */

/** Retention periods. */
export interface Keeping {
  /** ms that trashed items are kept; undefined until the trash is emptied. */
  readonly keepTrash?: number | undefined
  /** ms that a revision is kept after its replacement; undefined for no limit. */
  readonly keepRevisions?: number | undefined
  /** Maximum revisions per file, not counting the head and pinned ones; undefined for no limit. */
  readonly mostRevisions?: number | undefined
}

export interface PurgeInput extends Keeping {
  /** Index of the kind of purge. */
  readonly kind: number
  /** Position at which the previous step ended; 0 for the first. */
  readonly after: number
}

export interface Purged {
  readonly removed: number
  /** Start of the next step; undefined after the last step of its kind. */
  readonly next: number | undefined
}
