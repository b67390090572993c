/** Operation: what a user can ask, described once; the command line, the service and its client are made from it. */
import { type Advice } from '../advice.ts'
import type { Note } from '../errors.ts'
import type { CellFace } from './cell-face.ts'
import type { HttpFace } from './http-face.ts'
import type { Knowledge } from './knowledge.ts'
import type { InputSchema, Property, ValueOf } from './schema.ts'

export interface Example {
  /** As typed at a shell, `hla …`. */
  readonly command: string
  /** Standard output of it on 3.58.0, without the last line feed. */
  readonly output: string
  readonly exit?: number
}

export interface Operation<I extends InputSchema = InputSchema, O extends InputSchema = InputSchema> {
  readonly name: string
  readonly group: 'reduce' | 'names' | 'meta'
  readonly summary: string
  readonly http: HttpFace<ValueOf<I>, ValueOf<O, Advice>>
  readonly input: I
  readonly output: O
  /** The property of the input that a positional argument or a line of standard input fills; undefined takes none. */
  readonly subject: string | undefined
  /** Properties that the first positional arguments fill, one each. */
  readonly leading?: readonly string[]
  /** Properties whose choices are options of their own on the command line: `--expand` for `direction`. */
  readonly choiceFlags?: readonly string[]
  /** The property of the output that holds the answer proper; null in the record of a failed input. */
  readonly answer: string
  /** Members of the output that follow from the input alone; undefined: the subject and the method, under their names. */
  readonly repeats?: (input: ValueOf<I>) => Readonly<Record<string, string>>
  readonly examples: readonly Example[]
  readonly run: (input: ValueOf<I>, knowledge: Knowledge) => ValueOf<O, Advice>
  /** One line, or several for what is read by people; without the last line feed. */
  readonly toText: (output: ValueOf<O, Advice>) => string
  /** Columns of the csv, tsv and table formats, where `input, method, result, status` would say too little. */
  readonly table?: {
    readonly columns: readonly string[]
    readonly row: (output: ValueOf<O, Advice>) => readonly string[]
  }
  /** What the cells of a table become; undefined: tables are not converted. */
  readonly cells?: CellFace<ValueOf<I>, ValueOf<O, Advice>>
  /** The distinct typings of a table are asked about, and the answers that are no are the result. */
  readonly comparesTables?: boolean
  /** The answer alone, where the rest of the output is what the request and `version` say too; undefined: it is not. */
  readonly brief?: (output: ValueOf<O, Advice>) => unknown
  /** What an answer counts as in the summary at the end; undefined makes no such counts. */
  readonly tallyOf?: (output: ValueOf<O, Advice>) => readonly string[]
  /** Answers that are no: a negative answer is printed, and the exit status is 1. */
  readonly isNegative?: (output: ValueOf<O, Advice>) => boolean
}

/** An operation that makes something of the cells of tables. */
export type CellOperation = Operation & { readonly cells: CellFace }

export function convertsCells(operation: Operation): operation is CellOperation {
  return operation.cells !== undefined
}

/** Names of the columns that a typing becomes, with `details` also of those that not everybody wants. */
export function cellColumns(
  { columns, detailColumns = [] }: CellFace,
  input: object,
  details: boolean,
): string[] {
  // inputs are of the operation
  const namesOf = (list: CellFace['columns']) => (typeof list === 'function' ? list(input as never) : list)
  return [...namesOf(columns), ...(details ? namesOf(detailColumns) : [])]
}

/** Keeps the exact types of the two schemas, so that `run` is typed by them. */
export function defineOperation<const I extends InputSchema, const O extends InputSchema>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation
}

/** Notes as every answer carries them; absent when there are none. */
export const NOTES_SCHEMA = {
  type: 'array',
  description: 'remarks on a correct answer',
  items: {
    type: 'object',
    properties: {
      level: { type: 'string', enum: ['detail', 'note', 'warning'] },
      code: { type: 'string' },
      message: { type: 'string' },
      offending: { type: 'string' },
      position: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      renamed: {
        type: 'object',
        description: 'a member of a code that the release has under another name',
        properties: {
          member: { type: 'string', description: 'as the code has it' },
          name: { type: 'string', description: 'as the release has it' },
          code: { type: 'string' },
          lifted: { type: 'boolean', description: 'the code is read with the name; else without the member' },
        },
        required: ['member', 'name', 'code'],
        additionalProperties: false,
      },
    },
    required: ['level', 'code', 'message'],
    additionalProperties: false,
  },
} as const satisfies Property

export type NoteRecord = ValueOf<typeof NOTES_SCHEMA>[number]

/** `{ notes }`, or nothing when there are none. */
export function withNotes(notes: readonly Note[]): { notes?: NoteRecord[] } {
  if (notes.length === 0) return {}
  return { notes: notes.map(noteRecord) }
}

function noteRecord({ level, code, message, offending, position, renamed }: Note): NoteRecord {
  return {
    level,
    code,
    message,
    ...(offending === undefined ? {} : { offending }),
    ...(renamed === undefined ? {} : { renamed }),
    ...(position === undefined ? {} : { position: [...position] }),
  }
}

/** The service's `ipd_version`: 3.58.0 is 3580. */
export function ipdVersion({ release }: Knowledge): number {
  return Number(release.facts.compact)
}

/** `{ dataset: 'starter' }` for the starter set, nothing for a full release. */
export function describeDataset({ release }: Knowledge): { dataset?: 'starter' } {
  return release.facts.dataset === 'starter' ? { dataset: 'starter' } : {}
}

export const DATASET_SCHEMA = {
  type: 'string',
  enum: ['starter'],
  description: 'the built-in starter set answered',
} as const
