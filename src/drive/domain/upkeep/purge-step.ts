/** One step of what goes by itself in time. Types only. */

/** What goes in time. */
export interface Keeping {
  /** ms that what is trashed stays; undefined: until somebody empties the trash. */
  readonly keepTrash?: number | undefined
  /** ms that a revision stays from when another took its place; undefined: no end. */
  readonly keepRevisions?: number | undefined
  /** Of one file, besides the head and the pinned; undefined: any number. */
  readonly mostRevisions?: number | undefined
}

export interface PurgeInput extends Keeping {
  /** Which of the things that go. */
  readonly kind: number
  /** Where the step before ended; 0 at first. */
  readonly after: number
}

export interface Purged {
  readonly removed: number
  /** Undefined: this was the last step of its kind. */
  readonly next: number | undefined
}
