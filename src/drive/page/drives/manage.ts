/** A shared drive gets another name, or is deleted when nothing is in it. */
import { confirmed } from '../../../web/page/dialog.ts'
import { button, element } from '../../../web/page/elements.ts'
import { call } from '../service.ts'
import { attempt } from '../talk.ts'
import { formatPlace } from '../place.ts'
import { drivePath, fetchDrive } from './drives.ts'

/** Nothing for who may neither. `again`: shows the drive anew. */
export async function manageDrive(id: string, again: () => Promise<void>): Promise<Node[]> {
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
