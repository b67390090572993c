/** Icon of an item in a list, chosen by its type; a small image shows itself instead.  [network] */
import { element, icon } from '../../../web/page/elements.ts'
import { FOLDER, type PageItem, SHORTCUT, filePath } from '../answers.ts'
import { imageType } from '../file/preview.ts'
import { fetchContent } from '../file/save.ts'

const SHEET = 'M6 3h8l4 4v14H6zM14 3v4h4'
const FOLDER_LINES = 'M3 6h6l2 2.5h10V19H3z'

/** The first matching pattern determines the icon. */
const LINES: readonly (readonly [type: RegExp, kind: string, lines: string])[] = [
  [/^image\//, 'image', 'M4 5h16v14H4zM4 16l4.5-5 4 4.5 2.5-2.5 5 5M15.5 9h.01'],
  [/csv|tab-separated|spreadsheet|excel/, 'table', `${SHEET}M9 11h6v7H9zM9 14.5h6M12 11v7`],
  [/zip|gzip|tar/, 'archive', `${SHEET}M12 10v1.5M12 13v1.5M12 16v1.5`],
  [/^text\/|json|xml|pdf|document|word/, 'text', `${SHEET}M9 11.5h6M9 14.5h6M9 17.5h4`],
]

/** Bytes of an image that a list shows itself. */
const MOST_BYTES = 1e6

/** `id revision` -> content, for one list: loading the list again fetches no image again. */
export type Thumbnails = Map<string, Promise<Blob>>

export function thumbnail(item: PageItem, fetched: Thumbnails): Element {
  const { mimeType, shortcutDetails, fileSize, capabilities } = item
  const drawn = itemIcon((mimeType === SHORTCUT ? shortcutDetails?.targetMimeType : undefined) ?? mimeType)
  const type = imageType(item)
  const size = Number(fileSize ?? 0)
  if (type === undefined || size === 0 || size > MOST_BYTES || capabilities['canDownload'] !== true)
    return drawn
  const box = element('span', { class: 'thumbnail' })
  box.append(drawn)
  const seen = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== true) return
    seen.disconnect()
    // the icon stays where the image cannot be shown
    void showImage(box, item, type, fetched).catch(() => undefined)
  })
  seen.observe(box)
  return box
}

async function showImage(
  box: HTMLElement,
  { id, headRevisionId = '' }: PageItem,
  type: string,
  fetched: Thumbnails,
): Promise<void> {
  const key = `${id} ${headRevisionId}`
  const content = fetched.get(key) ?? fetchContent(filePath(id), 'thumbnail')
  fetched.set(key, content)
  content.catch(() => fetched.delete(key))
  const src = URL.createObjectURL(new Blob([await content], { type }))
  try {
    // the name of the file follows
    const image = element('img', { src, alt: '' })
    await image.decode()
    box.replaceChildren(image)
  } finally {
    URL.revokeObjectURL(src)
  }
}

export function itemIcon(mimeType: string): SVGElement {
  if (mimeType === FOLDER) return icon('folder', FOLDER_LINES)
  const [, kind, lines] = LINES.find(([type]) => type.test(mimeType)) ?? [/./, 'other', SHEET]
  return icon(kind, lines)
}
