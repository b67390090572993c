/** Who answers operations, here or far away, and the one check of what came from outside, for every face. */
import { ALL_METHODS, METHOD_NAMES, METHODS_OR_ALL, parseMethod } from '../engine/reduce/methods.ts'
import { type CodeReducer, codeReducer } from '../engine/reduce/reduce-code.ts'
import type { EngineMemory } from '../engine/memory.ts'
import { HlaError, type Note } from '../errors.ts'
import { type Knowledge, spentBudget, withBudget } from './knowledge.ts'
import type { OperationRequest } from './operation-request.ts'
import type { Operation } from './operation.ts'
import { operationNamed } from './registry.ts'
import type { InputSchema, Property } from './schema.ts'

/** The one check of what came from outside against an operation's input schema, for every face: flat objects of texts, numbers and lists. */
export interface CheckedInput {
  /** Properties of the schema alone; methods by their own names. */
  readonly input: Readonly<Record<string, unknown>>
  /** Members that the schema does not have. */
  readonly notes: readonly Note[]
}

/**
 * Members that the schema does not have are left out, and said.
 * @throws {HlaError} bad-request — no object, a missing property, or one of the wrong type; unknown-method
 */
export function readInput(schema: InputSchema, given: unknown): CheckedInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new HlaError('bad-request', 'a request is one JSON object')
  }
  const { properties, required = [] } = schema
  const input: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [key, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (property === undefined) unknown.push(key)
    // callers in TypeScript may name what they do not give
    else if (value !== undefined) input[key] = readValue(key, value, property)
  }
  for (const key of required) {
    if (!Object.hasOwn(input, key)) throw new HlaError('bad-request', `${key} is missing`)
  }
  if (unknown.length === 0) return { input, notes: [] }
  const message = `ignored: ${unknownText(unknown, properties)}`
  return { input, notes: [{ level: 'warning', code: 'ignored-property', message }] }
}

/** For callers whose members are options, none of which may be passed over. @throws {HlaError} bad-request */
export function refuseUnknown({ properties }: InputSchema, given: object): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0)
    throw new HlaError('bad-request', `unknown property ${unknownText(unknown, properties)}`)
}

const MOST_NAMED = 5
const LONGEST_NAME = 60

function unknownText(unknown: readonly string[], properties: InputSchema['properties']): string {
  const names = unknown.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, LONGEST_NAME)))
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : ''
  const known = Object.keys(properties).join(', ')
  return `${names.join(', ')}${more}; properties are ${known === '' ? 'none' : known}`
}

function readValue(key: string, value: unknown, property: Property): unknown {
  const { enum: choices, minimum, items } = property
  if (!isOfType(value, property)) throw wrong(key, TYPE_NOUNS[property.type])
  // methods have aliases, and an error of their own that knows what was meant
  if (choices === METHODS_OR_ALL && String(value).toLowerCase() === ALL_METHODS) return ALL_METHODS
  if (choices === METHOD_NAMES || choices === METHODS_OR_ALL) return parseMethod(String(value))
  if (choices !== undefined && !choices.includes(String(value)))
    throw wrong(key, `one of ${choices.join(', ')}`)
  if (minimum !== undefined && Number(value) < minimum) throw wrong(key, `${minimum} or more`)
  if (items === undefined || !Array.isArray(value)) return value
  return value.map((item) => readValue(`each of ${key}`, item, items))
}

/** For messages: `key must be …`. */
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
   * The output of an operation.
   * @throws {HlaError} whatever is wrong with the input
   */
  readonly execute: (operation: string, input: unknown) => unknown
  /** Where each question costs a journey: asks them together; the executor it gives knows these answers, and no others. */
  readonly ahead?: (questions: readonly OperationRequest[]) => Promise<Executor>
  /** For who asks `input` of very many codes; undefined where there is no shorter way than `execute`. */
  readonly codes?: (operation: string, input: Readonly<Record<string, unknown>>) => KnownCodes | undefined
  /** What is remembered here; undefined where the answers are far away. */
  readonly memory?: EngineMemory
  /** Where advice is limited: the same without any, for who asks what may be asked again. */
  readonly withoutAdvice?: Executor
}

/** An executor that answers these questions at once: itself, where it is here. */
export function readyExecutor(
  executor: Executor,
  questions: () => readonly OperationRequest[],
): Promise<Executor> | Executor {
  return executor.ahead === undefined ? executor : executor.ahead(questions())
}

/** The output, with what was said when its input was checked. */
export function answerChecked(
  operation: Operation,
  { input, notes }: CheckedInput,
  knowledge: Knowledge,
): Readonly<Record<string, unknown>> {
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
    memory: knowledge.memory,
    codes: (operation, input) => (operation === 'redux' ? knownCodes(input, knowledge) : undefined),
  }
}

/** As a `CodeReducer` answers, without notes. */
export type KnownCodes = CodeReducer

/**
 * The answers of redux to codes that differ little from codes before: a registry writes 150,000 of them. Undefined when the input asks
 * for more than a method and options.
 */
function knownCodes(
  { reduction_method, options, ...others }: Readonly<Record<string, unknown>>,
  knowledge: Knowledge,
): KnownCodes | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const engine = knowledge.engine(options)
  // such suffixes are written like codes, and sort behind all others
  if (engine.options.ignoredSuffixes.length > 0) return undefined
  const method = parseMethod(String(reduction_method))
  const limit = engine.options.limit || Infinity
  const reduce = codeReducer(engine, method)
  return (before, code) => {
    const parts = reduce(before, code)
    return parts === undefined || parts.length > limit ? undefined : parts
  }
}
