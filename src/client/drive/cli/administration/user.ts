/** `hla drive user …`: user accounts. */
import { HlaError } from '../../../../errors.ts'
import { OPERATOR, command } from '../../../../drive/domain/commands.ts'
import { type UserFacts, findUser, listUsers } from '../../../../drive/domain/accounts/users.ts'
import type { Store } from '../../../../drive/persistence/store.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { type Cell, type Printing, printRows } from '../print.ts'
import { type Switch, isDisabledBy } from './switch.ts'
import { withStore } from './with-store.ts'
import { hashPassword } from '../../../../drive/domain/sign-in/passwords.ts'
import { readPassword } from '../password-file.ts'

export interface UserOptions extends Printing {
  readonly data: string
  readonly name?: string
  /** Limit in bytes; 0 means none. */
  readonly quota?: number
  readonly admin?: boolean
  /** File name, or `-`. */
  readonly passwordFile?: string
  /** Commander's name of `--no-password`. */
  readonly password?: boolean
}

export interface RemovalOptions {
  readonly data: string
  /** E-mail address of the user who gets the files. */
  readonly giveTo?: string
  readonly deleteFiles?: boolean
}

export function addUserCommand(email: string, options: UserOptions): Promise<number> {
  const { name, quota = 0, admin: isAdmin } = options
  return withStore(options.data, async (store) => {
    // checked before the user is created
    const hash = await askedPassword(options)
    const user = { email, name, isAdmin, quota: quota === 0 ? undefined : quota }
    const made = await command(store, 'addUser', OPERATOR, user)
    if (hash !== undefined) await command(store, 'setPassword', OPERATOR, { email, hash })
    printRows([described(findUser(store.read, email) ?? made)], options)
    return EXIT.ok
  })
}

export function changeUserCommand(email: string, options: UserOptions & Switch): Promise<number> {
  const { name, quota, admin: isAdmin } = options
  const isDisabled = isDisabledBy(options)
  return withStore(options.data, async (store) => {
    const { pk } = userNamed(store, email)
    const hash = await askedPassword(options)
    if (hash !== undefined) await command(store, 'setPassword', OPERATOR, { email, hash })
    const changes = { pk, name, isAdmin, isDisabled, quota: quota === 0 ? null : quota }
    printRows([described(await command(store, 'changeUser', OPERATOR, changes))], options)
    return EXIT.ok
  })
}

/** `which` removes a user, or a service account with its client and keys. */
export function removeUserCommand(
  email: string,
  { data, giveTo: heir, deleteFiles: withFiles }: RemovalOptions,
  which: 'removeUser' | 'removeAccount' = 'removeUser',
): Promise<number> {
  return withStore(data, async (store) => {
    await command(store, which, OPERATOR, { email, heir, withFiles })
    return EXIT.ok
  })
}

export function listUsersCommand(options: UserOptions): Promise<number> {
  return withStore(options.data, async (store) => {
    printRows(listUsers(store.read).map(described), options)
    return EXIT.ok
  })
}

/** @throws {HlaError} not-found */
export function userNamed(store: Store, email: string): UserFacts {
  const user = findUser(store.read, email)
  if (user !== undefined) return user
  throw new HlaError('not-found', `there is no user ${email}`, {
    offending: email,
    hint: 'hla drive user list prints the existing ones.',
  })
}

function described(user: UserFacts): Record<string, Cell> {
  const { email, name, id, is_admin, quota, used, is_disabled, has_password } = user
  const flags = { disabled: is_disabled === 1, password: has_password === 1 }
  return { email, name, id, admin: is_admin === 1, quota, used, ...flags }
}

interface PasswordOptions {
  readonly passwordFile?: string
  readonly password?: boolean
}

/** Hash of the new password; null removes it, undefined leaves it unchanged. @throws {HlaError} usage */
async function askedPassword({
  passwordFile,
  password,
}: PasswordOptions): Promise<string | null | undefined> {
  if (passwordFile === undefined) return password === false ? null : undefined
  if (password === false) throw new HlaError('usage', 'either --password-file or --no-password')
  return hashPassword(await readPassword(passwordFile))
}
