/** `hla drive label …`: labels for files. */
import type { describeLabel } from '../../api/admin/routes.ts'
import { readNamed } from '../../../cli/named-file.ts'
import type { Cell, Printing } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { printAsOperator, printListAsOperator } from './as-operator.ts'

type Label = ReturnType<typeof describeLabel>

export interface LabelOptions extends Printing, Switch {
  readonly data: string
  /** File name. */
  readonly fields?: string
  /** New id. */
  readonly rename?: string
}

export function setLabelCommand(id: string, options: LabelOptions): Promise<number> {
  const { rename } = options
  const isDisabled = isDisabledBy(options)
  const fields = options.fields === undefined ? undefined : readNamed(options.fields)
  const body = { fields, rename, isDisabled }
  return printAsOperator(options, described, 'labels.update', { path: [id], body })
}

export function listLabelsCommand(options: LabelOptions): Promise<number> {
  return printListAsOperator(options, described, 'labels.list')
}

function described({ id, revision, fields, isDisabled }: Label): Record<string, Cell> {
  return { id, revision, fields: fields.map((field) => field.id).join(', '), disabled: isDisabled }
}
