/** Who may do what with an item, and giving it to others. */
import { button, element, table } from '../../../web/page/elements.ts'
import type { PageItem, Permission } from '../answers.ts'
import { call, callAll } from '../service.ts'
import { attempt, dateText, say } from '../talk.ts'

/** Word of the interface -> what it lets do. */
const ROLES = { reader: 'can view', commenter: 'can comment', writer: 'can edit' } as const
const OTHER: Readonly<Record<string, string>> = {
  owner: 'owner',
  organizer: 'organizer',
  fileOrganizer: 'file organizer',
}

const GRANTEES = {
  user: 'a person',
  group: 'a group',
  domain: 'everyone in a domain',
  anyone: 'anyone with the link',
} as const

export async function sharing(item: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  if (item.capabilities['canShare'] !== true)
    return [element('p', { class: 'hint' }, 'Only people who can share this see who has access.')]
  const path = `files/${encodeURIComponent(item.id)}/permissions`
  const all = await callAll<Permission>(path)
  const rows = all.map((permission) => permissionRow(permission, path, reload))
  const columns = ['Who', 'Access', 'Actions'].map((title) => ({ title }))
  return [
    table(all.length === 1 ? 'Not shared' : `${all.length} entries`, columns, rows),
    shareForm(path, reload),
  ]
}

function permissionRow(permission: Permission, path: string, reload: () => Promise<void>) {
  const { id, expirationDate, permissionDetails = [] } = permission
  const [name, role] = [describeGrantee(permission), readRole(permission)]
  const who = isUnknown(permission) ? `${name} (no account yet)` : name
  const own = `${path}/${encodeURIComponent(id)}`
  const isInherited = permissionDetails.length > 0 && permissionDetails.every(({ inherited }) => inherited)
  const until = expirationDate === undefined ? '' : ` until ${dateText(expirationDate)}`
  if (isInherited || !(role in ROLES))
    return [who, `${describeRole(role)}${until}${isInherited ? ', inherited from a folder' : ''}`, '']
  const change = (chosen: string) =>
    attempt(`${who} ${describeRole(chosen)}.`, () => call(own, {}, permissionBody(chosen), 'PATCH')).then(
      reload,
    )
  const remove = () =>
    attempt(`${who} no longer has access.`, () => call(own, {}, undefined, 'DELETE')).then(reload)
  return [
    who,
    element('span', {}, roleChoice(role, { 'aria-label': `Access of ${who}` }, change), until),
    button('Remove', () => void remove(), { 'aria-label': `Remove ${who}` }),
  ]
}

function roleChoice(
  chosen: string,
  attributes: Readonly<Record<string, string>>,
  change?: (role: string) => Promise<void>,
): HTMLSelectElement {
  const made = choice(ROLES, chosen, attributes)
  made.addEventListener('change', () => void change?.(made.value))
  return made
}

function choice(
  words: Readonly<Record<string, string>>,
  chosen: string,
  attributes: Readonly<Record<string, string>>,
): HTMLSelectElement {
  const options = Object.entries(words).map(([value, text]) =>
    element('option', { value, selected: value === chosen }, text),
  )
  return element('select', attributes, ...options)
}

function shareForm(path: string, reload: () => Promise<void>): HTMLElement {
  const who = choice(GRANTEES, 'user', { id: 'share-type' })
  const value = element('input', { id: 'share-value', autocomplete: 'off', required: true })
  const label = element('label', { for: 'share-value' }, 'Address')
  const role = roleChoice('reader', { id: 'share-role' })
  who.addEventListener('change', () => {
    for (const part of [label, value]) part.hidden = who.value === 'anyone'
    value.required = who.value !== 'anyone'
    label.textContent = who.value === 'domain' ? 'Domain' : 'Address'
  })
  const form = element(
    'form',
    { class: 'row' },
    element('label', { for: 'share-type' }, 'Share with'),
    who,
    label,
    value,
    element('label', { for: 'share-role' }, 'Access'),
    role,
    element('button', {}, 'Share'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const given = {
      type: who.value,
      ...(who.value === 'anyone' ? { withLink: true } : { value: value.value.trim() }),
    }
    const query = { sendNotificationEmails: false }
    void attempt(undefined, async () => {
      say('')
      const made = await call<Permission>(path, query, { ...given, ...permissionBody(role.value) })
      await reload()
      say(
        isUnknown(made)
          ? `Shared with ${describeGrantee(made)}, who has no account here yet: they can open it once the address has one.`
          : 'Shared.',
      )
    })
  })
  return form
}

/** An address that no account has: it may be a slip of the keyboard. */
function isUnknown({ type, name }: Permission): boolean {
  return (type === 'user' || type === 'group') && name === undefined
}

/** To the interface a commenter is a reader who may do something more. */
function permissionBody(role: string) {
  return role === 'commenter'
    ? { role: 'reader', additionalRoles: ['commenter'] }
    : { role, additionalRoles: [] }
}

function readRole({ role, additionalRoles = [] }: Permission): string {
  return additionalRoles.includes('commenter') ? 'commenter' : role
}

function describeRole(role: string): string {
  const words: Readonly<Record<string, string>> = { ...OTHER, ...ROLES }
  return Object.hasOwn(words, role) ? (words[role] ?? role) : role
}

function describeGrantee({ type, name, emailAddress, domain }: Permission): string {
  if (type === 'anyone') return GRANTEES.anyone
  if (type === 'domain') return `everyone in ${domain ?? name ?? ''}`
  if (emailAddress === undefined) return name ?? ''
  return name === undefined || name === emailAddress ? emailAddress : `${name} (${emailAddress})`
}
