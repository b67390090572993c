/** `drive#property`. */
import type { PropertyView } from '../../domain/items/file-view.ts'
import { propertyEtag } from '../../domain/properties/properties.ts'
import type { Links } from '../answers/links.ts'

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
