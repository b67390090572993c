/** Members of a file's resource that are about its bytes: nothing of them where there are none. */
import type { FileView } from '../../../domain/items/file-view.ts'
import { quoted } from '../../answers/json.ts'
import type { Field, Seeing } from './field.ts'
import { canDownload } from './file-access.ts'

export const CONTENT_FIELDS: Readonly<Record<string, Field>> = {
  downloadUrl: (view, seeing) =>
    mayDownload(view, seeing) ? `"${seeing.links.content(view.row.id)}"` : undefined,
  webContentLink: ({ row }, { links }) =>
    row.kind === 'file' ? `"${links.to(`files/${row.id}?alt=media&source=webContentLink`)}"` : undefined,
  fileSize: ({ row, head }) => (head === undefined ? undefined : `"${row.size}"`),
  quotaBytesUsed: ({ row }) => `"${row.used}"`,
  md5Checksum: ({ head }) => (head === undefined ? undefined : `"${head.md5}"`),
  sha1Checksum: ({ head }) => (head === undefined ? undefined : `"${head.sha1}"`),
  sha256Checksum: ({ head }) => (head === undefined ? undefined : `"${head.sha256}"`),
  headRevisionId: ({ head }) => (head === undefined ? undefined : `"${head.id}"`),
  originalFilename: ({ row }) => (row.kind === 'file' ? quoted(row.original_name ?? row.title) : undefined),
  fileExtension: ({ row }) => extension(row, row.extension),
  fullFileExtension: ({ row }) => extension(row, row.full_extension),
  hasThumbnail: () => 'false',
  thumbnailVersion: () => '"0"',
}

/** Files have one, if an empty one: letters, digits and dots. */
function extension({ kind }: FileView['row'], text: string | null): string | undefined {
  return kind === 'file' ? `"${text ?? ''}"` : undefined
}

function mayDownload(view: FileView, { caller }: Seeing): boolean {
  return view.head !== undefined && !isMetadataOnly(caller) && canDownload(view)
}

/** Scopes that never open contents. */
export function isMetadataOnly({ scopes }: Seeing['caller']): boolean {
  return !scopes.some((scope) => !scope.startsWith('drive.metadata'))
}
