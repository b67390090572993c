/** Groups, and who is in them. */
import { confirmed } from '../../../web/page/dialog.ts'
import { button, element } from '../../../web/page/elements.ts'
import { describeCount } from '../count.ts'
import { formatPlace } from '../place.ts'
import { attempt } from '../talk.ts'
import { adminListing } from './admin-list.ts'
import { field, formOf, textIn } from './fields.ts'
import { type AdminGroup, adminPath, askAdmin } from './requests.ts'

export function groupsView(): Node[] {
  const { node, reload } = adminListing<AdminGroup>({
    path: 'groups',
    what: 'group',
    columns: ['Address', 'Name', 'Members', 'Actions'],
    row: describeGroup,
    search: { name: 'prefix', label: 'Address begins with' },
  })
  const email = field('email-new', 'E-mail address', { type: 'email', required: true })
  const name = field('name-new', 'Name')
  const form = formOf('Add group', [email.node, name.node], () => {
    const given = { email: email.input.value.trim(), name: textIn(name) }
    void attempt(`${given.email} is a group now.`, async () => {
      await askAdmin('groups', {}, given)
      form.reset()
      await reload()
    })
  })
  return [form, node]
}

function describeGroup({ email, name, members, isDisabled }: AdminGroup, reload: () => Promise<void>) {
  const path = adminPath('groups', email)
  const toggle = () =>
    attempt(`${email} is ${isDisabled ? 'in use again' : 'disabled'}.`, async () => {
      await askAdmin(path, {}, { isDisabled: !isDisabled }, 'PATCH')
      await reload()
    })
  const remove = async () => {
    const text = 'Whoever has a right by it loses it.'
    if (!(await confirmed(`Remove the group ${email}?`, text, 'Remove'))) return
    await attempt(`${email} is removed.`, async () => {
      await askAdmin(path, {}, undefined, 'DELETE')
      await reload()
    })
  }
  const verb = isDisabled ? 'Enable' : 'Disable'
  return [
    element('a', { href: formatPlace({ kind: 'admin', tab: `group:${email}` }) }, email),
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

/** Of one group. */
export function membersView(group: string): Node[] {
  const path = `${adminPath('groups', group)}/members`
  const { node, reload } = adminListing<{ readonly email: string; readonly name: string }>({
    path,
    what: 'member',
    columns: ['Address', 'Name', 'Actions'],
    row: ({ email, name }, again) => {
      const remove = () =>
        attempt(`${email} is no longer in it.`, async () => {
          await askAdmin(`${path}/${encodeURIComponent(email)}`, {}, undefined, 'DELETE')
          await again()
        })
      return [
        email,
        name === email ? '' : name,
        button('Remove', () => void remove(), { 'aria-label': `Remove ${email}` }),
      ]
    },
  })
  const member = field('member-new', 'Address of a user', { type: 'email', required: true })
  const form = formOf('Add member', [member.node], () => {
    const email = member.input.value.trim()
    void attempt(`${email} is in the group now.`, async () => {
      await askAdmin(path, {}, { members: [email] })
      form.reset()
      await reload()
    })
  })
  return [form, node]
}
