/**
 * Checks a service's answer against the question and the operation's schema. An answer that does not fit is rejected
 * as a whole.
 */
import { HlaError } from '../errors.ts'
import { PROBLEM_SCHEMA } from '../operations/answers/problem.ts'
import { answerEcho, type Echo, questionEcho } from '../operations/echo.ts'
import { isOfType, TYPE_NOUNS } from '../operations/executor.ts'
import { isRecord } from '../operations/http-face.ts'
import { showCharacter } from '../nomenclature/grammar.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import type { Operation } from '../operations/operation.ts'
import type { InputSchema, Property } from '../operations/schema.ts'

type Values = Readonly<Record<string, unknown>>

export interface ServiceIdentity {
  readonly url: string
  /** `ipd_version` of its GET /version. */
  readonly ipdVersion: string
}

/**
 * Returns the answer if it belongs to this question.
 * @throws {HlaError} remote — it does not; pin — it is from another release
 */
export function checkAnswer(
  service: ServiceIdentity,
  operation: Operation,
  input: Values,
  answer: Values,
): Values {
  const { output } = operation
  const question = { operation: operation.name, input }
  const echo = answerEcho(operation, input)
  const reason =
    misfitMember(answer, output) ??
    differentEcho(answer, echo) ??
    controlCharacter(answer[operation.answer], operation.answer) ??
    foreignCharacter(answer, echo) ??
    (hasControlCharacter(input) ? undefined : controlCharacter(answer, 'it'))
  if (reason !== undefined) throw unfitAnswer(service.url, question, reason)
  checkSameRelease(service, answer['ipd_version'])
  return answer
}

/** @throws {HlaError} remote — a reduction without a name */
export function requireName(url: string, question: OperationRequest, answer: Values): Values {
  if (answer['ard'] === '') throw unfitAnswer(url, question, 'ard is empty')
  return answer
}

/**
 * Returns the error record if it can belong to this question; `echo` is what the service repeats of the question, if
 * anything.
 */
export function checkError(url: string, question: OperationRequest, record: Values, echo: Values): Values {
  const reason =
    misfitMember(record, ERROR_SCHEMA) ??
    differentEcho(echo, questionEcho(question)) ??
    (hasControlCharacter(question.input) ? undefined : controlCharacter(record, 'it'))
  if (reason !== undefined) throw unfitAnswer(url, question, reason)
  if (record['code'] === 'internal')
    throw new HlaError('remote', `${url} reports an internal error`, { hint: 'see the log of the service' })
  return record
}

const ERROR_SCHEMA = { ...PROBLEM_SCHEMA, required: ['message'] } as const satisfies InputSchema

/** Longest shown excerpt of a question, in characters. */
const MAX_EXCERPT = 60

export function unfitAnswer(url: string, question: OperationRequest, reason: string): HlaError {
  const [text] = Object.values(questionEcho(question))
  const about = text === undefined ? '' : ` about ${JSON.stringify(text.slice(0, MAX_EXCERPT))}`
  return new HlaError(
    'remote',
    `${url} gave an answer that does not fit the question ${question.operation}${about}: ${reason}`,
    { hint: 'the service, or a proxy in front of it, failed; its answer was discarded' },
  )
}

function misfitMember(
  values: Values,
  { properties = {}, required = [] }: Pick<Property, 'properties' | 'required'>,
): string | undefined {
  const missing = required.find((name) => values[name] === undefined)
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, property] of Object.entries(properties)) {
    // py-ard services may give a text here; its release is checked elsewhere
    if (name === 'ipd_version') continue
    const reason = values[name] === undefined ? undefined : misfit(values[name], property, name)
    if (reason !== undefined) return reason
  }
  return undefined
}

function misfit(value: unknown, property: Property, name: string): string | undefined {
  if (!isOfType(value, property)) return `${name} is not ${TYPE_NOUNS[property.type]}`
  const { enum: choices, items, minItems = 0, maxItems = Infinity } = property
  if (choices !== undefined && !choices.some((choice) => choice === value))
    return `${name} is not one of ${choices.join(', ')}`
  if (Array.isArray(value)) {
    if (value.length < minItems || value.length > maxItems) return `${name} has ${value.length} items`
    return items && firstDefined(value, (item) => misfit(item, items, `an item of ${name}`))
  }
  if (!isRecord(value)) return undefined
  const { additionalProperties: others } = property
  const further =
    typeof others === 'object'
      ? firstDefined(Object.values(value), (item) => misfit(item, others, `a member of ${name}`))
      : undefined
  return further ?? misfitMember(value, property)
}

function firstDefined<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Compares echoed properties that are present; the schema checks for required ones. */
function differentEcho(answer: Values, echo: Echo): string | undefined {
  const different = Object.entries(echo).find(
    ([name, value]) => answer[name] !== undefined && answer[name] !== value,
  )
  return different && `its ${different[0]} differs from the one in the request`
}

/** Members of answers that consist of names, where they do not repeat the question. */
const NAME_MEMBERS = ['ard', 'result', 'cwd', 'cwd_mac', 'DRBX_blend', 'broad', 'splits', 'similar', 'mac', 'macs', 'gl_string', 'alleles'] // prettier-ignore

/** Characters of GL Strings, their codes and antigens. */
const FOREIGN = /[^A-Za-z0-9*:()/+~|^?#.-]/u

/** A text of other characters is a message in place of an answer, or a formula for a spreadsheet. */
function foreignCharacter(answer: Values, echo: Echo): string | undefined {
  return firstDefined(NAME_MEMBERS, (name) => {
    const value = name in echo ? undefined : answer[name]
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    return firstDefined(texts, (text) => {
      const [character] = typeof text === 'string' ? (FOREIGN.exec(text) ?? []) : []
      return character && `${name} has ${showCharacter(character)}, and no name has that`
    })
  })
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Rejects control characters: a text with a line feed would print as two answers. */
function controlCharacter(value: unknown, name: string): string | undefined {
  return hasControlCharacter(value) ? `${name} has a control character` : undefined
}

function hasControlCharacter(value: unknown): boolean {
  if (typeof value === 'string') return CONTROL.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]: [string, unknown]) =>
    // a hint may have several lines
    hasControlCharacter(name === 'hint' && typeof member === 'string' ? member.replaceAll('\n', '') : member),
  )
}

function checkSameRelease({ url, ipdVersion }: ServiceIdentity, now: unknown): void {
  if (now === undefined) return
  const text = JSON.stringify(now).replaceAll('"', '')
  if (text === ipdVersion) return
  throw new HlaError('pin', `release changed during the run: ${url} served ${ipdVersion}, now ${text}`)
}
