/** `hla drive group …`: groups of users, for sharing. */
import { HlaError } from '../../../../errors.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import {
  findGroup,
  type GroupFacts,
  listGroups,
  listMembers,
} from '../../../../drive/domain/access/groups.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { withStore } from './with-store.ts'

export interface GroupOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
  /** E-mail addresses. */
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export function addGroupCommand(email: string, options: GroupOptions): Promise<number> {
  const { name } = options
  return withStore(options.data, async (store) => {
    printRows([described(await command(store, 'addGroup', OPERATOR, { email, name }))], options)
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
  return withStore(options.data, async (store) => {
    if (add.length > 0) await command(store, 'addMembers', OPERATOR, { group, members: add })
    if (remove.length > 0) await command(store, 'removeMembers', OPERATOR, { group, members: remove })
    if (name !== undefined || isDisabled !== undefined)
      await command(store, 'changeGroup', OPERATOR, { group, name, isDisabled })
    const changed = findGroup(store.read, group)
    printRows(changed === undefined ? [] : [described(changed)], options)
    return EXIT.ok
  })
}

export function removeGroupCommand(group: string, { data }: GroupOptions): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, 'removeGroup', OPERATOR, { group })
    return EXIT.ok
  })
}

export function listGroupsCommand(options: GroupOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    const groups = listGroups(store.read)
    const rows = groups.map((group) => ({
      ...described(group),
      users: listMembers(store.read, group).join(' '),
    }))
    printRows(rows, options)
    return EXIT.ok
  })
}

function described({ email, name, id, members, is_disabled }: GroupFacts): Record<string, Cell> {
  return { email, name, id, members, disabled: is_disabled === 1 }
}
