/** Saves contents to disk. They are never opened as pages of this origin. */
import { element } from '../../../web/page/elements.ts'
import { filePath } from '../answers.ts'
import { send } from '../service.ts'

/** `source` `thumbnail` marks an image that a list shows; the store records it as opened, not as downloaded. */
export async function fetchContent(path: string, source?: 'thumbnail'): Promise<Blob> {
  const answer = await send(`drive/v2/${path}`, { query: { alt: 'media', source } })
  return new Blob([await answer.blob()], { type: 'application/octet-stream' })
}

export function saveFile(id: string, name: string): Promise<void> {
  return save(filePath(id), name)
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
