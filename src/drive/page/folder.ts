/** Page of a folder: its items, and the tools that add some. */
import { askName, confirmed } from '../../web/page/dialog.ts'
import { type MenuEntry, menuButton } from '../../web/page/menu.ts'
import { askRename, menuEntries } from './actions/actions.ts'
import { FOLDER, type PageItem } from './answers.ts'
import { showDetails } from './details.ts'
import { drivePath, fetchDrive } from './drives/drives.ts'
import { listing } from './list/listing.ts'
import { attempt, say } from './panel.ts'
import { formatPlace } from './place.ts'
import { call } from './service.ts'
import { uploadTool } from './upload/uploads.ts'

export interface FolderView {
  readonly tools: readonly Node[]
  readonly entries: () => readonly MenuEntry[]
  readonly view: readonly Node[]
}

/** `again` renders the page again. */
export async function folderView(folder: PageItem, again: () => Promise<void>): Promise<FolderView> {
  const { id, capabilities, driveId, labels } = folder
  const list = listing({ kind: 'folder', id }, folder)
  await list.reload()
  const mayAdd = capabilities['canAddChildren'] === true && !labels.trashed
  const made: readonly MenuEntry[] = [
    { text: 'Folder', press: () => makeFolder(folder, list.reload) },
    { text: 'Rule', press: () => showDetails(folder, { section: 'Rules', changed: list.reload }) },
  ]
  const ofDrive = driveId === id ? await driveEntries(id, again) : []
  const isPlaced = folder.parents.length > 0
  return {
    tools: mayAdd ? [menuButton('New ▾', 'New', () => made), uploadTool({ folder: id }, list.reload)] : [],
    entries: () => (isPlaced ? menuEntries(folder, again) : ofDrive),
    view: [list.node],
  }
}

function makeFolder({ id }: PageItem, done: () => Promise<void>): void {
  askName({ title: 'New folder', label: 'Name', verb: 'Create' }, async (title) => {
    await call('files', {}, { title, mimeType: FOLDER, parents: [{ id }] })
    await done()
    say(`The folder ${title} is created.`)
  })
}

/** Actions on a shared drive itself. `again` renders the page again. */
async function driveEntries(id: string, again: () => Promise<void>): Promise<MenuEntry[]> {
  const { name, capabilities } = await fetchDrive(id)
  const put = (to: string) => call(drivePath(id), { fields: 'id' }, { name: to }, 'PUT')
  const remove = async () => {
    const text = 'Only an empty shared drive can be deleted. Delete its items first, also those in its trash.'
    if (!(await confirmed(`Delete the shared drive ${name}?`, text, 'Delete'))) return
    await attempt(undefined, async () => {
      await call(drivePath(id), {}, undefined, 'DELETE')
      location.hash = formatPlace({ kind: 'drives' })
    })
  }
  return [
    ...(capabilities['canRenameDrive'] === true
      ? [{ text: 'Rename', press: () => askRename(name, put, again) }]
      : []),
    ...(capabilities['canDeleteDrive'] === true
      ? [{ text: 'Delete shared drive', press: () => void remove() }]
      : []),
  ]
}
