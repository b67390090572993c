/** `hla drive group …`: groups of users, for sharing. */
import type { describeGroup } from '../../api/admin/requests.ts'
import { HlaError } from '../../../errors.ts'
import type { GroupOptions, StoreOptions } from '../options/administrator-options.ts'
import { type Cell, printRows } from '../print.ts'
import { isDisabledBy } from './switch.ts'
import { asOperator, listAll, printAsOperator } from './as-operator.ts'

type Group = ReturnType<typeof describeGroup>

export function addGroupCommand(email: string, options: GroupOptions): Promise<void> {
  const { name } = options
  return printAsOperator(options, described, 'groups.insert', { body: { email, name } })
}

export function changeGroupCommand(group: string, options: GroupOptions): Promise<void> {
  const { name, add = [], remove = [] } = options
  const isDisabled = isDisabledBy(options)
  if (add.length + remove.length === 0 && name === undefined && isDisabled === undefined)
    throw new HlaError('usage', 'nothing to change', {
      hint: 'name users with --add or --remove; --name, --disable and --enable change the group itself',
    })
  const body = { name, isDisabled, add, remove }
  return printAsOperator(options, described, 'groups.patch', { path: [group], body })
}

export function listGroupsCommand(options: StoreOptions): Promise<void> {
  return asOperator(options.data, async (ask) => {
    const rows: Record<string, Cell>[] = []
    for (const group of await listAll<Group>(ask, 'groups.list')) {
      const members = await listAll<{ readonly email: string }>(ask, 'members.list', [group.email])
      rows.push({
        ...described(group),
        users: members
          .map(({ email }) => email)
          .toSorted()
          .join(' '),
      })
    }
    printRows(rows, options)
  })
}

function described({ email, name, id, members, isDisabled }: Group): Record<string, Cell> {
  return { email, name, id, members, disabled: isDisabled }
}
