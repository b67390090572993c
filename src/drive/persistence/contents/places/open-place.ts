/** Opens the place of contents that an address names: a bucket or a folder. */
import { HlaError } from '../../../../errors.ts'
import { storeFolder } from '../../folder.ts'
import { bucketPlace } from '../bucket/bucket-place.ts'
import { isBucket } from '../bucket/bucket-address.ts'
import { folderPlace } from './folder-place.ts'
import type { ContentPlace } from './place.ts'

/** A folder must exist. @throws {HlaError} usage — invalid address */
export function openPlace(contents: string): ContentPlace {
  if (isBucket(contents)) return bucketPlace(contents, process.env)
  if (/^\w[\w+.-]*:\/\//.test(contents))
    throw new HlaError('usage', `--contents must be a folder or s3://bucket/prefix, not ${contents}`)
  return folderPlace(storeFolder(contents))
}
