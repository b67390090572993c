/** Positions of each typing's fields in a row of the row writer. Pure. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import { resultName } from '../plan/result-columns.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import { type Quoting, unquoteField } from '../input/split-row.ts'
import { type Encoding, encodeByteText } from '../input/encoding.ts'

/** Positions of one typing's fields in an output row. */
export interface TypingFields {
  /** Column of the table. */
  readonly column: number
  readonly subject: string
  readonly locus: string
  /** 1 or 2; empty for the only column of a locus. */
  readonly slot: string
  readonly source: number | undefined
  readonly results: readonly number[]
  /** Fields whose content decides whether the typing is empty. */
  readonly at: readonly number[]
}

interface LongLayout {
  readonly head: readonly string[]
  /** Person fields, in the order of the table. */
  readonly person: readonly number[]
  readonly typings: readonly TypingFields[]
  readonly hasSubjects: boolean
  /** Number of fields in a row; those after them belong to no column. */
  readonly width: number
}

/**
 * Results follow their source, replace it, or follow all columns.
 * @throws {HlaError} usage — whole GL Strings have no single locus
 */
export function longLayout(plan: TablePlan, request: WriteRequest, output: OutputColumns): LongLayout {
  const groups = typedColumns(plan)
  const { person, places, reported, width } = findPlaces(plan, request, output)
  const typings = [...groups].map(([column, { group, slot }]) => {
    const { source, results = [] } = places.get(column) ?? {}
    return {
      column,
      subject: group.subject,
      locus: group.locus ?? '',
      slot,
      source,
      results: [...results, ...reported],
      at: [...results, ...(source === undefined ? [] : [source])],
    }
  })
  const { into, dropSource, name, results: names } = request
  const hasSubjects = new Set(plan.groups.map(({ subject }) => subject)).size > 1
  const made = into === 'replace' ? [] : names.map((one) => resultName(name, 'typing', one))
  const head = [
    ...(hasSubjects ? ['person'] : []),
    'locus',
    'allele',
    ...(dropSource ? [] : ['typing']),
    ...made,
    ...output.report,
  ]
  return { head, person, typings, hasSubjects, width }
}

type Group = TablePlan['groups'][number]

function typedColumns({ groups, header }: TablePlan): ReadonlyMap<number, { group: Group; slot: string }> {
  const whole = groups.find(({ locus }) => locus === undefined)
  if (whole !== undefined)
    throw new HlaError(
      'usage',
      advice`${option('shape', 'long')} needs one locus per column: ${header.labels[whole.columns[0] ?? 0] ?? ''} holds GL Strings`,
      { hint: advice`${option('input-format', 'gl')} splits them by locus` },
    )
  return new Map(
    groups.flatMap((group) =>
      group.columns.map((column, at) => {
        const slot = group.columns.length > 1 ? String(at + 1) : ''
        return [column, { group, slot }] as const
      }),
    ),
  )
}

interface Place {
  readonly source: number | undefined
  readonly results: number[]
}

function findPlaces(
  { groups, header }: TablePlan,
  { into, dropSource }: WriteRequest,
  { results, report }: OutputColumns,
) {
  const typed = new Set(groups.flatMap(({ columns }) => columns))
  const person: number[] = []
  const places = new Map<number, Place>()
  let width = 0
  const next = () => (width += 1) - 1
  const nextResults = (column: number) => (results.get(column) ?? []).map(next)
  for (let column = 0; column < header.width; column += 1) {
    if (typed.has(column)) {
      const source = dropSource ? undefined : next()
      places.set(column, { source, results: into === 'after' ? nextResults(column) : [] })
    } else person.push(next())
  }
  if (into === 'append')
    for (const column of results.keys()) places.get(column)?.results.push(...nextResults(column))
  return { person, places, reported: report.map(next), width }
}

interface LongRows {
  /** Header cells, from those of its one or two lines. */
  readonly head: (cells: readonly string[], above: readonly string[]) => readonly string[]
  /**
   * One row per typing, from the written cells of a row; for a person without any, one row that says so. A typing in a
   * blank cell stands in the report of failures alone.
   */
  readonly rows: (
    cells: readonly string[],
    isTyped: (column: number) => boolean,
  ) => readonly (readonly string[])[]
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
    rows(cells, isTyped) {
      const known = person.map((at) => cells[at] ?? '')
      const row = (typing: TypingFields) => [
        ...known,
        ...before(typing),
        ...(typing.source === undefined ? [] : [cells[typing.source] ?? '']),
        ...typing.results.map((at) => cells[at] ?? ''),
        ...cells.slice(width),
      ]
      const filled = typings.filter(
        ({ column, at }) => isTyped(column) || !at.every((one) => isEmpty(cells[one])),
      )
      if (filled.length > 0) return filled.map(row)
      const [first] = typings
      return first === undefined ? [] : [row({ ...first, locus: '', slot: '' })]
    },
  }
}

/** Fields between person and typing. */
export function longFields({ hasSubjects }: LongLayout, { subject, locus, slot }: TypingFields): string[] {
  return [...(hasSubjects ? [subject] : []), locus, slot]
}
