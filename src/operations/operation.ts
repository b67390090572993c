/** Operation: a single description from which command line, service and client are generated. */
import { type Advice } from '../advice.ts'
import { LOSS_KINDS, type Note } from '../errors.ts'
import type { CellFace } from './cell-face.ts'
import type { HttpFace } from './http-face.ts'
import type { Knowledge } from './knowledge.ts'
import { object, type InputSchema, type Property, type ValueOf } from './schema.ts'

export interface Example {
  /** Command as typed in a shell: `hla …`. */
  readonly command: string
  /** Expected standard output on 3.58.0, without the last line feed; undefined where each run prints another. */
  readonly output?: string
  readonly exit?: number
}

export interface Operation<I extends InputSchema = InputSchema, O extends InputSchema = InputSchema> {
  readonly name: string
  readonly group: 'reduce' | 'names' | 'meta'
  readonly summary: string
  readonly http: HttpFace<ValueOf<I>, ValueOf<O, Advice>>
  readonly input: I
  readonly output: O
  /** Input property filled by a positional argument or a line of standard input; undefined for none. */
  readonly subject: string | undefined
  /** Input properties filled by the first positional arguments, one each. */
  readonly leading?: readonly string[]
  /** Properties whose choices are separate command-line options: `--expand` for `direction`. */
  readonly choiceFlags?: readonly string[]
  /** Output property with the actual answer; null in the record of a failed input. */
  readonly answer: string
  /** Output properties that follow from the input alone; default is the subject and the method, under their names. */
  readonly repeats?: (input: ValueOf<I>) => Readonly<Record<string, string>>
  readonly examples: readonly Example[]
  readonly run: (input: ValueOf<I>, knowledge: Knowledge) => ValueOf<O, Advice>
  /** Text of the answer, one or several lines, without the last line feed. */
  readonly toText: (output: ValueOf<O, Advice>, input?: ValueOf<I>) => string
  /**
   * Columns of the csv, tsv and table formats, where `input, method, result, status` are insufficient; undefined for
   * inputs where they suffice.
   */
  readonly table?: {
    readonly columns: readonly string[] | ((input: ValueOf<I>) => readonly string[] | undefined)
    readonly row: (output: ValueOf<O, Advice>, input: ValueOf<I>) => readonly string[] | undefined
  }
  /** Conversion of table cells; undefined when the operation does not convert tables. */
  readonly cells?: CellFace<ValueOf<I>, ValueOf<O, Advice>>
  /** Compares tables: asks about each distinct typing, and outputs the negative answers. */
  readonly comparesTables?: boolean
  /** Matches the persons of tables; its arguments are then optional. */
  readonly matchesTables?: boolean
  /** Counts the persons of tables. */
  readonly countsTables?: boolean
  /** Bare answer, for outputs whose other properties repeat the request and `version`; undefined otherwise. */
  readonly brief?: (output: ValueOf<O, Advice>) => unknown
  /** Kinds of an answer for the summary; undefined for no counts by kind. */
  readonly tallyOf?: (output: ValueOf<O, Advice>) => readonly string[]
  /** True for a negative answer, which is printed with exit status 1. */
  readonly isNegative?: (output: ValueOf<O, Advice>) => boolean
}

/** Operation that converts table cells. */
export type CellOperation = Operation & { readonly cells: CellFace }

export function convertsCells(operation: Operation): operation is CellOperation {
  return operation.cells !== undefined
}

/** Names of the result columns of a typing; `details` adds the optional ones. */
export function cellColumns(
  { columns, detailColumns = [] }: CellFace,
  input: object,
  details: boolean,
): string[] {
  // the input belongs to this operation
  const namesOf = (list: CellFace['columns']) => (typeof list === 'function' ? list(input as never) : list)
  return [...namesOf(columns), ...(details ? namesOf(detailColumns) : [])]
}

/** The operation's own columns of the csv, tsv and table formats; undefined for the general ones. */
export function tableColumns({ table }: Operation, input: object): readonly string[] | undefined {
  const columns = table?.columns
  return typeof columns === 'function' ? columns(input) : columns
}

/** Preserves the exact schema types, which determine the type of `run`. */
export function defineOperation<const I extends InputSchema, const O extends InputSchema>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation
}

/** Notes in every answer; omitted when there are none. */
export const NOTES_SCHEMA = {
  type: 'array',
  description: 'remarks on a correct answer',
  items: object(['level', 'code', 'message'], {
    level: { type: 'string', enum: ['detail', 'note', 'warning'] },
    code: { type: 'string' },
    message: { type: 'string' },
    offending: { type: 'string' },
    position: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
    losses: {
      type: 'array',
      description: 'names that stand in the typing or in the list of its code, and not in the answer',
      items: object(['name', 'kind'], {
        name: { type: 'string' },
        kind: {
          type: 'string',
          enum: LOSS_KINDS,
          description:
            'letter: reduced to a name without its expression letter; renamed, retired, later or unknown: a member of a code that the release lists under another name, no longer, not yet, or that no list has',
        },
        present: {
          type: 'array',
          items: { type: 'string' },
          description: 'names of a renamed member in the release',
        },
        lifted: {
          type: 'boolean',
          description: 'true: the code was read with the present name; absent: the member was left out',
        },
        since: { type: 'string', description: 'release that first lists a later member' },
      }),
    },
  }),
} as const satisfies Property

export type NoteRecord = ValueOf<typeof NOTES_SCHEMA>[number]

/** `{ notes }`, or an empty object without notes. */
export function withNotes(notes: readonly Note[]): { notes?: NoteRecord[] } {
  if (notes.length === 0) return {}
  return { notes: notes.map(noteRecord) }
}

function noteRecord({ level, code, message, offending, position, losses }: Note): NoteRecord {
  return {
    level,
    code,
    message,
    ...(offending === undefined ? {} : { offending }),
    ...(losses === undefined
      ? {}
      : {
          losses: losses.map(({ present, ...loss }) => ({
            ...loss,
            ...(present && { present: [...present] }),
          })),
        }),
    ...(position === undefined ? {} : { position: [...position] }),
  }
}

/** Value of the service's `ipd_version`: 3.58.0 is 3580. */
export function ipdVersion({ release }: Knowledge): number {
  return Number(release.facts.compact)
}

/** `{ dataset: 'starter' }` for the starter set, else an empty object. */
export function describeDataset({ release }: Knowledge): { dataset?: 'starter' } {
  return release.facts.dataset === 'starter' ? { dataset: 'starter' } : {}
}

export const DATASET_SCHEMA = {
  type: 'string',
  enum: ['starter'],
  description: 'the built-in starter set answered',
} as const
