/** Answers that are lists: an envelope and its items. */
import { type Selection, selectFields, wants, within } from '../../protocol/answers/fields.ts'
import { type CallAnswer, resource } from '../requests/call.ts'

export interface ListParts {
  readonly etag: string | undefined
  /** All members but the items. */
  readonly envelope: Readonly<Record<string, unknown>>
  /** `selection` is that of one item. */
  readonly items: (selection: Selection) => readonly unknown[]
}

export function listAnswer({ etag, envelope, items }: ListParts): CallAnswer {
  return resource(etag, (selection) => ({
    ...selectFields(envelope, { ...selection, isWhole: false }),
    ...(wants(selection, 'items') ? { items: items(within(selection, 'items')) } : {}),
  }))
}
