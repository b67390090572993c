/** `hla drive label …`: labels for files. */
import type { describeLabel } from '../../api/admin/routes.ts'
import { readNamed } from '../../../cli/named-file.ts'
import type { LabelOptions } from '../options/administrator-options.ts'
import type { Cell } from '../print.ts'
import { isDisabledBy } from './switch.ts'
import { printAsOperator, listAsOperator } from './as-operator.ts'

type Label = ReturnType<typeof describeLabel>

export function setLabelCommand(id: string, options: LabelOptions): Promise<void> {
  const { rename } = options
  const isDisabled = isDisabledBy(options)
  const fields = options.fields === undefined ? undefined : readNamed(options.fields)
  const body = { fields, rename, isDisabled }
  return printAsOperator(options, described, 'labels.update', { path: [id], body })
}

export const listLabelsCommand = listAsOperator('labels.list', described)

function described({ id, revision, fields, isDisabled }: Label): Record<string, Cell> {
  return { id, revision, fields: fields.map((field) => field.id).join(', '), disabled: isDisabled }
}
