/** Owners of buckets, for tests of places without a store. */
import type { BucketOwner } from '../../src/drive/persistence/contents/bucket/bucket-place.ts'

export function ownedBy(store: string, isNew = true): BucketOwner {
  return { store, isNew: () => isNew }
}
