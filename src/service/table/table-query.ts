/** Query parameters of a table, and their mapping to table options. */
import { messageText } from '../../operations/faces.ts'
import { readLeniencies } from '../../engine/accept.ts'
import { ALL_METHODS, DEFAULT_METHOD, METHODS_OR_ALL, releaseMethods } from '../../engine/reduce/methods.ts'
import { READING_PROPERTIES } from '../../operations/answers/lifting.ts'
import { ANTIGENS_PROPERTY } from '../../operations/options-schema.ts'
import type { InputSchema, Property, ValueOf } from '../../operations/schema.ts'
import { refuseIdle } from '../../options/check-options.ts'
import { memberOf, type OptionRow, queryName } from '../../options/option-row.ts'
import { type RawTableOptions, TABLE_OPTIONS } from '../../options/table-options.ts'
import type { Release } from '../../reference/release.ts'

/** Parameters for the question about each typing, and the file name. */
const OWN = {
  name: { type: 'string', description: 'the name of the file: its suffix says how it is written' },
  method: {
    type: 'array',
    items: { type: 'string', enum: METHODS_OR_ALL },
    description: `reduction methods (default ${DEFAULT_METHOD}), one column each; ${ALL_METHODS}: every one that the release has`,
  },
  antigens: ANTIGENS_PROPERTY,
  accept: READING_PROPERTIES.accept,
} as const satisfies InputSchema['properties']

const ROWS = (TABLE_OPTIONS as readonly OptionRow[]).filter(({ inQuery }) => inQuery !== undefined)

export const TABLE_QUERY = {
  type: 'object',
  properties: { ...OWN, ...Object.fromEntries(ROWS.map((row) => [queryName(row.name), propertyOf(row)])) },
  additionalProperties: false,
} satisfies InputSchema

function propertyOf(row: OptionRow): Property {
  const { name, value, reading, help, inQuery } = row
  const choices = Array.isArray(inQuery) ? inQuery : row.choices
  const text = messageText(help, 'query')
  const description = name.startsWith('no-') ? `false: ${text}` : text
  if (value === undefined) return { type: 'boolean', description }
  if (reading === 'number') return { type: 'integer', description, minimum: 0 }
  return { type: 'string', description, ...(choices === undefined ? {} : { enum: choices }) }
}

export type TableQuery = Partial<ValueOf<{ type: 'object'; properties: typeof OWN }>> &
  Readonly<Record<string, unknown>>

/** @throws {HlaError} bad-request — an unknown leniency; usage — an option without effect */
export function readTableQuery(query: TableQuery, { facts: { hasHats } }: Release) {
  const { name = '', method = [DEFAULT_METHOD], antigens, accept } = query
  const entries = ROWS.flatMap((row) => {
    const value = query[queryName(row.name)]
    return value === undefined ? [] : [[memberOf(row.name), readValue(value, row)] as const]
  })
  // each value has the type of its property
  const rawOptions = Object.fromEntries(entries) as RawTableOptions
  refuseIdle(TABLE_OPTIONS, rawOptions)
  return {
    // drops the client's path
    name: name.replace(/^.*[/\\]/s, '') || 'table.csv',
    methods: [...new Set(method.flatMap((one) => (one === ALL_METHODS ? releaseMethods(hasHats) : [one])))],
    accept: accept === undefined ? undefined : readLeniencies(accept),
    options: antigens === undefined ? undefined : { antigens },
    rawOptions,
  }
}

/** A single parameter holds all items. */
function readValue(value: unknown, { reading }: OptionRow): unknown {
  if (reading === 'each') return String(value).split(/\s+/)
  if (reading === 'words' || reading === 'list') return String(value).split(',')
  return value
}
