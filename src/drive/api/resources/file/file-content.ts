/** Members of a file's resource that are about its bytes: nothing of them where there are none. */
import { opensContents } from '../../../domain/access/access.ts'
import type { FileView } from '../../../domain/items/file-view.ts'
import { EXPORTS, isNativeDocument } from '../../../contract/kinds.ts'
import type { Links } from '../../answers/links.ts'
import { quoted } from '../../answers/json.ts'
import type { Field, Seeing } from './field.ts'
import { canDownload } from './file-access.ts'

export const CONTENT_FIELDS: Readonly<Record<string, Field>> = {
  downloadUrl: (view, seeing) =>
    mayDownload(view, seeing) ? `"${seeing.links.content(view.row.id)}"` : undefined,
  webContentLink: ({ row }, { links }) =>
    isBlob(row) ? `"${links.to(`files/${row.id}?alt=media&source=webContentLink`)}"` : undefined,
  fileSize: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${row.size}"`),
  quotaBytesUsed: ({ row }) => `"${row.used}"`,
  md5Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.md5}"`),
  sha1Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.sha1}"`),
  sha256Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.sha256}"`),
  headRevisionId: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.id}"`),
  originalFilename: ({ row }) => (isBlob(row) ? quoted(row.original_name ?? row.title) : undefined),
  fileExtension: ({ row }) => extension(row, row.extension),
  fullFileExtension: ({ row }) => extension(row, row.full_extension),
  exportLinks: (view, seeing) => (mayOpen(view, seeing) ? exportLinks(view, seeing) : undefined),
  hasThumbnail: () => 'false',
  thumbnailVersion: () => '"0"',
}

/** Files have one, if an empty one: letters, digits and dots. */
function extension(row: FileView['row'], text: string | null): string | undefined {
  return isBlob(row) ? `"${text ?? ''}"` : undefined
}

/** A document is exported. */
function isBlob({ kind, mime }: FileView['row']): boolean {
  return kind === 'file' && !isNativeDocument(mime)
}

function mayDownload(view: FileView, seeing: Seeing): boolean {
  return isBlob(view.row) && mayOpen(view, seeing)
}

function mayOpen(view: FileView, { caller }: Seeing): boolean {
  return view.head !== undefined && opensContents(caller, view.row) && canDownload(view)
}

/** Type -> address; undefined: it is no document. */
function exportLinks({ row }: FileView, { links }: Seeing): string | undefined {
  const types = EXPORTS.get(row.mime)
  return types === undefined ? undefined : JSON.stringify(linksTo(types, `files/${row.id}/export`, links))
}

/** Revision `id` of a document; undefined: the file as it is now. */
export function linksTo(
  types: readonly string[],
  path: string,
  links: Links,
  id?: string,
): Record<string, string> {
  const revision = id === undefined ? '' : `&revisionId=${id}`
  return Object.fromEntries(
    types.map((type) => [type, links.to(`${path}?mimeType=${encodeURIComponent(type)}${revision}`)]),
  )
}
