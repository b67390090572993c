/** How rows name a locus: `A`, `HLA-A`, `HLA_DRB1`, and `A_1` in a table that was melted. Pure. */
import { DRB345_TITLE, readLocusHeader } from '../../plan/locus-header.ts'

export interface NamedLocus {
  readonly locus: string
  readonly slot: 1 | 2 | undefined
}

/** undefined: it names none. */
export function readLocusName(text: string, isLocus: (name: string) => boolean): NamedLocus | undefined {
  const name = text.trim()
  const bare = name.replace(/^HLA[_. -]?/i, '').toUpperCase()
  if (isLocus(bare)) return { locus: bare, slot: undefined }
  const [read] = readLocusHeader(name)
  // which of the three it is each typing names
  if (read === undefined || read.subject !== '' || read.locus === DRB345_TITLE) return undefined
  // counted from 0, 1 is the second: the order of the rows says as much
  return { locus: read.locus, slot: read.slot === 0 ? undefined : read.slot }
}

const PREFIX = /^(?:HLA-)?([A-Z][A-Z0-9]*)\*/

/** Of `DRB4*01:03`; undefined: it does not say. */
export function locusInTyping(typing: string): string | undefined {
  return PREFIX.exec(typing)?.[1]
}
