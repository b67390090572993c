/** A part of the page that is asked for by itself, and again after each change. */
import { element } from '../../page/elements.ts'
import { wordsOf } from './service.ts'

export interface Panel {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

export function panel(title: string, load: (reload: () => Promise<void>) => Promise<Node[]>): Panel {
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`
  const body = element('div', { 'aria-busy': 'true' })
  const node = element('section', { 'aria-labelledby': id }, element('h3', { id }, title), body)
  const reload = async () => {
    try {
      body.replaceChildren(...(await load(reload)))
    } catch (error) {
      body.replaceChildren(element('p', { class: 'problem' }, wordsOf(error)))
    }
    body.removeAttribute('aria-busy')
  }
  void reload()
  return { node, reload }
}
