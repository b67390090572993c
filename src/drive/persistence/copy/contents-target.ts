/** Where the contents of a copy into a database go: a folder or a bucket.  [disk, network] */
import { readdirSync } from 'node:fs'
import { isBucket } from '../contents/bucket/bucket-address.ts'
import type { ContentPlace } from '../contents/places/place.ts'
import type { Database } from '../database/database.ts'
import { makeFolders, type StoreFolder } from '../folder.ts'
import { type CopiedContents, copyContents } from '../upkeep/contents/copy-content.ts'
import { hasContents, sendContents } from '../upkeep/contents/send-content.ts'
import { besideContents, withBucket } from './database-store.ts'

export interface ContentsTarget {
  readonly name: string
  readonly isEmpty: () => Promise<boolean>
  /** It becomes that store's. @throws {HlaError} data-differs — it is another's */
  readonly claim: (store: string) => Promise<void>
  /** What `rows` names, but for what is there. @throws {HlaError} data-differs — a content of the source is damaged */
  readonly copy: (rows: Database) => Promise<CopiedContents>
}

/** For as long as `work` takes. @throws {HlaError} usage; io — it is out of reach */
export function withTarget<Result>(
  from: StoreFolder,
  contents: string,
  work: (target: ContentsTarget) => Promise<Result>,
): Promise<Result> {
  if (isBucket(contents)) return withBucket(contents, (place) => work(bucketTarget(from, place)))
  const to = besideContents(from.path, contents)
  makeFolders(to)
  return work({
    name: to.blobs,
    isEmpty: () => Promise.resolve(readdirSync(to.blobs).length === 0),
    // a server claims the folder when it begins
    claim: () => Promise.resolve(),
    copy: (rows) => copyContents(from, to, rows, 'missing'),
  })
}

function bucketTarget(from: StoreFolder, place: ContentPlace): ContentsTarget {
  return {
    name: place.name,
    isEmpty: async () => !(await hasContents(place.contents)),
    claim: place.claim,
    copy: (rows) => sendContents(from, place, rows),
  }
}
