/** A row of the converted table as rows of typings: the person, the locus, which typing it is, and its results. Pure. */
import { unquoteField, type Quoting } from '../input/split-row.ts'
import { encodeByteText, type Encoding } from '../input/encoding.ts'
import type { LongLayout, TypingFields } from './long-layout.ts'

export interface LongRows {
  /** Cells of the header, from those of its one or two lines. */
  readonly head: (cells: readonly string[], above: readonly string[]) => readonly string[]
  /** One row a typing, from the cells of a row as they are written; of a person without any, one that says so. */
  readonly rows: (cells: readonly string[]) => readonly (readonly string[])[]
}

export function longRows(layout: LongLayout, quoting: Quoting, encoding: Encoding): LongRows {
  const { person, typings, width } = layout
  const field = (text: string) => unquoteField(encodeByteText(text, encoding), quoting) ?? ''
  const isEmpty = (cell = '') => cell === '' || cell === `${quoting.quote}${quoting.quote}`
  const before = (typing: TypingFields) => longFields(layout, typing).map(field)
  return {
    head: (cells, above) => [
      ...person.map((at) => cells[at] || (above[at] ?? '')),
      ...layout.head.map(field),
    ],
    rows(cells) {
      const known = person.map((at) => cells[at] ?? '')
      const row = (typing: TypingFields) => [
        ...known,
        ...before(typing),
        ...(typing.source === undefined ? [] : [cells[typing.source] ?? '']),
        ...typing.results.map((at) => cells[at] ?? ''),
        ...cells.slice(width),
      ]
      const filled = typings.filter(({ at }) => !at.every((one) => isEmpty(cells[one])))
      if (filled.length > 0) return filled.map(row)
      const [first] = typings
      return first === undefined ? [] : [row({ ...first, locus: '', slot: '' })]
    },
  }
}

/** What stands between the person and the typing. */
export function longFields({ hasSubjects }: LongLayout, { subject, locus, slot }: TypingFields): string[] {
  return [...(hasSubjects ? [subject] : []), locus, slot]
}
