/** Users, groups, and who is in them. */
import { notFound } from '../../contract/failure.ts'
import { type AdministrativeStep, administerStore } from '../../domain/administration/administer.ts'
import { pageOfGroups, pageOfMembers, pageOfUsers } from '../../domain/administration/lists.ts'
import { findGroup, type GroupFacts } from '../../domain/access/groups.ts'
import { findUser, type UserFacts } from '../../domain/accounts/users.ts'
import { hashPassword } from '../../domain/sign-in/passwords.ts'
import type { Database } from '../../persistence/database/database.ts'
import { idIn } from '../requests/call.ts'
import type { AdminHandlers } from './call.ts'
import { listAnswer } from './list-answer.ts'

type PeopleId = `${'users' | 'groups' | 'members'}.${string}`

export const PEOPLE: Pick<AdminHandlers, Extract<keyof AdminHandlers, PeopleId>> = {
  'users.list': ({ drive, query, page }) =>
    listAnswer(pageOfUsers(drive.store.read, page, query.prefix ?? ''), describeUser),
  async 'users.insert'({ drive, caller, body }) {
    const { email, name, isAdmin, quotaBytes, password } = body
    const user = { email, name, isAdmin, quota: quotaBytes ?? undefined }
    const steps: AdministrativeStep[] = [{ command: 'addUser', input: user }]
    if (password !== undefined) steps.push(await passwordStep(email, password))
    await administerStore(drive.store, caller, ...steps)
    return describeUser(userNamed(drive.store.read, email))
  },
  async 'users.patch'({ drive, caller, path, body }) {
    const { store } = drive
    const { pk, email } = userNamed(store.read, idIn({ path }, 'email'))
    const { name, isAdmin, isDisabled, quotaBytes: quota, password } = body
    const steps: AdministrativeStep[] = [
      { command: 'changeUser', input: { pk, name, isAdmin, isDisabled, quota } },
    ]
    if (password !== undefined) steps.push(await passwordStep(email, password))
    await administerStore(store, caller, ...steps)
    return describeUser(userNamed(store.read, email))
  },
  async 'users.delete'({ drive, caller, path, query }) {
    const { giveTo: heir, deleteFiles: withFiles } = query
    const input = { email: idIn({ path }, 'email'), heir, withFiles }
    await administerStore(drive.store, caller, { command: 'removeUser', input })
  },
  'groups.list': ({ drive, query, page }) =>
    listAnswer(pageOfGroups(drive.store.read, page, query.prefix ?? ''), describeGroup),
  async 'groups.insert'({ drive, caller, body: input }) {
    return describeGroup(
      await administerStore<GroupFacts>(drive.store, caller, { command: 'addGroup', input }),
    )
  },
  async 'groups.patch'({ drive, caller, path, body }) {
    const input = { group: idIn({ path }, 'email'), ...body }
    return describeGroup(
      await administerStore<GroupFacts>(drive.store, caller, { command: 'changeGroup', input }),
    )
  },
  async 'groups.delete'({ drive, caller, path }) {
    const input = { group: idIn({ path }, 'email') }
    await administerStore(drive.store, caller, { command: 'removeGroup', input })
  },
  'members.list'({ drive, path, page }) {
    const email = idIn({ path }, 'email')
    const group = findGroup(drive.store.read, email)
    if (group === undefined) throw notFound('Group', email)
    return listAnswer(pageOfMembers(drive.store.read, group, page), (member) => ({
      email: member.email,
      name: member.name,
    }))
  },
  async 'members.insert'({ drive, caller, path, body }) {
    const input = { group: idIn({ path }, 'email'), members: body.members }
    return describeGroup(
      await administerStore<GroupFacts>(drive.store, caller, { command: 'addMembers', input }),
    )
  },
  async 'members.delete'({ drive, caller, path }) {
    const input = { group: idIn({ path }, 'email'), members: [idIn({ path }, 'member')] }
    await administerStore(drive.store, caller, { command: 'removeMembers', input })
  },
}

/** Empty: none from now on. @throws 400 — too short, or too long; 429 */
async function passwordStep(email: string, password: string): Promise<AdministrativeStep> {
  const hash = password === '' ? null : await hashPassword(password)
  return { command: 'setPassword', input: { email, hash } }
}

/** @throws 404 */
export function userNamed(db: Database, email: string): UserFacts {
  const user = findUser(db, email)
  if (user === undefined) throw notFound('User', email)
  return user
}

function describeUser({ id, email, name, ...facts }: UserFacts) {
  return {
    id,
    email,
    name,
    isAdmin: facts.is_admin === 1,
    isDisabled: facts.is_disabled === 1,
    hasPassword: facts.has_password === 1,
    quotaBytes: facts.quota,
    usedBytes: facts.used,
  }
}

function describeGroup({ id, email, name, members, is_disabled }: GroupFacts) {
  return { id, email, name, members, isDisabled: is_disabled === 1 }
}
