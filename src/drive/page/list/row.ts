/** An item as a row of a list: its name, when it changed, its size, what can be done with it. It can be dragged into folders. */
import { element } from '../../../web/page/elements.ts'
import { menuButton } from '../../../web/page/menu.ts'
import { sizeText } from '../../../web/page/size.ts'
import { actionsFor } from '../actions/actions.ts'
import { FOLDER, isFolder, type PageItem, SHORTCUT } from '../answers.ts'
import { dragRow } from '../drag.ts'
import { formatPlace } from '../place.ts'
import { dateText } from '../talk.ts'

/** `box` selects it. `reload`: shows the list anew. */
export function describeRow(item: PageItem, box: Node, reload: () => Promise<void>) {
  const { title, modifiedDate, lastModifyingUserName, fileSize, mimeType, shortcutDetails, labels } = item
  const target = mimeType === SHORTCUT ? shortcutDetails : undefined
  const kind = (target?.targetMimeType ?? mimeType) === FOLDER ? 'folder' : 'file'
  const link = element(
    'a',
    { href: formatPlace({ kind, id: target?.targetId ?? item.id }) },
    title || 'Untitled',
  )
  const by = lastModifyingUserName === undefined ? '' : ` by ${lastModifyingUserName}`
  const entries = () =>
    actionsFor([item]).map(({ text, run }) => ({ text, press: () => void run([item], reload) }))
  return [
    element(
      'span',
      { class: `named ${kind}` },
      box,
      element(
        'span',
        {},
        link,
        isFolder(item) ? element('span', { class: 'kind' }, ' folder') : undefined,
        labels.starred
          ? element('span', { class: 'kind', role: 'img', 'aria-label': 'starred' }, ' ★')
          : undefined,
      ),
    ),
    `${dateText(modifiedDate)}${by}`,
    fileSize === undefined ? '' : sizeText(Number(fileSize)),
    menuButton('Actions', `Actions for ${title}`, entries),
  ]
}

/** Rows can be dragged, all that are selected when one of them is; rows of folders take what is dropped. */
export function markRows(
  made: HTMLElement,
  items: readonly PageItem[],
  chosen: () => readonly PageItem[],
  reload: () => Promise<void>,
): void {
  for (const [at, row] of [...made.querySelectorAll<HTMLElement>('tbody tr')].entries()) {
    const item = items[at]
    if (item === undefined) continue
    dragRow(row, () => (chosen().includes(item) ? chosen() : [item]), reload)
  }
}
