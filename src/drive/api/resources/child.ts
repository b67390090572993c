/** `drive#childReference`. */
import type { Links } from '../answers/links.ts'

export function childResource(id: string, folder: string, links: Links) {
  return {
    kind: 'drive#childReference',
    id,
    selfLink: links.to(`files/${folder}/children/${id}`),
    childLink: links.file(id),
  }
}
