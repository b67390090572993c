/** Documents whose typings stand in fields of their own: what a reader finds in them, each in its place. */
import { readable } from '../../input/encoding.ts'
import { serologicTyping } from '../../input/records/exchange/source-typing.ts'
import type { RecordSource, TypingRecord } from '../../input/records/typing-record.ts'
import type { DocumentBlock, Passage, PersonFault } from '../document.ts'
import type { HeldText } from '../held-text.ts'
import { isSameTyping, isSerologic, spellAntigen, spellField } from '../spelling.ts'

/** Where a typing is written, and how. */
export interface Field {
  readonly start: number
  readonly end: number
  /** What it says. */
  readonly source: string
  /** What stands there for a text. */
  readonly write: (text: string) => string
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
    const passages: Passage[] = []
    const faults: PersonFault[] = []
    for (const record of records) {
      const { line, path = '' } = record.places?.find(record.locus, record.slot ?? 1) ?? record
      const [whole = '', number = ''] = root.exec(path) ?? []
      const row = Number(number)
      persons = Math.max(persons, row)
      const person = readable(record.person ?? '', 'utf8')
      if (record.error !== undefined) faults.push({ row, person, line, path, error: record.error })
      const field = record.typing === '' ? undefined : finder.find(row, path.slice(whole.length))
      if (field !== undefined) passages.push(passage(record, { row, person, line, path, field }))
    }
    yield { passages, faults, persons, upTo: finder.passed(persons) }
  }
  yield { passages: [], faults: [], persons, upTo: held.end }
}

interface Place {
  readonly row: number
  readonly person: string
  readonly line: number
  readonly path: string
  readonly field: Field
}

function passage(record: TypingRecord, { field, ...place }: Place): Passage {
  const { start, end, source, write } = field
  const [locus, cell] = [readable(record.locus, 'utf8'), readable(record.typing, 'utf8')]
  const site = {
    ...place,
    column: `${locus}_${record.slot ?? 1}`,
    locus,
    loci: [locus],
    cell,
    spell(answer: string) {
      if (isSameTyping(answer, cell)) return source
      if (!isSerologic(cell)) return spellField(answer, locus, source.trim())
      // no antigen: the field stays
      return isSerologic(answer) ? spellAntigen(answer, lettersOf(locus), source) : undefined
    },
  }
  return {
    sites: [site],
    edits: ([text]) => (text === undefined || text === source ? [] : [{ start, end, text: write(text) }]),
  }
}

/** Before the number of an antigen of this locus. */
function lettersOf(locus: string): string {
  return serologicTyping(locus, '0').slice(0, -1)
}
