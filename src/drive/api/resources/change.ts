/** `drive#change`, without the file or the shared drive it is about. */
import type { ChangeView } from '../../domain/changes/list-changes.ts'
import { formatDate } from '../../protocol/dates.ts'
import type { Links } from '../answers/links.ts'

export function changeResource({ seq, fileId, at, file, ...change }: ChangeView, links: Links) {
  const { driveId, isDrive, drive } = change
  return {
    kind: 'drive#change',
    id: String(seq),
    ...(isDrive ? {} : { fileId }),
    deleted: isDrive ? drive === undefined : file === undefined,
    modificationDate: formatDate(at),
    type: isDrive ? 'drive' : 'file',
    changeType: isDrive ? 'drive' : 'file',
    ...(driveId === undefined ? {} : { driveId, teamDriveId: driveId }),
    selfLink: links.to(`changes/${seq}`),
  }
}
