/** Place of a store's contents: a folder, or a bucket of an S3-compatible store. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../blob-rows.ts'
import type { Digests } from '../digest.ts'

export interface ContentPlace {
  /** Display name: a folder path, or `s3://bucket/prefix`. */
  readonly name: string
  readonly contents: PlacedContents
  /**
   * Checks that the place is reachable and belongs to this store. A store without contents claims one that has no owner.
   * @throws {HlaError} data-differs — it belongs to another store; io — it cannot be used; {StorageFailure} 503 — out
   * of reach
   */
  readonly claim: () => Promise<void>
  /** Aborts unfinished multipart uploads that began more than `age` ms ago. @returns how many */
  readonly giveUpOlder: (age: number) => Promise<number>
  readonly close: () => Promise<void>
}

export interface PlacedContent {
  readonly sha256: string
  readonly size: number
  /** Age in ms by the clock of the place. */
  readonly age: number
}

export interface SizedContent {
  readonly sha256: string
  readonly size: number
}

/** Folder whose files the place can move into itself instead of copying them. */
export interface Arriving {
  readonly folder: string
  /** Moves a synced file out of that folder. Durable when it resolves. */
  readonly adopt: (path: string, content: Pick<SizedContent, 'sha256'>) => Promise<void>
}

/** Contents named by SHA-256. Each is stored completely or not at all. */
export interface PlacedContents {
  /** Undefined if the contents are not local files. */
  readonly pathOf: ((sha256: string) => string) | undefined
  /** Undefined if files must be copied into the place. */
  readonly arriving: Arriving | undefined
  /**
   * Stores a file, replacing an existing content. Durable when it resolves; the caller keeps the file. A file in the
   * `arriving` folder is shared with the place and must not be written to afterwards.
   * @throws {StorageFailure} 503
   */
  readonly publish: (path: string, content: Digests & { readonly size: number }) => Promise<void>
  /** Streams exactly these bytes, or fails. @throws {LostObject} missing, or of another length; {StorageFailure} 503 — out of reach */
  readonly open: (
    content: { readonly sha256: string; readonly size: number },
    range?: ByteRange,
  ) => Promise<Readable>
  /** Returns undefined if the content is missing. @throws {StorageFailure} 503 */
  readonly find: (sha256: string) => Promise<PlacedContent | undefined>
  /** Like `find`, for contents requested in the order of their digests. */
  readonly finder: () => (content: SizedContent) => Promise<PlacedContent | undefined>
  /** May omit contents published a moment ago. @throws {StorageFailure} 503 */
  readonly list: () => AsyncIterable<PlacedContent>
  /** For clean-ups only, which must record a withdrawal first (`withdrawals.ts`). @throws {StorageFailure} 503 */
  readonly remove: (sha256: string) => Promise<void>
}

/** A content named by a row is missing or has another size. */
export class LostObject extends Error {}
