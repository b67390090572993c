/** A part of the page that is asked for by itself, and again after each change. */
import { element } from '../../web/page/elements.ts'
import { describeError } from './service.ts'

export interface Panel {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

export function panel(title: string, load: (reload: () => Promise<void>) => Promise<Node[]>): Panel {
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`
  const heading = element('h3', { id, tabindex: '-1' }, title)
  const body = element('div', { 'aria-busy': 'true' })
  const node = element('section', { 'aria-labelledby': id }, heading, body)
  const reload = async () => {
    const made = await load(reload).catch((error: unknown) => [
      element('p', { class: 'problem' }, describeError(error)),
    ])
    const drafts = draftsIn(body)
    refill(body, made, heading)
    for (const text of body.querySelectorAll('textarea')) text.value = drafts.get(text.id) ?? ''
    body.removeAttribute('aria-busy')
  }
  void reload()
  return { node, reload }
}

/** Who is in it with the keyboard is not left nowhere. */
export function refill(box: HTMLElement, made: readonly Node[], heading: HTMLElement): void {
  const wasHere = box.contains(document.activeElement)
  box.replaceChildren(...made)
  if (wasHere) heading.focus()
}

/** What somebody is about to say: id of the box -> text. */
function draftsIn(body: HTMLElement): ReadonlyMap<string, string> {
  return new Map([...body.querySelectorAll('textarea')].map((text) => [text.id, text.value]))
}
