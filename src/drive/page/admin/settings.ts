/** Settings of the store: its name and its limits in groups, saved together. */
import { button, element, formFor, hint, part } from '../../../web/page/elements.ts'
import { type List, describeCount } from '../answers.ts'
import { attempt, panel, say, showStoreName, showTitle } from '../panel.ts'
import { type AdminLimit, adminPath, askAdmin } from './admin-list.ts'

/** The first group whose pattern matches the name of a limit has it; the last has the rest. */
const GROUPS: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'Files and folders',
    /^(?:folder-(?:children|depth)|drive-|title-|description-|property-|app-|file-|free-|pinned-)/,
  ],
  ['Sharing and comments', /^(?:item-permissions|comment-|link-)/],
  ['Signing in and records', /^(?:token-|session-|refresh-|sign-in-|administration-|access-)/],
  ['Rules and tables', /^(?:folder-rules|store-rules|rule-|table-)/],
  ['Requests and uploads', /./],
]

const UNITS: readonly (readonly [unit: string, names: RegExp])[] = [
  ['bytes', /-bytes$/],
  ['characters', /-characters$/],
  ['ms', /-milliseconds$/],
  ['seconds', /-seconds$/],
  ['days', /-days$/],
]

interface LimitField {
  readonly limit: AdminLimit
  readonly input: HTMLInputElement
  readonly node: HTMLElement
}

export function settingsView(): Node[] {
  const load = async (reload: () => Promise<void>) => {
    const { items } = await askAdmin<List<AdminLimit>>('limits')
    return [settingsForm(items.map(limitField), reload)]
  }
  return [panel('Settings of the store', load).node]
}

function settingsForm(fields: readonly LimitField[], reload: () => Promise<void>): HTMLElement {
  const name = element('input', {
    id: 'name-of-store',
    autocomplete: 'off',
    maxlength: '60',
    value: part('store-name').textContent ?? '',
    placeholder: 'Files',
  })
  const before = name.value
  const groups = groupFields(fields).map(([title, group]) =>
    fieldset(
      title,
      group.map(({ node }) => node),
    ),
  )
  const save = () =>
    attempt(undefined, async () => {
      const changed = fields.filter(({ limit, input }) => Number(input.value) !== limit.value)
      const isRenamed = name.value !== before
      if (isRenamed) await askAdmin('name', {}, { name: name.value }, 'PUT')
      for (const { limit, input } of changed) {
        const value = Number(input.value) === limit.standard ? null : Number(input.value)
        await askAdmin(adminPath('limits', limit.name), {}, { value }, 'PUT')
      }
      if (isRenamed) await showStoreName()
      showTitle('Settings')
      await reload()
      say(savedText(changed.length + Number(isRenamed)))
    })
  return formFor(
    () => void save(),
    { class: 'settings' },
    fieldset('Name', [
      element('p', { class: 'setting' }, element('label', { for: name.id }, 'Name of the store'), name),
    ]),
    ...groups,
    element(
      'div',
      { class: 'row save' },
      element('button', { class: 'main' }, 'Save settings'),
      hint('Changes take effect at once unless stated otherwise.'),
    ),
  )
}

function savedText(count: number): string {
  return count === 0
    ? 'Nothing was changed.'
    : `${describeCount(count, 'setting')} ${count === 1 ? 'is' : 'are'} saved.`
}

function fieldset(title: string, nodes: readonly Node[]): HTMLElement {
  return element('fieldset', { class: 'card' }, element('legend', {}, title), ...nodes)
}

function groupFields(fields: readonly LimitField[]): [title: string, fields: LimitField[]][] {
  const groups = GROUPS.map(([title]): [string, LimitField[]] => [title, []])
  for (const field of fields) {
    const at = GROUPS.findIndex(([, names]) => names.test(field.limit.name))
    groups[at]?.[1].push(field)
  }
  return groups
}

function limitField(limit: AdminLimit): LimitField {
  const { name, of, value, standard } = limit
  const id = `limit-${name}`
  const input = element('input', { id, type: 'number', min: '0', required: true, value: String(value) })
  const unit = UNITS.find(([, names]) => names.test(name))?.[0] ?? ''
  const reset = () => {
    input.value = String(standard)
    input.dispatchEvent(new Event('input'))
  }
  const usual = button(`Usual: ${amountText(standard, unit)}`, reset, {
    class: 'small',
    'aria-label': `Usual: ${amountText(standard, unit)}, ${of}`,
  })
  const readable = element('span', { class: 'hint' })
  const update = () => {
    usual.hidden = Number(input.value) === standard
    readable.textContent = unitText(Number(input.value), unit)
  }
  input.addEventListener('input', update)
  update()
  const label = element('label', { for: id, title: name }, of.slice(0, 1).toUpperCase() + of.slice(1))
  return { limit, input, node: element('p', { class: 'setting' }, label, input, readable, usual) }
}

/** `bytes (64 MiB)` */
function unitText(value: number, unit: string): string {
  return unit === 'bytes' && value >= 1024 ? `bytes (${binaryText(value)})` : unit
}

function amountText(value: number, unit: string): string {
  return unit === 'bytes' && value >= 1024
    ? binaryText(value)
    : `${value.toLocaleString('en')} ${unit}`.trim()
}

function binaryText(bytes: number): string {
  const [size, unit] = bytes < 1 << 20 ? [1024, 'KiB'] : bytes < 1 << 30 ? [1 << 20, 'MiB'] : [1 << 30, 'GiB']
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}
