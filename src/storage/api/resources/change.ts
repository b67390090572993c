/** `drive#change`, without the file it is about. */
import type { ChangeView } from '../../library/list-changes.ts'
import { formatDate } from '../../query/dates.ts'
import type { Links } from '../links.ts'

export function changeResource({ seq, fileId, at, file }: ChangeView, links: Links) {
  return {
    kind: 'drive#change',
    id: String(seq),
    fileId,
    deleted: file === undefined,
    modificationDate: formatDate(at),
    type: 'file',
    changeType: 'file',
    selfLink: links.to(`changes/${seq}`),
  }
}
