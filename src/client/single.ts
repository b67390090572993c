/** One question as a request of the contract, and its reply as an output: services that know nothing else can be asked. */
import { HlaError } from '../errors.ts'
import { readErrorRecord } from '../operations/error-record.ts'
import { type ListedRoute, isRecord, pathParameter, listRoutes } from '../operations/http-face.ts'
import type { Operation } from '../operations/operation.ts'
import type { InputSchema } from '../operations/schema.ts'
import { type AskedService, checkAnswer, checkError, unfitAnswer } from './check-answer.ts'
import { parsed } from './served-version.ts'
import type { RemoteReply, RemoteRequest } from './transport.ts'

type Values = Readonly<Record<string, unknown>>

/** @throws {HlaError} usage — the contract has no place for some property of the input */
export function makeRequest(operation: Operation, input: Values): RemoteRequest {
  const { http, subject = '' } = operation
  const settled = settledInput(operation, input)
  const route = routeFor(listRoutes(http), settled, valueText(settled[subject]))
  const sent = Object.entries(settled).filter(([name]) => !(name in route.preset))
  const unknown = sent.find(([name]) => !contractProperties(operation).has(name))
  if (unknown !== undefined)
    throw new HlaError('usage', `the service does not support ${unknown[0]} for ${operation.name}`)
  if (route.method === 'POST')
    return { method: 'POST', path: route.path, body: JSON.stringify(Object.fromEntries(sent)) }
  const parameter = pathParameter(route.path)
  const text = encodeURIComponent(valueText(settled[subject]))
  const path = route.path.replace(`{${parameter ?? ''}}`, () => text)
  return { method: 'GET', path }
}

function settledInput({ http }: Operation, input: Values): Values {
  // settle takes the operation's own input, which this is
  return { ...http.fill, ...((http.settle?.(input as never) ?? input) as Values) }
}

/** The one that says most of what is asked. */
function routeFor(routes: readonly ListedRoute[], input: Values, subject: string): ListedRoute {
  const fitting = routes.filter(
    ({ preset, refuse }) =>
      Object.entries(preset).every(([name, value]) => input[name] === value) &&
      refuse?.(subject) === undefined,
  )
  const most = Math.max(...fitting.map(({ preset }) => Object.keys(preset).length))
  const route = fitting.find(({ preset }) => Object.keys(preset).length === most) ?? routes[0]
  if (route === undefined) throw new Error('an operation without a route')
  return route
}

/** What the contract speaks of; everything else is ours. */
function contractProperties({ subject, input, http }: Operation): ReadonlySet<string> {
  return new Set([
    subject ?? '',
    ...(input.required ?? []),
    ...(http.required ?? []),
    ...Object.keys(http.fill ?? {}),
  ])
}

/**
 * The operation's output.
 * @throws {HlaError} what the reply says is wrong with the input; remote — the reply is not one to this question; pin
 */
export function readOutput(
  service: AskedService,
  operation: Operation,
  input: Values,
  { status, text }: RemoteReply,
): Values {
  const body = parsed(text)
  const { fromReply, failure = 'unknown-allele' } = operation.http
  // fromReply takes the operation's own input, which this is
  const own = fromReply?.({ status, body }, input as never)
  const check = (output: Values) => checkAnswer(service, contractOperation(operation), input, output)
  if (own !== undefined) return check(own)
  const question = { operation: operation.name, input }
  if (!isRecord(body))
    throw unfitAnswer(service.url, question, `its body is not a JSON object (status ${status})`)
  // the peer says with status 200 what blends badly
  const isAnswer = status === 200 && body[operation.answer] !== undefined
  if (!isAnswer) {
    const message = failureMessage(body)
    if (message === undefined)
      throw unfitAnswer(service.url, question, `it is neither an answer nor a reason (status ${status})`)
    throw readErrorRecord(checkError(service.url, question, { ...body, message }, body), failure)
  }
  refuseEmpty(operation, check(body))
  return check(completed(operation.output, body, settledInput(operation, input)))
}

/** The contract leaves out much of what our own service answers. */
function contractOperation(operation: Operation): Operation {
  const { output, answer } = operation
  return { ...operation, output: { ...output, required: [answer] } }
}

/** What the contract answers with an empty text is refused here as everywhere, for the reason that the service gives. */
function refuseEmpty({ http: { empty }, answer }: Operation, body: Values): void {
  if (empty === undefined || body[answer] !== '') return
  const notes: unknown[] = Array.isArray(body['notes']) ? body['notes'] : []
  const codes: readonly unknown[] = empty.codes
  const reason = notes.filter(isRecord).find(({ code }) => codes.includes(code))
  const [usual = 'no-match'] = empty.codes
  throw readErrorRecord(reason ?? { message: 'nothing is left' }, usual)
}

function failureMessage({ message, found, expected }: Values): string | undefined {
  if (typeof message === 'string') return message
  return found === undefined ? undefined : `${valueText(found)} where ${valueText(expected)} expected`
}

/** The properties of the output, in its order; what the contract leaves out is what was asked, or can only be one thing. */
function completed({ properties, required = [] }: InputSchema, body: Values, input: Values): Values {
  const entries = Object.entries(properties).map(([name, property]) => {
    const known =
      body[name] ?? (required.includes(name) ? (input[name] ?? onlyValue(property.enum)) : undefined)
    return [name, known] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function onlyValue(values: readonly string[] = []): string | undefined {
  return values.length === 1 ? values[0] : undefined
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
