/** Contents are saved to disk, and never shown as a page: to this origin they are bytes. */
import { element } from '../../../web/page/elements.ts'
import { send } from '../service.ts'

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
