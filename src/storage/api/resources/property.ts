/** `drive#property`. */
import { createHash } from 'node:crypto'
import type { PropertyView } from '../../library/file-view.ts'
import type { Links } from '../links.ts'

export function propertyResource({ key, value, isPublic }: PropertyView, file: string, links: Links) {
  const visibility = isPublic ? 'PUBLIC' : 'PRIVATE'
  return {
    kind: 'drive#property',
    etag: propertyEtag({ key, value, isPublic }, file),
    selfLink: links.to(`files/${file}/properties/${encodeURIComponent(key)}?visibility=${visibility}`),
    key,
    value,
    visibility,
  }
}

export function propertyEtag({ key, value, isPublic }: PropertyView, file: string): string {
  const text = JSON.stringify([file, key, value, isPublic])
  return `"${createHash('sha1').update(text).digest('base64url')}"`
}
