/** Documents whose typings stand in fields of their own, each written by itself. */
import { readable } from '../../input/encoding.ts'
import type { PersonFault as Fault } from '../../input/records/exchange/document-source.ts'
import { serologicTyping, type TypingField } from '../../input/records/exchange/source-typing.ts'
import type { Passage, PersonFault, TypingSite } from '../document.ts'
import type { Edit } from '../held-text.ts'
import { isSameTyping, isSerologic, spellAntigen, spellField } from '../spelling.ts'

/** The field says `text` instead. */
export type FieldEdit = (field: TypingField, text: string) => Edit

interface FieldPerson {
  readonly row: number
  readonly person: string
  /** Why the person cannot be read: nothing of it is changed. */
  readonly fault: Fault | undefined
  readonly fields: () => readonly TypingField[]
  readonly edit: FieldEdit
}

export function fieldItems({ row, person, fault, fields, edit }: FieldPerson): (Passage | PersonFault)[] {
  if (fault !== undefined) return [{ row, person, line: fault.line, path: fault.path, error: fault.error }]
  return fields().map((field) => new FieldPassage({ row, person }, field, edit))
}

/** One typing. An inventory has millions. */
class FieldPassage implements Passage, TypingSite {
  readonly row: number
  readonly person: string
  readonly cell: string
  readonly column: string
  readonly #field: TypingField
  readonly #edit: FieldEdit

  constructor({ row, person }: Pick<FieldPerson, 'row' | 'person'>, field: TypingField, edit: FieldEdit) {
    this.row = row
    this.person = person
    this.cell = readable(field.typing, 'utf8')
    this.column = `${field.locus}_${field.slot}`
    this.#field = field
    this.#edit = edit
  }

  get line(): number {
    return this.#field.line
  }

  get path(): string {
    return this.#field.path
  }

  get locus(): string {
    return this.#field.locus
  }

  get loci(): readonly string[] {
    return [this.#field.locus]
  }

  get sites(): readonly TypingSite[] {
    return [this]
  }

  spell(answer: string): string | undefined {
    const { text, locus } = this.#field
    if (isSameTyping(answer, this.cell)) return text
    if (!isSerologic(this.cell)) return spellField(answer, locus, text)
    // no antigen: the field stays
    return isSerologic(answer)
      ? spellAntigen(answer, serologicTyping(locus, '0').slice(0, -1), text)
      : undefined
  }

  edits([text]: readonly (string | undefined)[]): readonly Edit[] {
    return text === undefined || text === this.#field.text ? [] : [this.#edit(this.#field, text)]
  }
}
