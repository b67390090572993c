/** The items of one page as text, until it is full. */
import { type Selection, wants, within } from '../../protocol/answers/fields.ts'
import { type JsonText, stringifyJson, jsonText } from '../answers/json.ts'

export interface PageItems<View> {
  /** Whether there is room for it: then it is one of them. The first always fits. */
  readonly fits: (view: View) => boolean
  readonly items: readonly JsonText[]
}

/** Characters: what the limit allows. Nothing is made where no items are asked for. */
export function pageItems<View>(
  most: number,
  selection: Selection | undefined,
  make: (view: View, inner: Selection) => unknown,
): PageItems<View> {
  const inner = selection !== undefined && wants(selection, 'items') ? within(selection, 'items') : undefined
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
