/** Pages of a folder, of a file and of the shared drives. */
import { askName, confirmed } from '../../web/page/dialog.ts'
import { type MenuEntry, menuButton } from '../../web/page/menu.ts'
import { askRename, menuEntries, actionsFor } from './actions/actions.ts'
import { FOLDER, type PageItem, type About, type SharedDrive } from './answers.ts'
import { showDetails, describeItem, refreshDetails } from './details.ts'
import { listing } from './list/listing.ts'
import { attempt, say, panel, itemIcon } from './panel.ts'
import { withShortcut } from './keyboard.ts'
import { MY_FILES, formatRoute } from './route.ts'
import { call, fetchItem, callAll } from './service.ts'
import { uploadTool } from './upload/uploads.ts'
import { button, hint, element, table } from '../../web/page/elements.ts'
import { formats, isDocument } from './file/formats.ts'
import { preview } from './file/preview.ts'

interface FolderView {
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
    { text: 'Rule', press: () => showDetails(folder, { tab: 'Rules', changed: list.reload }) },
  ]
  const ofDrive = driveId === id ? await driveEntries(id, again) : []
  const hasFolder = folder.parents.length > 0
  return {
    tools: mayAdd ? [newTool(made), uploadTool({ folder: id }, list.reload)] : [],
    entries: () => (hasFolder ? menuEntries(folder, again) : ofDrive),
    view: [list.node],
  }
}

/** First tool of a route. */
function newTool(entries: readonly MenuEntry[]): HTMLElement {
  const tool = menuButton('New ▾', 'New', () => entries)
  tool.querySelector('.opener')?.classList.add('main')
  return withShortcut(tool, 'n')
}

/** Makes things in My Drive, from views that hold nothing themselves. */
export function newInMyDrive(): HTMLElement {
  const shown = () => {
    location.hash = formatRoute(MY_FILES)
    return Promise.resolve()
  }
  return newTool([{ text: 'Folder in My Drive', press: () => makeFolder(MY_FILES, shown) }])
}

function makeFolder({ id }: { readonly id: string }, done: () => Promise<void>): void {
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
      location.hash = formatRoute({ kind: 'drives' })
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

interface FileView {
  readonly tools: readonly Node[]
  /** Main action, beside the title. */
  readonly actions: readonly Node[]
  readonly view: readonly Node[]
  /** Shows the content again, after a change by the details. */
  readonly changed: () => Promise<void>
}

/** Page of a file: its preview. Versions, sharing, comments and activity are in its details. */
export function fileView(given: PageItem, again: () => Promise<void>): FileView {
  let item = given
  const facts = hint(describeItem(item))
  const shown = panel('Preview', () => preview(item))
  const changed = async () => {
    item = await fetchItem(item.id)
    facts.textContent = describeItem(item)
    await shown.reload()
  }
  const sent = () =>
    attempt(undefined, async () => {
      await changed()
      await refreshDetails()
    })
  const mayUpload = item.capabilities['canModifyContent'] === true && !item.labels.trashed
  const main = actionsFor([item]).find(({ text }) => text === 'Download')
  return {
    tools: mayUpload ? [uploadTool({ file: item.id }, sent)] : [],
    actions:
      main === undefined ? [] : [button(main.text, () => void main.run([item], again), { class: 'main' })],
    view: [facts, ...(isDocument(item) ? [panel('Formats', () => formats(item)).node] : []), shown.node],
    changed,
  }
}

const FIELDS = 'id,name,capabilities'

export function fetchDrives(): Promise<SharedDrive[]> {
  return callAll<SharedDrive>('drives', { maxResults: 100, fields: `nextPageToken,items(${FIELDS})` })
}

function fetchDrive(id: string): Promise<SharedDrive> {
  return call<SharedDrive>(drivePath(id), { fields: FIELDS })
}

function drivePath(id: string): string {
  return `drives/${encodeURIComponent(id)}`
}

/** `changed` runs after a drive was created. */
export async function drivesView(changed: () => Promise<void>) {
  const [drives, { canCreateDrives }] = await Promise.all([
    fetchDrives(),
    call<About & { readonly canCreateDrives: boolean }>('about', { fields: 'canCreateDrives' }),
  ])
  const rows = drives.map(({ id, name, capabilities }) => [
    element(
      'span',
      { class: 'named' },
      itemIcon(FOLDER),
      element('a', { href: formatRoute({ kind: 'folder', id }) }, name),
    ),
    capabilities['canManageMembers'] === true
      ? 'you manage its members'
      : capabilities['canAddChildren'] === true
        ? 'you can add and change'
        : 'you can view',
  ])
  const list =
    rows.length === 0
      ? element(
          'p',
          { class: 'empty' },
          `You are not a member of a shared drive. Files in a shared drive belong to all its members.${canCreateDrives ? ' Create one with New.' : ''}`,
        )
      : table(rows.length === 1 ? '1 shared drive' : `${rows.length} shared drives`, ['Name', 'Access'], rows)
  const made = [{ text: 'Shared drive', press: () => makeDrive(changed) }]
  return { tools: canCreateDrives ? [newTool(made)] : [], view: [list] }
}

function makeDrive(changed: () => Promise<void>): void {
  // a repeated request creates the drive once
  const requestId = crypto.randomUUID()
  askName({ title: 'New shared drive', label: 'Name', verb: 'Create' }, async (name) => {
    await call('drives', { requestId }, { name })
    await changed()
    say(`The shared drive ${name} is created.`)
  })
}
