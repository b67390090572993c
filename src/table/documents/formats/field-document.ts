/** Documents whose typings stand in fields of their own: what a reader finds in them, each in its place. */
import { readable } from '../../input/encoding.ts'
import { serologicTyping } from '../../input/records/exchange/source-typing.ts'
import type { RecordSource, TypingRecord } from '../../input/records/typing-record.ts'
import type { DocumentBlock, Passage, PersonFault, TypingSite } from '../document.ts'
import type { Edit, HeldText } from '../held-text.ts'
import { isSameTyping, isSerologic, spellAntigen, spellField } from '../spelling.ts'

/** Where a typing is written, and how. */
export interface Field {
  /** What it says. */
  readonly source: string
  /** It says `text` instead. */
  readonly edit: (text: string) => Edit
}

export interface FieldFinder {
  /** undefined: nothing is written there. */
  readonly find: (person: number, path: string) => Field | undefined
  /** Nobody asks for these persons any more. Gives what can be written: all before it. */
  readonly passed: (person: number) => number
}

/** `root`: before the number of a person in the path of a record: `/donors`. */
export async function* fieldBlocks(
  source: RecordSource,
  { finder, held, root }: { readonly finder: FieldFinder; readonly held: HeldText; readonly root: RegExp },
): AsyncGenerator<DocumentBlock> {
  let persons = 0
  for await (const records of source.blocks()) {
    const items: (Passage | PersonFault)[] = []
    for (const record of records) {
      const [whole = '', number = ''] = root.exec(placeOf(record).path) ?? []
      persons = Math.max(persons, Number(number))
      const read = readRecord(record, persons, (path) => finder.find(persons, path.slice(whole.length)))
      if (read !== undefined) items.push(read)
    }
    yield { items, persons, upTo: finder.passed(persons) }
  }
  yield { items: [], persons, upTo: held.end }
}

function placeOf(record: TypingRecord): { readonly line: number; readonly path: string } {
  const { line, path = '' } = record.places?.find(record.locus, record.slot ?? 1) ?? record
  return { line, path }
}

/** A typing that is written in a field, or a person that cannot be read; undefined: neither. */
export function readRecord(
  record: TypingRecord,
  row: number,
  find: (path: string) => Field | undefined,
): Passage | PersonFault | undefined {
  const { line, path } = placeOf(record)
  const place = { row, person: readable(record.person ?? '', 'utf8'), line, path }
  if (record.error !== undefined) return { ...place, error: record.error }
  const field = record.typing === '' ? undefined : find(path)
  return field === undefined ? undefined : new FieldPassage(record, place, field)
}

/** One typing, written by itself. An inventory has millions. */
class FieldPassage implements Passage, TypingSite {
  readonly row: number
  readonly person: string
  readonly line: number
  readonly path: string
  readonly column: string
  readonly locus: string
  readonly cell: string
  readonly #field: Field

  constructor(record: TypingRecord, { row, person, line, path }: Omit<PersonFault, 'error'>, field: Field) {
    this.row = row
    this.person = person
    this.line = line
    this.path = path
    this.locus = readable(record.locus, 'utf8')
    this.cell = readable(record.typing, 'utf8')
    this.column = `${this.locus}_${record.slot ?? 1}`
    this.#field = field
  }

  get loci(): readonly string[] {
    return [this.locus]
  }

  get sites(): readonly TypingSite[] {
    return [this]
  }

  spell(answer: string): string | undefined {
    const { source } = this.#field
    if (isSameTyping(answer, this.cell)) return source
    if (!isSerologic(this.cell)) return spellField(answer, this.locus, source.trim())
    // no antigen: the field stays
    return isSerologic(answer) ? spellAntigen(answer, lettersOf(this.locus), source) : undefined
  }

  edits([text]: readonly (string | undefined)[]): readonly Edit[] {
    return text === undefined || text === this.#field.source ? [] : [this.#field.edit(text)]
  }
}

/** Before the number of an antigen of this locus. */
function lettersOf(locus: string): string {
  return serologicTyping(locus, '0').slice(0, -1)
}
