/** Creates and finds elements of a page. Text is never parsed as HTML. */

export type Child = Node | string | undefined

interface Attributes {
  readonly [name: string]: string | boolean | undefined
}

/** `false` and `undefined` omit an attribute, `true` writes it without a value. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children.filter((child) => child !== undefined))
  return made
}

export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', press)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** Line drawing of 24 by 24, hidden from screen readers. `kind` is its class. */
export function icon(kind: string, lines: string): SVGElement {
  const [made, path] = [document.createElementNS(SVG, 'svg'), document.createElementNS(SVG, 'path')]
  for (const [name, value] of [
    ['viewBox', '0 0 24 24'],
    ['class', `icon ${kind}`],
    ['aria-hidden', 'true'],
  ] as const)
    made.setAttribute(name, value)
  path.setAttribute('d', lines)
  made.append(path)
  return made
}

/** Input with its label, kept on one line. */
export function labelled(id: string, label: string, box: HTMLElement): HTMLElement {
  return element('span', { class: 'field' }, element('label', { for: id }, label), box)
}

/** Line that explains, in smaller print. */
export function hint(text: string): HTMLElement {
  return element('p', { class: 'hint' }, text)
}

/** Form that `send` handles in place of the browser. */
export function formFor(
  send: () => void,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLFormElement {
  const made = element('form', attributes, ...children)
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    send()
  })
  return made
}

/** Choice between values, each with its text. */
export function choice(
  attributes: Attributes,
  options: Iterable<readonly [value: string, text: string]>,
  chosen?: string,
): HTMLSelectElement {
  const made = [...options].map(([value, text]) =>
    element('option', { value, selected: value === chosen }, text),
  )
  return element('select', attributes, ...made)
}

/** Element with this id and type. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${kind.name} ${id}`)
}

export function part(id: string): HTMLElement {
  return byId(id, HTMLElement)
}

export interface Column {
  readonly title: string
  readonly style?: string
  /** Control for sorting, in place of the title. */
  readonly sorter?: HTMLElement
  readonly sorted?: 'ascending' | 'descending' | undefined
}

/** Table whose first column names the rows. A column may be given by its title alone. */
export function table(
  caption: string,
  given: readonly (Column | string)[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  const columns = given.map((one): Column => (typeof one === 'string' ? { title: one } : one))
  const titles = columns.map(({ title, sorter, sorted }) =>
    element('th', { scope: 'col', 'aria-sort': sorted }, sorter ?? title),
  )
  const head = element('tr', {}, ...titles)
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, at) =>
        at === 0
          ? element('th', { scope: 'row', 'data-title': columns[at]?.title }, cell)
          : element('td', { class: columns[at]?.style, 'data-title': columns[at]?.title }, cell),
      ),
    ),
  )
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption },
    element(
      'table',
      { class: columns.length > 3 ? 'titled' : undefined },
      element('caption', {}, element('h3', {}, caption)),
      element('thead', {}, head),
      element('tbody', {}, ...body),
    ),
  )
}
