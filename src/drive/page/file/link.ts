/** The address of an item, to be given to others: it opens this page at the item. */
import { button, element } from '../../../web/page/elements.ts'
import { isFolder, type PageItem } from '../answers.ts'
import { formatPlace } from '../place.ts'
import { say } from '../talk.ts'

export function linkRow(item: PageItem): HTMLElement {
  const { id } = item
  const address = new URL(formatPlace({ kind: isFolder(item) ? 'folder' : 'file', id }), location.href).href
  const box = element('input', { id: 'link', value: address, readonly: true })
  box.addEventListener('focus', () => box.select())
  return element(
    'div',
    { class: 'row' },
    element('label', { for: 'link' }, 'Link'),
    box,
    button('Copy link', () => void copy(box)),
  )
}

/** Browsers give the clipboard to pages of https and of this machine: elsewhere it is selected, to be copied by hand. */
async function copy(box: HTMLInputElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(box.value)
    say('The link is copied. It opens for those that this is shared with.')
  } catch {
    box.focus()
    say('This browser copies nothing by itself: the link is selected.', true)
  }
}
