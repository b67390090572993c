/** `drive#parentReference`. */
import type { ParentView } from '../../domain/items/file-view.ts'
import type { Links } from '../answers/links.ts'

export function parentResource({ id, isRoot }: ParentView, child: string, links: Links) {
  return {
    kind: 'drive#parentReference',
    id,
    isRoot,
    selfLink: links.to(`files/${child}/parents/${id}`),
    parentLink: links.file(id),
  }
}

/** The same as JSON: ids and links need no escaping. */
export function parentText({ id, isRoot }: ParentView, child: string, links: Links): string {
  const link = links.to(`files/${child}/parents/${id}`)
  return (
    `{"kind":"drive#parentReference","id":"${id}","isRoot":${isRoot},` +
    `"selfLink":"${link}","parentLink":"${links.file(id)}"}`
  )
}
