/** Icon of an item, chosen by its type. */
import { icon } from '../../../web/page/elements.ts'
import { FOLDER } from '../answers.ts'

const SHEET = 'M6 3h8l4 4v14H6zM14 3v4h4'
const FOLDER_LINES = 'M3 6h6l2 2.5h10V19H3z'

/** The first matching pattern determines the icon. */
const LINES: readonly (readonly [type: RegExp, kind: string, lines: string])[] = [
  [/^image\//, 'image', 'M4 5h16v14H4zM4 16l4.5-5 4 4.5 2.5-2.5 5 5M15.5 9h.01'],
  [/csv|tab-separated|spreadsheet|excel/, 'table', `${SHEET}M9 11h6v7H9zM9 14.5h6M12 11v7`],
  [/zip|gzip|tar/, 'archive', `${SHEET}M12 10v1.5M12 13v1.5M12 16v1.5`],
  [/^text\/|json|xml|pdf|document|word/, 'text', `${SHEET}M9 11.5h6M9 14.5h6M9 17.5h4`],
]

export function itemIcon(mimeType: string): SVGElement {
  if (mimeType === FOLDER) return icon('folder', FOLDER_LINES)
  const [, kind, lines] = LINES.find(([type]) => type.test(mimeType)) ?? [/./, 'other', SHEET]
  return icon(kind, lines)
}
