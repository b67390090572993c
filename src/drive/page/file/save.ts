/** Contents are saved to disk, and never shown as a page: to this origin they are bytes. */
import { element } from '../../../web/page/elements.ts'
import { call, send } from '../service.ts'
import type { PageItem } from '../answers.ts'
import { attempt } from '../panel.ts'

export async function fetchContent(path: string): Promise<Blob> {
  const answer = await send(`drive/v2/${path}`, { query: { alt: 'media' } })
  return new Blob([await answer.blob()], { type: 'application/octet-stream' })
}

export function saveFile(id: string, name: string): Promise<void> {
  return save(`files/${encodeURIComponent(id)}`, name)
}

/** The token is in a header, which a link cannot send. */
export async function save(path: string, name: string): Promise<void> {
  saveBlob(await fetchContent(path), name)
}

export function saveBlob(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  element('a', { href, download: name }).click()
  // the browser has it by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

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
