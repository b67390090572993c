/** A file: how it begins, its versions, with whom it is shared and what is said about it. */
import { button, element } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import { type PageItem, ITEM } from '../answers.ts'
import { comments } from './comments.ts'
import { uploadArea } from '../folder.ts'
import { restoreButton, trashButton } from '../listing.ts'
import { panel } from '../panel.ts'
import { preview } from './preview.ts'
import { renameForm } from './rename.ts'
import { saveFile } from './save.ts'
import { call } from '../service.ts'
import { sharing } from './sharing.ts'
import { attempt, dateText } from '../talk.ts'
import { versions } from './versions.ts'

export function fetchItem(id: string): Promise<PageItem> {
  return call<PageItem>(`files/${encodeURIComponent(id)}`, { fields: ITEM })
}

/** `again`: shows all of it anew. */
export function fileView(given: PageItem, again: () => Promise<void>): (Node | string)[] {
  let item = given
  const facts = element('p', { class: 'hint' }, describeItem(item))
  const parts = [
    panel('Preview', () => preview(item)),
    panel('Versions', () => versions(item, () => void changed())),
    panel('Sharing', (reload) => sharing(item, reload)),
    panel('Comments', (reload) => comments(item, reload)),
  ]
  const changed = () =>
    attempt(undefined, async () => {
      item = await fetchItem(item.id)
      facts.textContent = describeItem(item)
      await Promise.all(parts.slice(0, 2).map((part) => part.reload()))
    })
  const mayUpload = item.capabilities['canModifyContent'] === true && !item.labels.trashed
  return [
    facts,
    element('div', { class: 'row' }, ...listActions(item, again)),
    renameForm(item, again),
    ...(mayUpload ? [uploadArea({ file: item.id }, changed)] : []),
    ...parts.map(({ node }) => node),
  ]
}

function listActions(item: PageItem, again: () => Promise<void>): (Node | string)[] {
  const { id, title, capabilities, labels, fileSize } = item
  const get = () => void attempt(undefined, () => saveFile(id, title))
  const maySave = capabilities['canDownload'] === true && fileSize !== undefined
  return [
    maySave ? button('Save to disk', get, { class: 'main' }) : '',
    labels.trashed ? restoreButton(item, again) : trashButton(item, again),
  ]
}

function describeItem({ fileSize, modifiedDate, lastModifyingUserName, mimeType, labels }: PageItem): string {
  return [
    ...(labels.trashed ? ['in the trash'] : []),
    ...(fileSize === undefined ? [] : [sizeText(Number(fileSize))]),
    mimeType,
    `changed ${dateText(modifiedDate)}${lastModifyingUserName === undefined ? '' : ` by ${lastModifyingUserName}`}`,
  ].join(' · ')
}
