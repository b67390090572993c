/** A button that opens a list of things to do. It lies above everything, and closes as browsers close such lists. */
import { button, element } from './elements.ts'

export interface MenuEntry {
  readonly text: string
  readonly press: () => void
}

/** `entries` are asked for when it opens. `label`: of whom, for those who do not see where the button stands. */
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
  return element('span', {}, opener, list)
}

function open(opener: HTMLElement, list: HTMLElement, entries: readonly MenuEntry[]): void {
  const buttons = entries.map(({ text, press }) =>
    button(text, () => {
      list.hidePopover()
      press()
    }),
  )
  list.replaceChildren(...buttons)
  list.showPopover()
  const place = opener.getBoundingClientRect()
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
