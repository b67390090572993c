/** Shared drives of the user, and the tool that makes one. */
import { askName } from '../../../web/page/dialog.ts'
import { element, table } from '../../../web/page/elements.ts'
import { menuButton } from '../../../web/page/menu.ts'
import { type About, FOLDER, type SharedDrive } from '../answers.ts'
import { itemIcon } from '../list/item-icon.ts'
import { formatPlace } from '../place.ts'
import { call, callAll } from '../service.ts'
import { say } from '../panel.ts'

const FIELDS = 'id,name,capabilities'

export function fetchDrives(): Promise<SharedDrive[]> {
  return callAll<SharedDrive>('drives', { maxResults: 100, fields: `nextPageToken,items(${FIELDS})` })
}

export function fetchDrive(id: string): Promise<SharedDrive> {
  return call<SharedDrive>(drivePath(id), { fields: FIELDS })
}

export function drivePath(id: string): string {
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
      element('a', { href: formatPlace({ kind: 'folder', id }) }, name),
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
          `You are not a member of a shared drive. Files in a shared drive belong to all its members.${canCreateDrives ? ' Create one with New ▾.' : ''}`,
        )
      : table(rows.length === 1 ? '1 shared drive' : `${rows.length} shared drives`, ['Name', 'Access'], rows)
  const made = [{ text: 'Shared drive', press: () => makeDrive(changed) }]
  return { tools: canCreateDrives ? [menuButton('New ▾', 'New', () => made)] : [], view: [list] }
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
