/** Shows typings as text: lines break between names, and long texts are expanded on demand. */
import { button, element } from '../../../web/page/elements.ts'

const MAX_TEXT_LENGTH = 400

export function typingText(text: string): HTMLElement {
  if (text.length <= MAX_TEXT_LENGTH) return element('span', {}, ...breakable(text))
  const end = text.lastIndexOf('/', MAX_TEXT_LENGTH) + 1 || MAX_TEXT_LENGTH
  const shown = element('span', {}, ...breakable(text.slice(0, end)), '… ')
  const title = `show all ${text.length.toLocaleString('en')} characters`
  shown.append(button(title, () => shown.replaceChildren(...breakable(text)), { class: 'small' }))
  return shown
}

/** Inserts break opportunities after the operators of GL Strings, where browsers do not break. */
function breakable(text: string): (string | HTMLElement)[] {
  return text.split(/(?<=[/+^|~?])/).flatMap((piece, at) => (at === 0 ? [piece] : [element('wbr'), piece]))
}
