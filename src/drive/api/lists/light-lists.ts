/** Selects lists so cheap that the service makes them itself: handing one to another process adds more than half to its time.  [clock] */
import { LIGHT, SLOW_USER_MS } from './listers.ts'
import type { ListCall } from '../requests/parts.ts'
import { readLimits } from '../../domain/settings.ts'
import { type Order, parseOrderBy, walkTests } from '../../protocol/q/q-fields.ts'
import { parseFileQuery } from '../../protocol/q/q.ts'
import { estimateCost, isTermTest } from '../../protocol/q/q-test.ts'
import type { MethodId } from '../../contract/methods.ts'
import { type Selection, isSelected, selectWithin } from '../../protocol/answers/fields.ts'
import { type JsonText, jsonText, stringifyJson } from '../answers/json.ts'

export interface LightLists {
  /** Undefined if a lister process must make the list. */
  readonly make: <Made>(call: ListCall, make: () => Made) => { readonly made: Made } | undefined
}

/** Lists whose work grows only with the number of items in the store. */
const OF_ITEMS: ReadonlySet<MethodId> = new Set(['files.list', 'children.list'])

/** @param start - starts a stopwatch, which returns the ms since */
export function lightLists(start: () => () => number = stopwatch): LightLists {
  const until = new Map<number, number>()
  let spent = 0
  const isSlow = (user: number) => {
    const end = until.get(user)
    if (end !== undefined && end <= performance.now()) until.delete(user)
    return until.has(user)
  }
  return {
    make(call, make) {
      const { user } = call.caller
      if (spent >= LIGHT.turn || isSlow(user) || !isLight(call)) return undefined
      if (spent === 0) setImmediate(() => (spent = 0))
      const took = start()
      try {
        return { made: make() }
      } finally {
        const time = took()
        spent += time
        if (time > LIGHT.surprising) until.set(user, performance.now() + SLOW_USER_MS)
      }
    },
  }
}

/**
 * ms of this thread's work since the call: the smaller of elapsed and processor time, so that neither a busy machine
 * nor other threads count.
 */
function stopwatch(): () => number {
  const [began, used] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(used)
    return Math.min(performance.now() - began, (user + system) / 1000)
  }
}

/** Decides from the request alone, before any query. @throws 400 — as the list itself does */
export function isLight(call: ListCall): boolean {
  const { drive, method, parameters } = call
  const { q = '', orderBy, maxResults = LIGHT.page } = parameters
  // the page asks for it first: a process would start for it
  if (method.id === 'drives.list') return q === '' && isFewDrives(call)
  if (!OF_ITEMS.has(method.id) || maxResults > LIGHT.page || q.length > LIGHT.query) return false
  return isCheap(q, parseOrderBy(orderBy), readLimits(drive.store.read)['query-bytes']) && isSmall(call)
}

function isCheap(q: string, orders: readonly Order[], longest: number): boolean {
  const search = parseFileQuery(q, longest)
  if (search === undefined) return orders.length <= LIGHT.orders
  // even a few items may have long texts
  const hasWords = [...walkTests(search)].some((test) => test.kind === 'text' && isTermTest(test))
  return !hasWords && orders.length <= LIGHT.orders && estimateCost(search) <= LIGHT.cost
}

/** Keys are assigned in order, so that the last key bounds the number of items and is found at once. */
function isSmall({ drive }: ListCall): boolean {
  const { last } = drive.store.read.get<{ last: number | null }>('SELECT max(pk) AS last FROM files') ?? {}
  return (last ?? 0) <= LIGHT.items
}

function isFewDrives({ drive }: ListCall): boolean {
  const sql = 'SELECT count(*) AS drives FROM (SELECT 1 FROM drives LIMIT ?)'
  return (drive.store.read.get<{ drives: number }>(sql, LIGHT.drives + 1)?.drives ?? 0) <= LIGHT.drives
}

interface PageItems<View> {
  /** Adds the item if there is room, and returns true. The first item always fits. */
  readonly fits: (view: View) => boolean
  readonly items: readonly JsonText[]
}

/** Collects items up to `most` characters. If the response has no `items` field, none are written. */
export function pageItems<View>(
  most: number,
  selection: Selection | undefined,
  make: (view: View, inner: Selection) => unknown,
): PageItems<View> {
  const inner =
    selection !== undefined && isSelected(selection, 'items') ? selectWithin(selection, 'items') : undefined
  const items: JsonText[] = []
  let size = 0
  return {
    items,
    fits(view) {
      if (inner === undefined) return true
      const text = stringifyJson(make(view, inner))
      size += text.length
      if (items.length > 0 && size > most) return false
      items.push(jsonText(text))
      return true
    },
  }
}
