/** How much of the storage is used. */
import { element, part } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import type { About } from './answers.ts'
import { call } from './service.ts'

export function fetchAbout(): Promise<About> {
  return call<About>('about', {
    fields: 'user,quotaBytesUsed,quotaBytesTotal,quotaBytesUsedInTrash,quotaType',
  })
}

export function showStorage({
  quotaBytesUsed,
  quotaBytesTotal,
  quotaBytesUsedInTrash,
  quotaType,
}: About): void {
  const [used, trashed] = [Number(quotaBytesUsed), Number(quotaBytesUsedInTrash ?? 0)]
  const isBound = quotaType === 'LIMITED' && quotaBytesTotal !== undefined
  const total = Number(quotaBytesTotal ?? 0)
  const text = `${sizeText(used)}${isBound ? ` of ${sizeText(total)}` : ''} used${trashed === 0 ? '' : `, ${sizeText(trashed)} of it in the trash`}`
  part('storage').replaceChildren(
    ...(isBound
      ? [
          element('meter', {
            min: '0',
            max: `${total}`,
            high: `${total * 0.9}`,
            value: `${used}`,
            'aria-label': 'Storage used',
          }),
        ]
      : []),
    text,
  )
}
