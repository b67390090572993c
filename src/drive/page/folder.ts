/** A folder: what is in it, what can be put there, and with whom it is shared. */
import { takeDrops } from '../../web/page/drop.ts'
import { element } from '../../web/page/elements.ts'
import { FOLDER, type PageItem } from './answers.ts'
import { listing } from './listing.ts'
import { panel } from './panel.ts'
import { renameForm } from './file/rename.ts'
import { call } from './service.ts'
import { sharing } from './file/sharing.ts'
import { attempt } from './talk.ts'
import { sendFiles } from './upload/uploads.ts'

/** `again`: shows all of it anew. */
export async function folderView(folder: PageItem, again: () => Promise<void>): Promise<(Node | string)[]> {
  const { capabilities, parents, driveId } = folder
  const list = listing({ kind: 'folder', id: folder.id }, folder)
  await list.reload()
  const mayAdd = capabilities['canAddChildren'] === true && !folder.labels.trashed
  const isShareable = parents.length > 0 || driveId !== undefined
  return [
    ...(mayAdd ? [newFolderForm(folder, list.reload), uploadArea({ folder: folder.id }, list.reload)] : []),
    list.node,
    parents.length > 0 ? renameForm(folder, again) : '',
    ...(isShareable ? [panel('Sharing', (reload) => sharing(folder, reload)).node] : []),
  ]
}

function newFolderForm({ id }: PageItem, done: () => Promise<void>): HTMLElement {
  const name = element('input', { id: 'new-folder', required: true, autocomplete: 'off' })
  const form = element(
    'form',
    { class: 'row' },
    element('label', { for: 'new-folder' }, 'New folder'),
    name,
    element('button', {}, 'Create'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const title = name.value
    void attempt(`The folder ${title} is created.`, async () => {
      await call('files', {}, { title, mimeType: FOLDER, parents: [{ id }] })
      name.value = ''
      await done()
    })
  })
  return form
}

/** Files are sent as soon as they are chosen or dropped. */
export function uploadArea(
  to: { readonly folder: string } | { readonly file: string },
  done: () => Promise<void>,
): HTMLElement {
  const isFolder = 'folder' in to
  const input = element('input', { id: 'upload', type: 'file', multiple: isFolder })
  const area = element(
    'div',
    { class: 'drop' },
    element('label', { for: 'upload' }, isFolder ? 'Upload files' : 'Upload a new version'),
    input,
    element('p', { class: 'hint' }, 'or drop it here. Interrupted uploads resume.'),
  )
  const take = (files: FileList) =>
    sendFiles(isFolder ? [...files] : [...files].slice(0, 1), to, () => {
      if (area.isConnected) void done()
    })
  input.addEventListener('change', () => {
    if (input.files !== null) take(input.files)
    // so that the same file can be chosen again
    input.value = ''
  })
  takeDrops(area, take)
  return area
}
