/** `hla drive label …`: labels for files. */
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { type LabelDefinition, listDefinitions } from '../../../../drive/domain/labels/labels.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { readNamed } from '../../../../cli/named-file.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { withStore } from './with-store.ts'

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
  return withStore(options.data, async (store) => {
    const label = await command(store, 'putLabel', OPERATOR, { id, fields, rename, isDisabled })
    printRows([described(label)], options)
    return EXIT.ok
  })
}

export function removeLabelCommand(id: string, { data }: LabelOptions): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, 'removeLabel', OPERATOR, { id })
    return EXIT.ok
  })
}

export function listLabelsCommand(options: LabelOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listDefinitions(store.read).map(described), options)
    return EXIT.ok
  })
}

function described({ id, revision, fields, isDisabled }: LabelDefinition): Record<string, Cell> {
  return { id, revision, fields: fields.map((field) => field.id).join(', '), disabled: isDisabled }
}
