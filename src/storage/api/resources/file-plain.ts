/** Members of a file's resource: names, dates, places. */
import type { FileView } from '../../library/file-view.ts'
import { formatDate } from '../../query/dates.ts'
import type { Field } from './field.ts'
import { parentResource } from './parent.ts'
import { propertyResource } from './property.ts'

export const PLAIN_FIELDS: Readonly<Record<string, Field>> = {
  kind: () => 'drive#file',
  id: ({ row }) => row.id,
  etag: ({ etag }) => etag,
  selfLink: ({ row }, { links }) => links.file(row.id),
  alternateLink: ({ row }, { links }) => links.file(row.id),
  iconLink: ({ row }, { links }) => `${links.base}/icons/${row.kind}.svg`,
  title: ({ row }) => row.title,
  mimeType: ({ row }) => row.mime,
  description: ({ extra }) => extra.description,
  labels: (view) => ({
    starred: view.mine.isStarred,
    hidden: false,
    trashed: view.row.trashed === 1,
    restricted: view.extra.copyNeedsWriter === true,
    viewed: view.mine.viewedAt !== null,
    modified: view.mine.modifiedAt !== null,
  }),
  createdDate: ({ row }) => formatDate(row.created),
  modifiedDate: ({ row }) => formatDate(row.modified),
  modifiedByMeDate: ({ mine }) => dateOf(mine.modifiedAt),
  lastViewedByMeDate: ({ mine }) => dateOf(mine.viewedAt),
  markedViewedByMeDate: () => '1970-01-01T00:00:00.000Z',
  version: ({ row }) => String(row.version),
  parents: ({ row, parents }, { links }) => parents.map((parent) => parentResource(parent, row.id, links)),
  properties: ({ row, properties }, { links }) =>
    properties.length === 0
      ? undefined
      : properties.map((property) => propertyResource(property, row.id, links)),
  folderColorRgb: ({ extra }) => extra.folderColor,
  shortcutDetails: ({ row, extra }) =>
    row.target === null ? undefined : { targetId: row.target, targetMimeType: extra.targetMime },
  explicitlyTrashed: ({ row }) => row.explicit_trash === 1,
  trashedDate: ({ row }) => (inDrive(row) ? dateOf(row.trashed_at) : undefined),
  spaces: ({ row }) => [row.space],
  appDataContents: ({ row }) => row.space === 'appDataFolder',
  isAppAuthorized: ({ row }, { caller }) => row.client === caller.client,
}

function dateOf(at: number | null): string | undefined {
  return at === null ? undefined : formatDate(at)
}

function inDrive({ drive }: FileView['row']): boolean {
  return drive !== null
}
