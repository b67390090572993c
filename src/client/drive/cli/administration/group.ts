/** `hla drive group …`: groups of users, for sharing. */
import { HlaError } from '../../../../errors.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { type Listed, asOperator } from './as-operator.ts'

interface Group {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly members: number
  readonly isDisabled: boolean
}

export interface GroupOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
  /** E-mail addresses. */
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export function addGroupCommand(email: string, options: GroupOptions): Promise<number> {
  const { name } = options
  return asOperator(options.data, async (ask) => {
    printRows([described(await ask<Group>('groups.insert', { body: { email, name } }))], options)
    return EXIT.ok
  })
}

export function changeGroupCommand(group: string, options: GroupOptions): Promise<number> {
  const { name, add = [], remove = [] } = options
  const isDisabled = isDisabledBy(options)
  if (add.length + remove.length === 0 && name === undefined && isDisabled === undefined)
    throw new HlaError('usage', 'nothing to change', {
      hint: 'name users with --add or --remove; --name, --disable and --enable change the group itself',
    })
  return asOperator(options.data, async (ask) => {
    const body = { name, isDisabled, add, remove }
    printRows([described(await ask<Group>('groups.patch', { path: [group], body }))], options)
    return EXIT.ok
  })
}

export function removeGroupCommand(group: string, { data }: GroupOptions): Promise<number> {
  return asOperator(data, async (ask) => {
    await ask('groups.delete', { path: [group] })
    return EXIT.ok
  })
}

export function listGroupsCommand(options: GroupOptions): Promise<number> {
  return asOperator(options.data, async (ask) => {
    const { items } = await ask<Listed<Group & { readonly users: readonly string[] }>>('groups.all')
    const rows = items.map((group) => ({ ...described(group), users: group.users.join(' ') }))
    printRows(rows, options)
    return EXIT.ok
  })
}

function described({ email, name, id, members, isDisabled }: Group): Record<string, Cell> {
  return { email, name, id, members, disabled: isDisabled }
}
