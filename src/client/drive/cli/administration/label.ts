/** `hla drive label …`: labels for files. */
import { EXIT } from '../../../../io/exit-status.ts'
import { readNamed } from '../../../../cli/named-file.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { type Listed, asOperator } from './as-operator.ts'

interface Label {
  readonly id: string
  readonly revision: number
  readonly fields: readonly { readonly id: string }[]
  readonly isDisabled: boolean
}

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
  return asOperator(options.data, async (ask) => {
    const body = { fields, rename, isDisabled }
    printRows([described(await ask<Label>('labels.update', { path: [id], body }))], options)
    return EXIT.ok
  })
}

export function removeLabelCommand(id: string, { data }: LabelOptions): Promise<number> {
  return asOperator(data, async (ask) => {
    await ask('labels.delete', { path: [id] })
    return EXIT.ok
  })
}

export function listLabelsCommand(options: LabelOptions): Promise<number> {
  return asOperator(options.data, async (ask) => {
    const { items } = await ask<Listed<Label>>('labels.list')
    printRows(items.map(described), options)
    return EXIT.ok
  })
}

function described({ id, revision, fields, isDisabled }: Label): Record<string, Cell> {
  return { id, revision, fields: fields.map((field) => field.id).join(', '), disabled: isDisabled }
}
