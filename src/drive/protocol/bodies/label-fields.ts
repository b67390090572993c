/** The fields of a label, as the operator defines them (spec 20): JSON, checked. */
import { invalid } from '../../contract/failure.ts'
import { isRecord } from './body.ts'

export const VALUE_TYPES = ['text', 'integer', 'dateString', 'selection', 'user'] as const

export type ValueType = (typeof VALUE_TYPES)[number]

export interface LabelField {
  readonly id: string
  readonly valueType: ValueType
  /** Of a selection: what can be selected. */
  readonly choices?: readonly string[]
  /** Of a text: characters. */
  readonly maxLength?: number
  /** One unless said. */
  readonly maxValues?: number
}

const ID = /^[\w-]{1,64}$/
const MEMBERS: ReadonlySet<string> = new Set(['id', 'valueType', 'choices', 'maxLength', 'maxValues'])
const MOST_FIELDS = 50
const MOST_CHOICES = 200

export function isLabelId(id: string): boolean {
  return ID.test(id)
}

/** @throws {StorageFailure} 400 invalid */
export function readLabelFields(text: string): LabelField[] {
  const given = parsed(text)
  if (!Array.isArray(given) || given.length > MOST_FIELDS)
    throw invalid(`The fields of a label must be a JSON array of at most ${MOST_FIELDS}.`)
  const fields = given.map(readField)
  if (new Set(fields.map(({ id }) => id)).size < fields.length)
    throw invalid('Two fields of a label have the same id.')
  return fields
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid('The fields of a label must be JSON.')
  }
}

function readField(given: unknown): LabelField {
  if (!isRecord(given)) throw invalid('A field of a label must be an object.')
  const { id, valueType: type, choices, maxLength, maxValues } = given
  const valueType = VALUE_TYPES.find((known) => known === type)
  const stranger = Object.keys(given).find((name) => !MEMBERS.has(name))
  if (stranger !== undefined) throw invalid(`There is nothing of a field that is called ${stranger}.`)
  if (typeof id !== 'string' || !ID.test(id))
    throw invalid('A field of a label needs an id of letters, digits, _ and -.')
  if (valueType === undefined)
    throw invalid(`The valueType of ${id} must be one of ${VALUE_TYPES.join(', ')}.`)
  if ((valueType === 'selection') !== isChoices(choices))
    throw invalid(`${id} needs choices if it is a selection, and has none otherwise.`)
  for (const count of [maxLength, maxValues])
    if (count !== undefined && !isCount(count))
      throw invalid(`The limits of ${id} must be whole numbers from 1 on.`)
  return {
    id,
    valueType,
    ...(isChoices(choices) ? { choices } : {}),
    ...(isCount(maxLength) ? { maxLength } : {}),
    ...(isCount(maxValues) ? { maxValues } : {}),
  }
}

function isChoices(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_CHOICES &&
    value.every((one) => typeof one === 'string' && ID.test(one))
  )
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
