/** Collapsible parts of an answer. A part opened by the reader stays open for later typings. */
import { element } from '../../../web/page/elements.ts'

const unfolded = new Set<string>()

/** `key` is equal for the same part of every typing. */
export function fold(key: string, title: string, ...content: readonly Node[]): HTMLElement {
  const box = element('details', { open: unfolded.has(key) }, element('summary', {}, title), ...content)
  box.addEventListener('toggle', () => (box.open ? unfolded.add(key) : unfolded.delete(key)))
  return box
}
