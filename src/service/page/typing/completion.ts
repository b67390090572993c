/** Completes names of the release while typing; select with the arrow keys and Enter, or by click. */
import { element, part } from '../../../web/page/elements.ts'
import { isFailed, type Similar, type PageOutcome } from '../answers.ts'
import { ask } from '../service.ts'

const [MOST, PAUSE_MS] = [8, 120]
/** Text that the service can complete: a locus and the start of a first field. */
const BEGINNING = /^(?:HLA-)?[A-Z\d]+\*\d[\d:A-Z]*$/i

interface PartialName {
  readonly text: string
  readonly start: number
  readonly end: number
}

export function completeNames(box: HTMLTextAreaElement): void {
  const list = part('completion')
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    turn += 1
    clearTimeout(timer)
    list.replaceChildren()
    list.hidden = true
    box.removeAttribute('aria-activedescendant')
  }
  const take = (name: string) => {
    const begun = begunName(box)
    hide()
    if (begun === undefined) return
    box.setRangeText(name, begun.start, begun.end, 'end')
    box.focus()
  }
  const offer = async () => {
    const begun = begunName(box)
    if (begun === undefined) return hide()
    const mine = (turn += 1)
    const names = await namesLike(begun.text)
    if (mine !== turn || begunName(box)?.text !== begun.text) return
    if (names.length === 0 || (names.length === 1 && names[0] === begun.text)) return hide()
    list.replaceChildren(...names.map((name, at) => option(name, at, take)))
    list.hidden = false
    box.removeAttribute('aria-activedescendant')
  }
  box.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void offer(), PAUSE_MS)
  })
  box.addEventListener('blur', hide)
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const active = list.querySelector('[aria-selected="true"]')
    if (event.key === 'Enter') {
      // discards suggestions still on their way
      hide()
      if (active === null) return
      take(active.textContent ?? '')
    } else if (list.hidden) return
    else if (event.key === 'Escape') hide()
    else if (event.key === 'ArrowDown') activate(box, list, 1)
    else if (event.key === 'ArrowUp') activate(box, list, -1)
    else return
    event.preventDefault()
  })
}

function option(name: string, at: number, take: (name: string) => void): HTMLElement {
  const made = element('li', { role: 'option', id: `completion-${at}`, 'aria-selected': 'false' }, name)
  // runs before the box loses the focus
  made.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    take(name)
  })
  return made
}

function activate(box: HTMLElement, list: HTMLElement, step: number): void {
  const all = [...list.children]
  const at = all.findIndex((one) => one.getAttribute('aria-selected') === 'true')
  const next = all.at((at === -1 && step < 0 ? step : at + step) % all.length)
  for (const one of all) one.setAttribute('aria-selected', String(one === next))
  if (next !== undefined) box.setAttribute('aria-activedescendant', next.id)
}

/** Name that ends at the cursor. */
function begunName({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): PartialName | undefined {
  if (selectionStart !== selectionEnd || /^[^|^+~/?\s]/.test(value.slice(selectionEnd))) return undefined
  const text = /[^|^+~/?\s]*$/.exec(value.slice(0, selectionStart))?.[0] ?? ''
  return BEGINNING.test(text) ? { text, start: selectionStart - text.length, end: selectionStart } : undefined
}

/** Suggestions; empty on errors, since typing works without them. */
async function namesLike(prefix: string): Promise<readonly string[]> {
  try {
    const [outcome] = (await ask([{ op: 'similar', prefix, limit: MOST }])) as PageOutcome<Similar>[]
    return outcome === undefined || isFailed(outcome) ? [] : (outcome.similar ?? [])
  } catch {
    return []
  }
}
