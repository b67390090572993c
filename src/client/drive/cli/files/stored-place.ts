/** Where a sink into a file store leads. Types only. */
import type { UploadTarget } from '../../upload.ts'

export interface StoredPlace {
  /** What it is called in an error. */
  readonly name: string
  /** Its end says whether it is packed. */
  readonly title: string
  readonly target: UploadTarget
}
