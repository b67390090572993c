/** `hla drive group …`: groups of users, for sharing. */
import type { describeGroup } from '../../../../drive/api/admin/requests.ts'
import { HlaError } from '../../../../errors.ts'
import type { Cell, Printing } from '../print.ts'
import { isDisabledBy, type Switch } from './switch.ts'
import { printAsOperator, printListAsOperator } from './as-operator.ts'

type Group = ReturnType<typeof describeGroup>

export interface GroupOptions extends Printing, Switch {
  readonly data: string
  readonly name?: string
  /** E-mail addresses. */
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export function addGroupCommand(email: string, options: GroupOptions): Promise<number> {
  const { name } = options
  return printAsOperator(options, described, 'groups.insert', { body: { email, name } })
}

export function changeGroupCommand(group: string, options: GroupOptions): Promise<number> {
  const { name, add = [], remove = [] } = options
  const isDisabled = isDisabledBy(options)
  if (add.length + remove.length === 0 && name === undefined && isDisabled === undefined)
    throw new HlaError('usage', 'nothing to change', {
      hint: 'name users with --add or --remove; --name, --disable and --enable change the group itself',
    })
  const body = { name, isDisabled, add, remove }
  return printAsOperator(options, described, 'groups.patch', { path: [group], body })
}

export function listGroupsCommand(options: GroupOptions): Promise<number> {
  const withUsers = ({ users, ...group }: Group & { readonly users: readonly string[] }) => ({
    ...described(group),
    users: users.join(' '),
  })
  return printListAsOperator(options, withUsers, 'groups.all')
}

function described({ email, name, id, members, isDisabled }: Group): Record<string, Cell> {
  return { email, name, id, members, disabled: isDisabled }
}
