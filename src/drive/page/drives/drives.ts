/** Shared drives of the user, and a form for new ones. */
import { element, table } from '../../../web/page/elements.ts'
import type { About, SharedDrive } from '../answers.ts'
import { formatPlace } from '../place.ts'
import { call, callAll } from '../service.ts'
import { attempt } from '../panel.ts'

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
export async function drivesView(changed: () => Promise<void>): Promise<Node[]> {
  const [drives, { canCreateDrives }] = await Promise.all([
    fetchDrives(),
    call<About & { readonly canCreateDrives: boolean }>('about', { fields: 'canCreateDrives' }),
  ])
  const rows = drives.map(({ id, name, capabilities }) => [
    element('a', { href: formatPlace({ kind: 'folder', id }) }, name),
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
          { class: 'hint' },
          'You are in no shared drive. What is in one belongs to all of its members.',
        )
      : table(
          rows.length === 1 ? '1 shared drive' : `${rows.length} shared drives`,
          [{ title: 'Name' }, { title: 'Access' }],
          rows,
        )
  return [...(canCreateDrives ? [newDriveForm(changed)] : []), list]
}

function newDriveForm(changed: () => Promise<void>): HTMLElement {
  const name = element('input', { id: 'new-drive', required: true, autocomplete: 'off' })
  const form = element(
    'form',
    { class: 'row' },
    element('label', { for: 'new-drive' }, 'New shared drive'),
    name,
    element('button', {}, 'Create'),
  )
  // a repeated request creates the drive once
  let requestId = crypto.randomUUID()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const chosen = name.value.trim()
    void attempt(`The shared drive ${chosen} is created.`, async () => {
      await call('drives', { requestId }, { name: chosen })
      requestId = crypto.randomUUID()
      await changed()
    })
  })
  return form
}
