/** Keys of the page: shortcuts of its buttons, and lists of items as one tab stop with arrow keys. */
import { openNote } from '../../web/page/dialog.ts'
import { element, part } from '../../web/page/elements.ts'

/** Marks the button or box of a shortcut; the same attribute tells it to screen readers. */
export function withShortcut(tool: HTMLElement, key: string): HTMLElement {
  const target = tool.matches('button, input') ? tool : tool.querySelector('.opener, button')
  target?.setAttribute('aria-keyshortcuts', key)
  return tool
}

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['/', 'search'],
  ['n', 'new folder or rule'],
  ['u', 'upload'],
  ['↓ ↑ Home End', 'go through the list'],
  ['→ ←', 'box, name and menu of an item'],
  ['Enter', 'open the item'],
  ['Space', 'select the item'],
  ['Delete', 'move the item, or what is selected, to the trash'],
  ['?', 'show these keys'],
]

/** Installs the shortcuts; call it once. */
export function watchKeys(): void {
  withShortcut(part('search'), '/')
  withShortcut(part('show-keys'), '?')
  part('show-keys').addEventListener('click', showKeys)
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event.target))
      return
    if (event.key === 'ArrowDown' && isOutsideLists()) return enterList(event)
    const owner = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find(
      (one) => one.getAttribute('aria-keyshortcuts') === event.key && one.checkVisibility(),
    )
    if (owner === undefined) return
    event.preventDefault()
    if (owner instanceof HTMLInputElement) owner.select()
    owner.focus({ preventScroll: owner instanceof HTMLButtonElement })
    if (owner instanceof HTMLButtonElement) owner.click()
  })
}

/** True where the key has its own effect: in a text, and while a dialog or menu is open. */
function isTaken(target: EventTarget | null): boolean {
  return (
    (target instanceof Element &&
      target.closest('input:not([type="checkbox"]), textarea, select') !== null) ||
    document.querySelector('dialog:modal, :popover-open') !== null
  )
}

function isOutsideLists(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.id === 'title'
}

function enterList(event: KeyboardEvent): void {
  const stop = document.querySelector<HTMLElement>('.files tbody [tabindex="0"]')
  if (stop === null) return
  event.preventDefault()
  stop.focus()
}

function showKeys(): void {
  const rows = KEYS.map(([key, does]) =>
    element('div', {}, element('dt', {}, element('kbd', {}, key)), element('dd', {}, does)),
  )
  openNote('Keyboard', [element('dl', { class: 'facts' }, ...rows)])
}

const CONTROLS = 'input, a, .opener'

/**
 * Makes the rows of a list one tab stop. `current` is the index of the row to begin with. `remove` runs on Delete with
 * the index of the row.
 */
export function roveRows(rows: readonly HTMLElement[], current: number, remove: (at: number) => void): void {
  const controls = rows.map((row) => [...row.querySelectorAll<HTMLElement>(CONTROLS)])
  let stop = rows[current]?.querySelector<HTMLElement>('a') ?? undefined
  for (const control of controls.flat()) control.tabIndex = control === stop ? 0 : -1
  const moveTo = (target: HTMLElement | undefined, event: KeyboardEvent) => {
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  }
  for (const [at, row] of rows.entries()) {
    row.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.matches(CONTROLS)) return
      if (stop !== undefined) stop.tabIndex = -1
      stop = target
      stop.tabIndex = 0
    })
    row.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (!(event.target instanceof HTMLElement)) return
      const own = controls[at] ?? []
      const column = own.indexOf(event.target)
      // in the row's open menu
      if (column < 0) return
      const goTo = (index: number) => moveTo(controls[index]?.[column], event)
      switch (event.key) {
        case 'ArrowDown':
          return goTo(at + 1)
        case 'ArrowUp':
          return goTo(at - 1)
        case 'Home':
          return goTo(0)
        case 'End':
          return goTo(rows.length - 1)
        case 'ArrowRight':
          return moveTo(own[column + 1], event)
        case 'ArrowLeft':
          return moveTo(own[column - 1], event)
        case ' ':
          if (!event.target.matches('a')) return
          event.preventDefault()
          return own.find((control) => control.matches('input'))?.click()
        case 'Delete':
          event.preventDefault()
          return remove(at)
      }
    })
  }
}
