/** `orderBy`: the keys that a list is ordered by (spec 5.8). */
import { invalidParameter } from '../../contract/failure.ts'

export const ORDER_KEYS = [
  'createdDate',
  'folder',
  'lastViewedByMeDate',
  'modifiedByMeDate',
  'modifiedDate',
  'quotaBytesUsed',
  'recency',
  'sharedWithMeDate',
  'starred',
  'title',
  'title_natural',
] as const

export type OrderKey = (typeof ORDER_KEYS)[number]

export interface Order {
  readonly key: OrderKey
  readonly isDescending: boolean
}

const LONGEST = 1000
const PART = /^\s*(\w+)(?:\s+(asc|desc))?\s*$/i

/** Of a key that is there twice the first counts. Blank: no order is asked for. @throws {StorageFailure} 400 invalidParameter */
export function parseOrderBy(text: string | undefined): readonly Order[] {
  if (text === undefined || text.trim() === '') return []
  if (text.length > LONGEST) throw invalidParameter('orderBy', 'Invalid orderBy: it is too long')
  const orders = new Map<OrderKey, Order>()
  for (const part of text.split(',')) {
    const order = parsePart(part)
    if (!orders.has(order.key)) orders.set(order.key, order)
  }
  return [...orders.values()]
}

function parsePart(part: string): Order {
  const [, name, direction = 'asc'] = PART.exec(part) ?? []
  const key = ORDER_KEYS.find((known) => known === name)
  if (key === undefined) {
    throw invalidParameter(
      'orderBy',
      `Invalid orderBy '${part.trim()}': one of ${ORDER_KEYS.join(', ')} expected`,
    )
  }
  return { key, isDescending: direction.toLowerCase() === 'desc' }
}
