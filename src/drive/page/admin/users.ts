/** Users: adding, changing, disabling and removing them; groups and their members. */
import { confirmed, openDialog } from '../../../web/page/dialog.ts'
import { button, element, hint } from '../../../web/page/elements.ts'
import { type MenuEntry, menuButton } from '../../../web/page/menu.ts'
import { sizeText } from '../../../web/page/size.ts'
import { say } from '../panel.ts'
import {
  type AdminGroup,
  type AdminUser,
  adminListing,
  adminPath,
  askAdmin,
  change,
  checkField,
  field,
  fieldGrid,
  formButton,
  passwordField,
  quotaField,
  readQuota,
  textIn,
} from './admin-list.ts'
import { describeCount } from '../answers.ts'
import { formatRoute } from '../route.ts'
import { fetchWays } from '../service.ts'

export function usersView(): Node[] {
  const { node, reload } = adminListing<AdminUser>({
    path: 'users',
    what: 'user',
    columns: ['Address', 'Name', 'Used', 'Rights', 'Actions'],
    row: describeUser,
    search: { name: 'prefix', label: 'Address begins with' },
  })
  const note = element('div')
  const changed = async () => {
    await Promise.all([reload(), showNewStore(note)])
  }
  void showNewStore(note)
  return [note, formButton('Add user', () => addUser(changed)), node]
}

/** Leads the operator of a new store to the first accounts; clears the note once an account has a password. */
async function showNewStore(note: HTMLElement): Promise<void> {
  // the form works without it
  const { isNew = false } = await fetchWays().catch(() => ({ isNew: false }))
  const text =
    'No account has a password yet. Add one for yourself, as administrator and with a password, and one for each colleague.'
  note.replaceChildren(...(isNew ? [element('p', { class: 'note' }, text)] : []))
}

function addUser(reload: () => Promise<void>): void {
  const email = field('email-new', 'E-mail address', { type: 'email', required: true })
  const name = field('name-new', 'Name')
  const password = passwordField('Password')
  const admin = checkField('admin-new', 'Administrator')
  openDialog('New user', [fieldGrid(email, name, password), admin.node], {
    text: 'Add',
    act: async () => {
      const given = {
        email: textIn(email),
        name: textIn(name),
        password: password.input.value || undefined,
        isAdmin: admin.input.checked,
      }
      await askAdmin('users', {}, given)
      await reload()
      say(`${given.email} is a user now.`)
    },
  })
}

function describeUser(user: AdminUser, reload: () => Promise<void>) {
  const { email, name, usedBytes, quotaBytes } = user
  const quota = quotaBytes === null ? '' : ` of ${sizeText(quotaBytes)}`
  const entries = () => actionsFor(user, reload)
  return [
    email,
    name === email ? '' : name,
    `${sizeText(usedBytes)}${quota}`,
    describeRights(user),
    menuButton('Actions', `Actions for ${email}`, entries),
  ]
}

function describeRights({ isAdmin, isDisabled, hasPassword }: AdminUser): string {
  if (isDisabled) return 'none: disabled'
  return `${isAdmin ? 'administrator' : 'user'}${hasPassword ? '' : ', no password'}`
}

function actionsFor(user: AdminUser, reload: () => Promise<void>): MenuEntry[] {
  const { email, isDisabled } = user
  const [verb, done] = isDisabled
    ? ['Enable', 'may use the store again']
    : ['Disable', 'may no longer use the store']
  const body = { isDisabled: !isDisabled }
  const toggle = () => change(`${email} ${done}.`, reload, adminPath('users', email), {}, body, 'PATCH')
  return [
    { text: 'Change', press: () => changeUser(user, reload) },
    { text: 'Set password', press: () => choosePassword(email, reload) },
    { text: verb, press: () => void toggle() },
    { text: 'Remove', press: () => removeUser(email, reload) },
  ]
}

function changeUser({ email, name, quotaBytes, isAdmin }: AdminUser, reload: () => Promise<void>): void {
  const [called, quota] = [
    field('name-user', 'Name', { value: name, required: true }),
    quotaField(quotaBytes),
  ]
  const admin = checkField('admin-user', 'Administrator', isAdmin)
  openDialog(`Change ${email}`, [fieldGrid(called, quota), admin.node], {
    text: 'Change',
    act: async () => {
      const body = { name: textIn(called), quotaBytes: readQuota(quota), isAdmin: admin.input.checked }
      await askAdmin(adminPath('users', email), {}, body, 'PATCH')
      say(`${email} is changed.`)
      await reload()
    },
  })
}

function choosePassword(email: string, reload: () => Promise<void>): void {
  const password = passwordField('New password')
  const text =
    'A new password ends all sessions opened with the old one. Leave it empty to stop the user from signing in with a password.'
  openDialog(`Password of ${email}`, [hint(text), fieldGrid(password)], {
    text: 'Set password',
    act: async () => {
      const { value } = password.input
      await askAdmin(adminPath('users', email), {}, { password: value }, 'PATCH')
      say(`${email} has ${value === '' ? 'no' : 'another'} password now.`)
      await reload()
    },
  })
}

function removeUser(email: string, reload: () => Promise<void>): void {
  const heir = field('heir', 'Files and drives go to', {
    type: 'email',
    placeholder: 'address of another user',
  })
  const files = checkField('delete-files', 'Delete the files')
  const text = 'A new account can use this address later, but gets none of the old rights.'
  const body = [element('p', {}, text), fieldGrid(heir), files.node]
  openDialog(`Remove ${email}?`, body, {
    text: 'Remove',
    act: async () => {
      const query = { giveTo: textIn(heir), deleteFiles: files.input.checked }
      await askAdmin(adminPath('users', email), query, undefined, 'DELETE')
      say(`${email} is removed.`)
      await reload()
    },
  })
}

export function groupsView(): Node[] {
  const { node, reload } = adminListing<AdminGroup>({
    path: 'groups',
    what: 'group',
    columns: ['Address', 'Name', 'Members', 'Actions'],
    row: describeGroup,
    search: { name: 'prefix', label: 'Address begins with' },
  })
  return [formButton('Add group', () => addGroup(reload)), node]
}

function addGroup(reload: () => Promise<void>): void {
  const email = field('email-new', 'E-mail address', { type: 'email', required: true })
  const name = field('name-new', 'Name')
  openDialog('New group', [fieldGrid(email, name)], {
    text: 'Add',
    act: async () => {
      const given = { email: textIn(email), name: textIn(name) }
      await askAdmin('groups', {}, given)
      await reload()
      say(`${given.email} is a group now.`)
    },
  })
}

function describeGroup({ email, name, members, isDisabled }: AdminGroup, reload: () => Promise<void>) {
  const path = adminPath('groups', email)
  const done = `${email} is ${isDisabled ? 'in use again' : 'disabled'}.`
  const toggle = () => change(done, reload, path, {}, { isDisabled: !isDisabled }, 'PATCH')
  const remove = async () => {
    const text = 'Its members lose the access they have through it.'
    if (!(await confirmed(`Remove the group ${email}?`, text, 'Remove'))) return
    await change(`${email} is removed.`, reload, path, {}, undefined, 'DELETE')
  }
  const verb = isDisabled ? 'Enable' : 'Disable'
  return [
    element('a', { href: formatRoute({ kind: 'admin', tab: `group:${email}` }) }, email),
    name === email ? '' : name,
    `${describeCount(members, 'member')}${isDisabled ? ', disabled' : ''}`,
    element(
      'span',
      { class: 'actions' },
      button(verb, () => void toggle(), { 'aria-label': `${verb} ${email}` }),
      button('Remove', () => void remove(), { 'aria-label': `Remove ${email}` }),
    ),
  ]
}

export function membersView(group: string): Node[] {
  const path = `${adminPath('groups', group)}/members`
  const { node, reload } = adminListing<{ readonly email: string; readonly name: string }>({
    path,
    what: 'member',
    columns: ['Address', 'Name', 'Actions'],
    row: ({ email, name }, again) => {
      const own = `${path}/${encodeURIComponent(email)}`
      const remove = () => change(`${email} is no longer a member.`, again, own, {}, undefined, 'DELETE')
      return [
        email,
        name === email ? '' : name,
        button('Remove', () => void remove(), { 'aria-label': `Remove ${email}` }),
      ]
    },
  })
  const add = () => {
    const member = field('member-new', 'Address of a user', { type: 'email', required: true })
    openDialog(`New member of ${group}`, [fieldGrid(member)], {
      text: 'Add',
      act: async () => {
        const email = textIn(member)
        await askAdmin(path, {}, { members: [email] })
        await reload()
        say(`${email} is in the group now.`)
      },
    })
  }
  return [formButton('Add member', add), node]
}
