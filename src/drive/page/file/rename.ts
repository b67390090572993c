/** Another name for a file or a folder. */
import { element } from '../../../web/page/elements.ts'
import type { PageItem } from '../answers.ts'
import { call } from '../service.ts'
import { attempt } from '../talk.ts'

/** Nothing for who may not. `again`: shows the item anew. */
export function renameForm(
  { id, title, capabilities, labels }: PageItem,
  again: () => Promise<void>,
): Node | string {
  if (capabilities['canRename'] !== true || labels.trashed) return ''
  const name = element('input', { id: 'name', required: true, autocomplete: 'off', value: title })
  const form = element(
    'form',
    { class: 'row' },
    element('label', { for: 'name' }, 'Name'),
    name,
    element('button', {}, 'Rename'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const chosen = name.value.trim()
    void attempt(`${title} is ${chosen} now.`, async () => {
      await call(`files/${encodeURIComponent(id)}`, { fields: 'id' }, { title: chosen }, 'PATCH')
      await again()
    })
  })
  return form
}
