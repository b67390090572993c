/** Executors, which answer operations locally or remotely, and the only check of external input, for every face. */
import { ALL_METHODS, METHOD_NAMES, METHODS_OR_ALL, parseMethod } from '../engine/reduce/methods.ts'
import { HlaError, type Note } from '../errors.ts'
import { type Knowledge, spentBudget, withBudget } from './knowledge.ts'
import { parseReleaseNumber } from '../reference/release-number.ts'
import type { OperationRequest } from './operation-request.ts'
import type { Operation } from './operation.ts'
import { operationNamed } from './registry.ts'
import type { InputSchema, Property } from './schema.ts'

/**
 * Result of the only check of external input against an operation's schema, for every face: flat objects of texts,
 * numbers and lists.
 */
export interface CheckedInput {
  /** Properties of the schema only; methods under their canonical names. */
  readonly input: Readonly<Record<string, unknown>>
  /** Warnings about unknown properties. */
  readonly notes: readonly Note[]
  /** Release that the request names although the operation takes no release; undefined if it names none. */
  readonly release?: string
}

/** Properties by which clients name a release. They are compared with the data, since ignoring one answers by another release. */
const RELEASE_PROPERTIES = new Set(['release', 'imgt_version', 'ipd_version', 'db_version', 'from'])

/**
 * Drops unknown properties, with a note.
 * @throws {HlaError} bad-request — not an object, a missing property, or a wrong type; unknown-method
 */
export function readInput(schema: InputSchema, given: unknown): CheckedInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HlaError('bad-request', 'a request is one JSON object')
  }
  const { properties, required = [] } = schema
  const input: Record<string, unknown> = {}
  const unknown: string[] = []
  let release: string | undefined
  for (const [key, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (property === undefined && value !== undefined && RELEASE_PROPERTIES.has(key))
      release ??= readRelease(key, value)
    else if (property === undefined) unknown.push(key)
    // TypeScript callers may pass undefined for omitted properties
    else if (value !== undefined) input[key] = readValue(key, value, property)
  }
  for (const key of required) {
    if (!Object.hasOwn(input, key)) throw new HlaError('bad-request', `${key} is missing`)
  }
  const named = release === undefined ? {} : { release }
  if (unknown.length === 0) return { input, notes: [], ...named }
  const message = `ignored: ${unknownText(unknown, properties)}`
  return { input, notes: [{ level: 'warning', code: 'ignored-property', message }], ...named }
}

/** Undefined where the client leaves the choice to the service. */
function readRelease(key: string, value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw wrong(key, 'a release such as 3.58.0')
}

/** @throws {HlaError} pin — the request names another release than the data; unknown-release */
function requireRelease(asked: string, { release: { facts }, identity, installed }: Knowledge): void {
  if (asked === 'active' || (asked === 'starter' && facts.dataset === 'starter')) return
  const { name, label } = parseReleaseNumber(asked)
  const own = identity.id?.split('+')[0] ?? facts.label
  if (name === own || (name === label && label === facts.label)) return
  const others = installed().filter((one) => one !== own)
  const hint = others.length === 0 ? undefined : `installed there, too: ${others.join(', ')}`
  throw new HlaError('pin', `answers come from IPD-IMGT/HLA ${own}, you asked for ${name}`, {
    offending: asked,
    hint,
  })
}

/** For callers whose properties are options, none of which may be ignored. @throws {HlaError} bad-request */
export function refuseUnknown({ properties }: InputSchema, given: object): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0)
    throw new HlaError('bad-request', `unknown property ${unknownText(unknown, properties)}`)
}

const MAX_NAMED = 5
const MAX_NAME_LENGTH = 60

function unknownText(unknown: readonly string[], properties: InputSchema['properties']): string {
  const names = unknown.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, MAX_NAME_LENGTH)))
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : ''
  const known = Object.keys(properties).join(', ')
  return `${names.join(', ')}${more}; properties are ${known === '' ? 'none' : known}`
}

function readValue(key: string, value: unknown, property: Property): unknown {
  const { enum: choices, minimum, maximum, items } = property
  if (!isOfType(value, property)) throw wrong(key, TYPE_NOUNS[property.type])
  // methods have aliases, and an error with suggestions
  if (choices === METHODS_OR_ALL && String(value).toLowerCase() === ALL_METHODS) return ALL_METHODS
  if (choices === METHOD_NAMES || choices === METHODS_OR_ALL) return parseMethod(String(value))
  if (choices !== undefined && !choices.includes(String(value)))
    throw wrong(key, `one of ${choices.join(', ')}`)
  if (minimum !== undefined && Number(value) < minimum) throw wrong(key, `${minimum} or more`)
  if (maximum !== undefined && Number(value) > maximum) throw wrong(key, `${maximum} or less`)
  if (items === undefined || !Array.isArray(value)) return value
  return value.map((item) => readValue(`each of ${key}`, item, items))
}

/** Nouns for messages: `key must be …`. */
export const TYPE_NOUNS: Readonly<Record<Property['type'], string>> = {
  string: 'a text', integer: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object',
} // prettier-ignore

export function isOfType(value: unknown, { type }: Property): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return value !== null && !Array.isArray(value) && typeof value === type
}

function wrong(key: string, right: string): HlaError {
  return new HlaError('bad-request', `${key} must be ${right}`, { offending: key })
}

export interface Executor {
  /**
   * Output of an operation.
   * @throws {HlaError} an error of the input
   */
  readonly execute: (operation: string, input: unknown) => unknown
  /** For remote executors: sends the questions together, and returns an executor that knows exactly these answers. */
  readonly ahead?: (questions: readonly OperationRequest[]) => Promise<Executor>
  /** With limited advice: the same executor without advice, for questions that may be repeated. */
  readonly withoutAdvice?: Executor
}

/** Executor with the answers to these questions; a local executor itself. */
export function readyExecutor(
  executor: Executor,
  questions: () => readonly OperationRequest[],
): Promise<Executor> | Executor {
  return executor.ahead === undefined ? executor : executor.ahead(questions())
}

/** Output with the notes from checking the input. */
export function answerChecked(
  operation: Operation,
  { input, notes, release }: CheckedInput,
  knowledge: Knowledge,
): Readonly<Record<string, unknown>> {
  if (release !== undefined) requireRelease(release, knowledge)
  // readInput checked it against the operation's own schema
  const output = operation.run(input as never, knowledge) as Readonly<Record<string, unknown>>
  if (notes.length === 0) return output
  const own = output['notes']
  return { ...output, notes: [...notes, ...(Array.isArray(own) ? own : [])] }
}

export function localExecutor(knowledge: Knowledge): Executor {
  if (knowledge.advice === undefined) return plainExecutor(knowledge)
  return {
    ...plainExecutor(knowledge),
    get withoutAdvice() {
      return plainExecutor(withBudget(knowledge, spentBudget()))
    },
  }
}

function plainExecutor(knowledge: Knowledge): Executor {
  return {
    execute(name, given) {
      const operation = operationNamed(name)
      return answerChecked(operation, readInput(operation.input, given), knowledge)
    },
  }
}
