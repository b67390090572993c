/** Where the contents of a store lie: a folder, or a bucket of an S3-compatible store. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../blob-rows.ts'
import type { Digests } from '../digest.ts'

export interface ContentPlace {
  /** In words for people: a folder, or `s3://bucket/prefix`. */
  readonly name: string
  readonly contents: PlacedContents
  readonly pieces: PlacedPieces
  /**
   * It can be reached, and it is this store's: one that nobody has yet becomes so.
   * @throws {HlaError} data-differs — it is another store's; config — it cannot be used so; {StorageFailure} 503 — out of reach
   */
  readonly claim: (store: string) => Promise<void>
  /** It still is. @throws {StorageFailure} 503 — it could not be claimed yet */
  readonly confirm: () => Promise<void>
  /** Ends what servers have begun to put more than so many ms ago, and not ended. @returns how many */
  readonly giveUpOlder: (age: number) => Promise<number>
  readonly close: () => Promise<void>
}

export interface PlacedContent {
  readonly sha256: string
  readonly size: number
  /** ms ago, by the clock of the place. */
  readonly age: number
}

export interface SizedContent {
  readonly sha256: string
  readonly size: number
}

/** Where contents arrive that the place takes without a copy. */
export interface Arriving {
  readonly folder: string
  /** Moves a synced file out of that folder. Durable when it resolves. */
  readonly adopt: (path: string, content: Pick<SizedContent, 'sha256'>) => Promise<void>
}

/** A content has the name of its SHA-256, and is in its place wholly or not at all. */
export interface PlacedContents {
  /** Undefined: whoever wants a file has to read it. */
  readonly pathOf: ((sha256: string) => string) | undefined
  /** Undefined: files come from elsewhere. */
  readonly arriving: Arriving | undefined
  /**
   * Takes the place of one that is there. Durable when it resolves; the file stays its owner's. A file that arrives in the place is
   * shared with it, and must not be written to any more. @throws {StorageFailure} 503
   */
  readonly publish: (path: string, content: Digests & { readonly size: number }) => Promise<void>
  /** All of these bytes, or an error. @throws {LostObject} it is not there, or not as long; {StorageFailure} 503 — out of reach */
  readonly open: (
    content: { readonly sha256: string; readonly size: number },
    range?: ByteRange,
  ) => Promise<Readable>
  /** Undefined: it is not there. @throws {StorageFailure} 503 */
  readonly find: (sha256: string) => Promise<PlacedContent | undefined>
  /** As `find`, of contents that are asked for in the order of their digests. */
  readonly finder: () => (content: SizedContent) => Promise<PlacedContent | undefined>
  /** Not what was published a moment ago, perhaps. @throws {StorageFailure} 503 */
  readonly list: () => AsyncIterable<PlacedContent>
  /** Only of a clean-up, which has said before that it will (`withdrawals.ts`). @throws {StorageFailure} 503 */
  readonly remove: (sha256: string) => Promise<void>
}

/** A part of an upload in several requests. */
export interface PlacedPiece {
  readonly name: string
  /** ms ago, by the clock of the place. */
  readonly age: number
}

/** Each has a name that nothing else had or will have. */
export interface PlacedPieces {
  /** Of bytes of a file; durable when it resolves. @returns its name. @throws {StorageFailure} 503 */
  readonly put: (path: string, range: ByteRange) => Promise<string>
  /** @throws as `contents.open` */
  readonly open: (name: string, size: number) => Promise<Readable>
  readonly list: () => AsyncIterable<PlacedPiece>
  readonly remove: (name: string) => Promise<void>
}

/** What a row names is not in its place, or has not its size. */
export class LostObject extends Error {}
