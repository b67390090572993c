/** Saves contents to disk. They are never opened as pages of this origin. */
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

/** Fetches the content, because a link cannot send the token's header. */
export async function save(path: string, name: string): Promise<void> {
  saveBlob(await fetchContent(path), name)
}

export function saveBlob(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  element('a', { href, download: name }).click()
  // the browser has read the content by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

/** Empty if the user may not rename the item. `again` renders the page again. */
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
