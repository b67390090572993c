/** What the resource of a file depends on besides the file. */
import type { ListCall } from '../requests/list-call.ts'
import { labelsNamed } from '../../domain/labels/labels.ts'
import { viewPermissions } from '../../domain/permissions/permission-view.ts'
import type { Seeing } from '../resources/file/field.ts'
import { labelResource } from '../resources/label.ts'

/** With the labels that `includeLabels` asks for. */
export function readSeeing({ drive, caller, links, parameters }: ListCall): Seeing {
  const { read } = drive.store
  const ids = parameters.includeLabels?.split(',').map((id) => id.trim())
  const permissions: Seeing['permissions'] = ({ row, role }) =>
    viewPermissions(read, caller, { ...row, role })
  if (ids === undefined) return { caller, links, permissions }
  return {
    caller,
    links,
    permissions,
    labelsOf: (file) => labelsNamed(read, file, ids).map((label) => labelResource(label, caller)),
  }
}
