/** Credentials other than passwords: tokens made by hand, and keys of service accounts. */
import { confirmed, openDialog } from '../../../web/page/dialog.ts'
import { button, choice, element, hint, labelled } from '../../../web/page/elements.ts'
import { copyBox, dateText } from '../panel.ts'
import {
  type AdminKey,
  type AdminToken,
  adminListing,
  adminPath,
  askAdmin,
  change,
  field,
  fieldGrid,
  formButton,
  textIn,
} from './admin-list.ts'

/** Scopes offered here; the command line offers all. */
const SCOPES = {
  drive: 'everything',
  'drive.readonly': 'reading',
  'drive.file': 'its own files',
} as const
const DAY = 86_400

export function keysView(): Node[] {
  const tokens = adminListing<AdminToken>({
    path: 'tokens',
    what: 'token',
    columns: ['For', 'User', 'Access', 'Made', 'Ends', 'Actions'],
    row: describeToken,
    search: { name: 'user', label: 'Address of the user' },
  })
  const keys = adminListing<AdminKey>({
    path: 'keys',
    what: 'key',
    columns: ['Account', 'Key', 'Made', 'Actions'],
    row: describeKey,
  })
  const shown = element('div', { 'aria-live': 'polite' })
  return [
    formButton('Make token', () => makeToken(shown, tokens.reload)),
    shown,
    tokens.node,
    element('h3', {}, 'Keys of service accounts'),
    element(
      'p',
      { class: 'hint' },
      element('code', {}, 'hla drive account add'),
      ' makes an account with a key.',
    ),
    keys.node,
  ]
}

function makeToken(shown: HTMLElement, reload: () => Promise<void>): void {
  const user = field('token-user', 'User', { type: 'email', required: true })
  const label = field('token-label', 'For', { required: true, placeholder: 'what uses it' })
  const days = field('token-days', 'Days', {
    type: 'number',
    min: '1',
    max: '3650',
    required: true,
    value: '90',
  })
  const scope = choice({ id: 'token-scope' }, Object.entries(SCOPES))
  const may = { node: labelled('token-scope', 'Access', scope) }
  openDialog(
    'New token',
    [fieldGrid(user, label, may, days)],
    {
      text: 'Make',
      act: async () => {
        const given = {
          user: user.input.value.trim(),
          label: textIn(label),
          scopes: [scope.value],
          expiresIn: Number(days.input.value) * DAY,
        }
        const { token } = await askAdmin<{ readonly token: string }>('tokens', {}, given)
        shown.replaceChildren(secretNote(token, given.user))
        await reload()
      },
    },
    () => shown.querySelector('input')?.select(),
  )
}

/** Shows a new token until the view is left. */
function secretNote(token: string, user: string): HTMLElement {
  const box = element('input', { id: 'secret', value: token, readonly: true, spellcheck: 'false' })
  return element(
    'div',
    { class: 'note row' },
    element('label', { for: 'secret' }, `Token of ${user}`),
    box,
    button('Copy token', () => void copyBox(box, 'token', 'The token is copied.')),
    hint('Copy the token now. It is shown only once, because the store keeps only a digest of it.'),
  )
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SCOPES),
  ['drive.apps.readonly', 'the list of programs'],
])

function describeToken(
  { id, user, scopes, created, expires, label }: AdminToken,
  reload: () => Promise<void>,
) {
  const name = label ?? id.slice(0, 10)
  const revoke = async () => {
    const text = 'Requests with this token are refused from now on, and running ones are stopped.'
    if (!(await confirmed(`Revoke the token ${name} of ${user}?`, text, 'Revoke'))) return
    const done = `The token ${name} of ${user} is revoked.`
    await change(done, reload, adminPath('tokens', id), {}, undefined, 'DELETE')
  }
  return [
    name,
    user,
    scopes.map((scope) => NAMES.get(scope) ?? scope).join(', '),
    dateText(created),
    expires === null ? 'never' : dateText(expires),
    button('Revoke', () => void revoke(), { 'aria-label': `Revoke ${name} of ${user}` }),
  ]
}

function describeKey({ id, account, name, created, isDisabled }: AdminKey, reload: () => Promise<void>) {
  const [verb, done] = isDisabled ? ['Enable', 'in use again'] : ['Disable', 'disabled']
  const shown = name ?? id.slice(0, 10)
  const path = adminPath('keys', id)
  const toggle = () =>
    change(`The key ${shown} is ${done}.`, reload, path, {}, { isDisabled: !isDisabled }, 'PATCH')
  const revoke = async () => {
    const text = 'The account can no longer get tokens with this key, and tokens already issued with it end.'
    if (!(await confirmed(`Revoke the key ${shown} of ${account}?`, text, 'Revoke'))) return
    await change(`The key ${shown} is revoked.`, reload, path, {}, undefined, 'DELETE')
  }
  return [
    account,
    `${shown}${isDisabled ? ', disabled' : ''}`,
    created === null ? '' : dateText(created),
    element(
      'span',
      { class: 'actions' },
      button(verb, () => void toggle(), { 'aria-label': `${verb} the key ${shown}` }),
      button('Revoke', () => void revoke(), { 'aria-label': `Revoke the key ${shown}` }),
    ),
  ]
}
