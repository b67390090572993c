/** Lists of the administration: loaded by page, and filtered by the beginning of an address. */
import {
  type Child,
  button,
  element,
  formFor,
  hint,
  labelled,
  part,
  table,
} from '../../../web/page/elements.ts'
import { type List, describeCount } from '../answers.ts'
import { type PagedList, attempt, pagedList, refill } from '../panel.ts'
import { type Query, callAt } from '../service.ts'

export interface AdminListing<Item> {
  readonly path: string
  /** Name of one item, such as `user` in `1 user`. */
  readonly what: string
  readonly columns: readonly string[]
  /** `reload` loads the list again. */
  readonly row: (item: Item, reload: () => Promise<void>) => readonly Child[]
  /** Search: the query parameter, and the label of its box. */
  readonly search?: { readonly name: string; readonly label: string }
}

export function adminListing<Item>(listing: AdminListing<Item>): PagedList {
  const { path, what, columns, row, search } = listing
  let query: Query = {}
  const list = pagedList<Item>({
    style: 'listing',
    control: 'button',
    load: (pageToken) => askAdmin<List<Item>>(path, { ...query, pageToken }),
    show(box, items, more) {
      const count = describeCount(items.length, what)
      const rows = items.map((item) => row(item, list.reload))
      const made = table(more === undefined ? count : `The first ${count}`, columns, rows)
      const none = hint(`${describeCount(0, what).replace('0', 'No')}.`)
      refill(box, items.length === 0 ? [none] : [made, ...(more ?? [])], part('title'))
    },
  })
  const find = (text: string) => {
    query = search === undefined || text === '' ? {} : { [search.name]: text }
    return list.reload()
  }
  const form = search === undefined ? undefined : searchForm(search.label, find)
  void list.reload()
  return { node: element('div', {}, form, list.node), reload: list.reload }
}

function searchForm(label: string, find: (text: string) => Promise<void>): HTMLElement {
  const input = element('input', { id: 'admin-search', type: 'search', autocomplete: 'off' })
  const labels = element('label', { for: 'admin-search' }, label)
  return formOf('Find', [labels, input], () => void find(input.value.trim()))
}

export interface AdminUser {
  readonly email: string
  readonly name: string
  readonly isAdmin: boolean
  readonly isDisabled: boolean
  readonly hasPassword: boolean
  readonly quotaBytes: number | null
  readonly usedBytes: number
}

export interface AdminGroup {
  readonly email: string
  readonly name: string
  readonly members: number
  readonly isDisabled: boolean
}

export interface AdminToken {
  readonly id: string
  readonly user: string
  readonly client: string
  readonly scopes: readonly string[]
  readonly created: string
  readonly expires: string | null
  readonly label: string | null
}

export interface AdminKey {
  readonly id: string
  readonly account: string
  readonly name: string | null
  readonly created: string | null
  readonly isDisabled: boolean
}

export interface AdminLimit {
  readonly name: string
  readonly of: string
  readonly value: number
  readonly standard: number
}

export interface AdminRecord {
  readonly date: string
  /** null for the operator. */
  readonly by: string | null
  readonly command: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** `path` is relative to the administration; a request with a body defaults to POST. */
export function askAdmin<T>(path: string, query: Query = {}, body?: unknown, method?: string): Promise<T> {
  return callAt<T>(`drive/admin/v1/${path}`, query, body, method)
}

/** Changes something of the administration, and says so with `done`. `then` refreshes the view. */
export function change(
  done: string,
  then: () => Promise<unknown>,
  ...asked: Parameters<typeof askAdmin>
): Promise<void> {
  return attempt(done, async () => {
    await askAdmin(...asked)
    await then()
  })
}

export function adminPath(list: string, ...names: readonly string[]): string {
  return [list, ...names.map(encodeURIComponent)].join('/')
}

/** Every user may ask, so that the page sends no request that would be refused. */
export async function isAdministrator(): Promise<boolean> {
  return (await askAdmin<{ readonly isAdministrator: boolean }>('self')).isAdministrator
}

interface Field {
  readonly input: HTMLInputElement
  /** Input with its label, kept on one line. */
  readonly node: HTMLElement
}

type Attributes = Readonly<Record<string, string | boolean | undefined>>

export function field(id: string, label: string, attributes: Attributes = {}): Field {
  const input = element('input', { id, autocomplete: 'off', ...attributes })
  return { input, node: labelled(id, label, input) }
}

export function checkField(id: string, label: string, isChecked = false): Field {
  const input = element('input', { id, type: 'checkbox', checked: isChecked })
  return { input, node: element('label', { class: 'choice' }, input, label) }
}

/** Grid with labels on the left and inputs on the right. */
export function fieldGrid(...fields: readonly Pick<Field, 'node'>[]): HTMLElement {
  return element('div', { class: 'fields' }, ...fields.map(({ node }) => node))
}

/** Form with its fields in one row with the button. */
function formOf(verb: string, fields: readonly Node[], send: () => void): HTMLFormElement {
  return formFor(send, { class: 'row' }, ...fields, element('button', {}, verb))
}

/** Button that opens a form. */
export function formButton(text: string, open: () => void): HTMLElement {
  return element('div', { class: 'row' }, button(text, open))
}

const GB = 1e9

/** An empty field means no limit. */
export function quotaField(quota: number | null): Field {
  const value = quota === null ? '' : String(quota / GB)
  return field('quota', 'Quota (GB)', { type: 'number', min: '0', step: 'any', value, placeholder: 'none' })
}

export function readQuota({ input }: Field): number | null {
  return input.value === '' ? null : Math.round(Number(input.value) * GB)
}

export function passwordField(label: string): Field {
  return field('new-password', label, {
    type: 'password',
    autocomplete: 'new-password',
    minlength: '12',
    maxlength: '1024',
  })
}

/** Trimmed text; undefined if empty. */
export function textIn({ input }: Field): string | undefined {
  const text = input.value.trim()
  return text === '' ? undefined : text
}
