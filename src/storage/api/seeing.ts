/** What the resource of a file depends on besides the file. */
import { labelsNamed } from '../library/labels.ts'
import type { Call } from './call.ts'
import type { Seeing } from './resources/field.ts'
import { labelResource } from './resources/label.ts'

/** With the labels that `includeLabels` asks for. */
export function seeingOf({ drive, caller, links, parameters }: Call): Seeing {
  const ids = parameters.includeLabels?.split(',').map((id) => id.trim())
  if (ids === undefined) return { caller, links }
  return {
    caller,
    links,
    labelsOf: (file) => labelsNamed(drive.store.read, file, ids).map((label) => labelResource(label, caller)),
  }
}
