/** `hla drive group …`: groups of users, which things can be shared with. */
import { HlaError } from '../../errors.ts'
import { command, OPERATOR } from '../../storage/library/commands.ts'
import { findGroup, type GroupFacts, listGroups, membersOf } from '../../storage/library/groups.ts'
import { EXIT } from '../exit-status.ts'
import { type Cell, type Printing, printRows } from './print.ts'
import { withStore } from './with-store.ts'

export interface GroupOptions extends Printing {
  readonly data: string
  readonly name?: string
  /** Addresses. */
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
  const { add = [], remove = [] } = options
  if (add.length + remove.length === 0)
    throw new HlaError('usage', 'nothing to change', { hint: 'name users with --add or --remove' })
  return withStore(options.data, async (store) => {
    if (add.length > 0) await command(store, 'addMembers', OPERATOR, { group, members: add })
    if (remove.length > 0) await command(store, 'removeMembers', OPERATOR, { group, members: remove })
    const changed = findGroup(store.read, group)
    printRows(changed === undefined ? [] : [described(changed)], options)
    return EXIT.ok
  })
}

export function listGroupsCommand(options: GroupOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    const groups = listGroups(store.read)
    const rows = groups.map((group) => ({
      ...described(group),
      users: membersOf(store.read, group).join(' '),
    }))
    printRows(rows, options)
    return EXIT.ok
  })
}

function described({ email, name, id, members }: GroupFacts): Record<string, Cell> {
  return { email, name, id, members }
}
