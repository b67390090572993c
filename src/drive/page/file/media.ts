/** Images and documents as the browser itself shows them. What can hold a script is not shown. */
import { element } from '../../../web/page/elements.ts'
import { sizeText } from '../../../web/page/size.ts'
import type { PageItem } from '../answers.ts'
import { fetchContent } from './save.ts'
import { filePath } from '../answers.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']
const PDF = 'application/pdf'
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['pdf', PDF],
])
const MOST_BYTES = 50e6

/** The type it is shown as: undefined, where it is neither an image nor a PDF. */
export function mediaType({ mimeType, title }: PageItem): string | undefined {
  const [type = ''] = mimeType.split(';')
  if (IMAGES.includes(type) || type === PDF) return type
  const ending = title.split('.').at(-1)?.toLowerCase() ?? ''
  return type === 'application/octet-stream' ? ENDINGS.get(ending) : undefined
}

/** The type is the one above, whatever is in it: no bytes are read as a page. */
export async function showMedia(item: PageItem, type: string): Promise<Node[]> {
  const size = Number(item.fileSize ?? 0)
  if (size > MOST_BYTES)
    return [
      element(
        'p',
        { class: 'hint' },
        `Files of more than ${sizeText(MOST_BYTES)} are not shown here; they can be saved.`,
      ),
    ]
  const content = new Blob([await fetchContent(filePath(item.id))], { type })
  const src = URL.createObjectURL(content)
  if (type === PDF) return [element('iframe', { src, class: 'media', title: item.title })]
  const image = element('img', { src, class: 'media', alt: item.title })
  const broken = () =>
    image.replaceWith(element('p', { class: 'hint' }, 'This browser cannot show the image.'))
  image.addEventListener('load', () => URL.revokeObjectURL(src))
  image.addEventListener('error', broken)
  return [image]
}
