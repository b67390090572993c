/** Page of a folder: its items, forms to add some, and its sharing. */
import { button, element } from '../../web/page/elements.ts'
import { FOLDER, type PageItem } from './answers.ts'
import { listing } from './list/listing.ts'
import { attempt, panel } from './panel.ts'
import { renameForm } from './file/save.ts'
import { call } from './service.ts'
import { sharing } from './file/sharing.ts'
import { rules } from './rules/rules.ts'
import { uploadArea } from './upload/uploads.ts'
import { confirmed } from '../../web/page/dialog.ts'
import { formatPlace } from './place.ts'
import { drivePath, fetchDrive } from './drives/drives.ts'

/** `again` renders the page again. */
export async function folderView(folder: PageItem, again: () => Promise<void>): Promise<(Node | string)[]> {
  const { capabilities, parents, driveId } = folder
  const list = listing({ kind: 'folder', id: folder.id }, folder)
  await list.reload()
  const isDrive = driveId === folder.id
  const mayAdd = capabilities['canAddChildren'] === true && !folder.labels.trashed
  const isShareable = parents.length > 0 || driveId !== undefined
  return [
    ...(mayAdd ? [newFolderForm(folder, list.reload), uploadArea({ folder: folder.id }, list.reload)] : []),
    list.node,
    parents.length > 0 ? renameForm(folder, again) : '',
    ...(isDrive ? await manageDrive(folder.id, again) : []),
    ...(mayAdd ? [panel('Rules', (reload) => rules(folder, reload)).node] : []),
    ...(isShareable
      ? [panel(isDrive ? 'Members' : 'Sharing', (reload) => sharing(folder, reload)).node]
      : []),
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

/** Empty if the user may neither rename nor delete the drive. `again` renders the page again. */
async function manageDrive(id: string, again: () => Promise<void>): Promise<Node[]> {
  const { name, capabilities } = await fetchDrive(id)
  const box = element('input', { id: 'name', required: true, autocomplete: 'off', value: name })
  const rename = element(
    'form',
    { class: 'row' },
    element('label', { for: 'name' }, 'Name'),
    box,
    element('button', {}, 'Rename'),
  )
  rename.addEventListener('submit', (event) => {
    event.preventDefault()
    const chosen = box.value.trim()
    void attempt(`${name} is ${chosen} now.`, async () => {
      await call(drivePath(id), { fields: 'id' }, { name: chosen }, 'PUT')
      await again()
    })
  })
  const remove = async () => {
    const text = 'Only a shared drive that nothing is in can be deleted; its trash counts as well.'
    if (!(await confirmed(`Delete the shared drive ${name}?`, text, 'Delete'))) return
    await attempt(undefined, async () => {
      await call(drivePath(id), {}, undefined, 'DELETE')
      location.hash = formatPlace({ kind: 'drives' })
    })
  }
  return [
    ...(capabilities['canRenameDrive'] === true ? [rename] : []),
    ...(capabilities['canDeleteDrive'] === true ? [button('Delete shared drive', () => void remove())] : []),
  ]
}
