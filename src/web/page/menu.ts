/** Button that opens a menu above the page, using the browser's popover. */
import { button, element } from './elements.ts'

export interface MenuEntry {
  readonly text: string
  readonly press: () => void
}

/** `entries` is called when the menu opens. `label` names the item the menu is for, for screen readers. */
export function menuButton(text: string, label: string, entries: () => readonly MenuEntry[]): HTMLElement {
  const list = element('div', { popover: 'auto', class: 'menu', role: 'group', 'aria-label': label })
  const opener = button(text, () => open(opener, list, entries()), {
    class: 'opener',
    'aria-label': label,
    'aria-expanded': 'false',
  })
  list.addEventListener('toggle', (event) => {
    const isOpen = event.newState === 'open'
    opener.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen && list.contains(document.activeElement)) opener.focus()
  })
  list.addEventListener('keydown', (event) => moveFocus(event, list))
  const made = element('span', {}, opener, list)
  made.addEventListener(OPEN, (event) => {
    if (event instanceof MouseEvent) open(opener, list, entries(), event)
  })
  return made
}

const OPEN = 'open-menu'

/** Opens the menu of the area's button on a right click. */
export function opensMenu(area: HTMLElement): void {
  area.addEventListener('contextmenu', (event) => {
    const { clientX, clientY } = event
    const menu = area.querySelector('.opener')?.parentElement
    if (menu === null || menu === undefined) return
    event.preventDefault()
    menu.dispatchEvent(new MouseEvent(OPEN, { clientX, clientY }))
  })
}

/** `at` is the pointer position; without it the menu opens below its button. */
function open(opener: HTMLElement, list: HTMLElement, entries: readonly MenuEntry[], at?: MouseEvent): void {
  const buttons = entries.map(({ text, press }) =>
    button(text, () => {
      list.hidePopover()
      press()
    }),
  )
  list.replaceChildren(...buttons)
  list.showPopover()
  const place = at === undefined ? opener.getBoundingClientRect() : new DOMRect(at.clientX, at.clientY, 0, 0)
  const { offsetWidth: width, offsetHeight: height } = list
  const below = place.bottom + height < innerHeight
  list.style.left = `${Math.max(4, Math.min(place.left, document.documentElement.clientWidth - width - 4))}px`
  list.style.top = `${below ? place.bottom + 2 : Math.max(4, place.top - height - 2)}px`
  buttons[0]?.focus()
}

function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const all = [...list.querySelectorAll('button')]
  const at = all.findIndex((one) => one === document.activeElement)
  all.at((at + step) % all.length)?.focus()
}
