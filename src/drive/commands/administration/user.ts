/** `hla drive user …`: user accounts. */
import type { describeUser } from '../../api/admin/requests.ts'
import { isStorageFailure } from '../../contract/failure.ts'
import { HlaError } from '../../../errors.ts'
import { formatNote } from '../../../cli/messages.ts'
import { tell } from '../../../io/stdout.ts'
import type { UserOptions } from '../options/administrator-options.ts'
import { type Cell, printRows } from '../print.ts'
import { isDisabledBy } from './switch.ts'
import { asOperator, listAsOperator } from './as-operator.ts'
import { mustBePassword } from '../../domain/sign-in/passwords.ts'
import { readPassword } from '../password-file.ts'

type User = ReturnType<typeof describeUser>

export function addUserCommand(email: string, options: UserOptions): Promise<void> {
  return asOperator(options.data, async (ask) => {
    const body = { email, ...(await readUserBody(options)) }
    const user = await ask<User>('users.insert', { body })
    printRows([described(user)], options)
    if (options.name === undefined) {
      const message = `others see the user as ${user.name}; hla drive user set ${email} --name NAME gives a full name`
      tell(formatNote({ level: 'note', code: 'name', message }))
    }
  })
}

export function changeUserCommand(email: string, options: UserOptions): Promise<void> {
  const isDisabled = isDisabledBy(options)
  return asOperator(options.data, async (ask) => {
    const body = { ...(await readUserBody(options)), isDisabled }
    const changed = ask<User>('users.patch', { path: [email], body })
    printRows([described(await changed.catch(rewordUnknownUser(email)))], options)
  })
}

export const listUsersCommand = listAsOperator('users.list', described)

/** Rewords the refusal of a request that names an unknown user. @throws {HlaError} not-found */
export function rewordUnknownUser(email: string): (error: unknown) => never {
  return (error) => {
    if (!isStorageFailure(error) || error.status !== 404) throw error
    throw new HlaError('not-found', `there is no user ${email}`, {
      offending: email,
      hint: 'hla drive user list prints the existing ones.',
    })
  }
}

function described(user: User): Record<string, Cell> {
  const { email, name, id, isAdmin: admin, quotaBytes: quota, usedBytes: used } = user
  return { email, name, id, admin, quota, used, disabled: user.isDisabled, password: user.hasPassword }
}

/** Members of the request; undefined ones leave a user unchanged. @throws {HlaError} usage */
async function readUserBody({
  name,
  admin: isAdmin,
  quota,
  passwordFile,
  password: hasPassword,
}: UserOptions) {
  if (passwordFile !== undefined && hasPassword === false)
    throw new HlaError('usage', 'give --password-file or --no-password, not both')
  const quotaBytes = quota === 0 ? null : quota
  if (passwordFile === undefined)
    return { name, isAdmin, quotaBytes, password: hasPassword === false ? '' : undefined }
  const password = await readPassword(passwordFile)
  // an empty one in the request would remove the password
  mustBePassword(password)
  return { name, isAdmin, quotaBytes, password }
}
