/** Members of a file's resource: names, dates, places. Ids need no escaping. */
import type { FileView } from '../../../domain/items/file-view.ts'
import { dateText, quoted, quotedEtag } from '../../answers/json-text.ts'
import type { Field } from './field.ts'
import { parentText } from '../parent.ts'
import { propertyResource } from '../property.ts'

export const PLAIN_FIELDS: Readonly<Record<string, Field>> = {
  kind: () => '"drive#file"',
  id: ({ row }) => `"${row.id}"`,
  etag: ({ etag }) => quotedEtag(etag),
  selfLink: ({ row }, { links }) => `"${links.file(row.id)}"`,
  alternateLink: ({ row }, { links }) => `"${links.page(row.kind === 'folder' ? 'folder' : 'file', row.id)}"`,
  iconLink: ({ row }, { links }) => `"${links.base}/icons/${row.kind}.svg"`,
  title: ({ row }) => quoted(row.title),
  mimeType: ({ row }) => quoted(row.mime),
  description: ({ extra }) => formatText(extra.description),
  labels: ({ row, extra, mine }) =>
    `{"starred":${mine.isStarred},"hidden":false,"trashed":${row.trashed === 1},` +
    `"restricted":${extra.copyNeedsWriter === true},"viewed":${mine.viewedAt !== null},"modified":${mine.modifiedAt !== null}}`,
  createdDate: ({ row }) => dateText(row.created),
  modifiedDate: ({ row }) => dateText(row.modified),
  modifiedByMeDate: ({ mine }) => formatDate(mine.modifiedAt),
  lastViewedByMeDate: ({ mine }) => formatDate(mine.viewedAt),
  markedViewedByMeDate: () => '"1970-01-01T00:00:00.000Z"',
  version: ({ row }) => `"${row.version}"`,
  parents: ({ row, parents }, { links }) =>
    `[${parents.map((parent) => parentText(parent, row.id, links)).join(',')}]`,
  properties: ({ row, properties }, { links }) =>
    properties.length === 0
      ? undefined
      : JSON.stringify(properties.map((property) => propertyResource(property, row.id, links))),
  folderColorRgb: ({ extra }) => formatText(extra.folderColor),
  shortcutDetails: ({ row, extra }) =>
    row.target === null
      ? undefined
      : JSON.stringify({ targetId: row.target, targetMimeType: extra.targetMime }),
  explicitlyTrashed: ({ row }) => String(row.explicit_trash === 1),
  trashedDate: ({ row }) => (inDrive(row) ? formatDate(row.trashed_at) : undefined),
  spaces: ({ row }) => `["${row.space}"]`,
  appDataContents: ({ row }) => String(row.space === 'appDataFolder'),
  labelInfo: ({ row }, { labelsOf }) =>
    labelsOf === undefined ? undefined : JSON.stringify({ labels: labelsOf(row.pk) }),
  driveId: ({ drive }) => (drive === undefined ? undefined : `"${drive.id}"`),
  teamDriveId: ({ drive }) => (drive === undefined ? undefined : `"${drive.id}"`),
  isAppAuthorized: ({ row }, { caller }) => String(row.client === caller.client),
}

function formatText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : quoted(text)
}

function formatDate(at: number | null): string | undefined {
  return at === null ? undefined : dateText(at)
}

function inDrive({ drive }: FileView['row']): boolean {
  return drive !== null
}
