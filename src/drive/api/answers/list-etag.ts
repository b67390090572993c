/** The tag of a list: another when any of its items, or where it goes on, is another. */
import { createHash } from 'node:crypto'

export function listEtag(parts: readonly (string | undefined)[]): string {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(`${part ?? ''}\n`)
  return `"${hash.digest('base64url')}"`
}
