/** The remote Executor: operations answered by a service, with the answers and errors they have here. [network] */
import { advice, option } from '../advice.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { HlaError, isHlaError } from '../errors.ts'
import type { Executor } from '../operations/executor.ts'
import { type ListedRoute, isRecord, listRoutes, pathParameter } from '../operations/http-face.ts'
import { OPERATIONS, operationNamed } from '../operations/registry.ts'
import { type AskedService, checkAnswer, checkError, unfitAnswer } from './check-answer.ts'
import { DEFAULT_REMOTE, type RemoteOptions } from './options.ts'
import { type ServedVersion, checkPin, parsed, readVersion } from './served-version.ts'
import { type RemoteReply, type RemoteRequest, openTransport } from './transport.ts'
import { readErrorRecord } from '../operations/error-record.ts'
import type { Operation } from '../operations/operation.ts'
import type { InputSchema } from '../operations/schema.ts'

export interface Remote {
  readonly executor: Executor
  readonly served: ServedVersion
  readonly close: () => Promise<void>
}

/** @throws {HlaError} remote — not reached, or no such service; pin — it serves another release */
export async function openRemote(
  given: Partial<RemoteOptions> & Pick<RemoteOptions, 'url'>,
): Promise<Remote> {
  const options = { ...DEFAULT_REMOTE, ...given }
  const { url, release } = options
  const transport = await openTransport(options)
  try {
    const served = readVersion(url, await transport.send({ method: 'GET', path: '/version' }))
    checkPin(url, release, served)
    const service = { url, ipdVersion: served.ipdVersion }
    const send = async (request: RemoteRequest) => checkedReply(url, served, await transport.send(request))
    return { executor: remoteExecutor({ options, served, service, send }), served, close: transport.close }
  } catch (error) {
    await transport.close()
    throw error
  }
}

interface Line {
  readonly options: RemoteOptions
  readonly served: ServedVersion
  readonly service: AskedService
  readonly send: (request: RemoteRequest) => Promise<RemoteReply>
}

/** Answers that are kept, so that a typing which comes again is not asked about again. */
const MOST_KEPT = 200_000

function remoteExecutor(line: Line): Executor {
  const kept = new Map<string, BatchOutcome>()
  async function ahead(questions: readonly OperationRequest[]): Promise<Executor> {
    if (kept.size > MOST_KEPT) kept.clear()
    const keys = questions.map(questionKey)
    const answers = keys.map((key) => kept.get(key))
    const wanted = new Map<string, OperationRequest>()
    for (const [at, question] of questions.entries())
      if (answers[at] === undefined) wanted.set(keys[at] ?? '', question)
    const missing = [...wanted]
    const refused = new Map(missing.flatMap(([key, { operation }]) => refusal(key, operation, line)))
    const offered = missing.filter(([key]) => !refused.has(key))
    const outcomes = line.served.hasBatch ? await askInBatches(offered, line) : await askSingly(offered, line)
    const news = new Map<string, BatchOutcome>()
    for (const [key, error] of refused) news.set(key, { error })
    offered.forEach(([key], at) => {
      const outcome = outcomes[at]
      if (outcome === undefined) return
      kept.set(key, outcome)
      news.set(key, outcome)
    })
    return answering(
      questions,
      keys,
      answers.map((answer, at) => answer ?? news.get(keys[at] ?? '')),
    )
  }
  return {
    ahead,
    execute: async (operation, input) => (await ahead([{ operation, input }])).execute(operation, input),
  }
}

/** Also the line that a batch has for it. */
function questionKey({ operation, input }: OperationRequest): string {
  const rest = isRecord(input) ? JSON.stringify(input) : '{}'
  return `{"op":${JSON.stringify(operation)}${rest === '{}' ? '' : ','}${rest.slice(1)}`
}

/** Who asks again with the same input need not have it written again, which takes longer than all else. */
function answering(
  questions: readonly OperationRequest[],
  keys: readonly string[],
  answers: readonly (BatchOutcome | undefined)[],
): Executor {
  const byInput = new Map(questions.map(({ input }, at) => [input, at]))
  let byKey: ReadonlyMap<string, number> | undefined
  function find(operation: string, input: unknown): number {
    const at = byInput.get(input)
    if (at !== undefined && questions[at]?.operation === operation) return at
    byKey ??= new Map(keys.map((key, place) => [key, place]))
    return byKey.get(questionKey({ operation, input })) ?? -1
  }
  return {
    execute(operation, input) {
      const outcome = answers[find(operation, input)]
      if (outcome === undefined) throw new Error('a question that was not asked ahead')
      if ('error' in outcome) throw outcome.error
      return outcome.output
    },
  }
}

/** Of a question that the service does not know; what nobody knows is an answer like others. */
function refusal(
  key: string,
  name: string,
  { served: { operations }, options: { url } }: Line,
): [string, HlaError][] {
  const known = OPERATIONS.find((operation) => operation.name === name)
  if (known === undefined) return []
  if (operations === undefined ? known.http.isBeyondContract !== true : operations.includes(name)) return []
  const hint = advice`without ${option('remote')} it is answered locally`
  return [[key, new HlaError('usage', `${url} does not offer ${name}`, { hint })]]
}

async function askInBatches(
  questions: readonly BatchLine[],
  { service, send }: Line,
): Promise<BatchOutcome[]> {
  const batches = cutBatches(questions)
  const answered = await Promise.all(
    batches.map(async (lines) => readBatch(service, await send(batchRequest(lines)), lines)),
  )
  return answered.flat()
}

/** As many at a time as there are connections. */
async function askSingly(questions: readonly BatchLine[], line: Line): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = []
  const queue = questions.entries()
  const worker = async () => {
    for (const [at, [, question]] of queue) outcomes[at] = await askOne(question, line)
  }
  await Promise.all(Array.from({ length: line.options.concurrency }, worker))
  return outcomes
}

async function askOne(
  { operation: name, input }: OperationRequest,
  { send, service }: Line,
): Promise<BatchOutcome> {
  const operation = OPERATIONS.find((one) => one.name === name)
  if (operation === undefined) return catchOutcome(() => operationNamed(name))
  const values = isRecord(input) ? input : {}
  const request = catchOutcome(() => makeRequest(operation, values))
  if ('error' in request) return request
  // what requestOf made
  const reply = await send(request.output as RemoteRequest)
  if ([401, 403].includes(reply.status))
    throw new HlaError('remote', `${service.url} refuses: status ${reply.status}`)
  return catchOutcome(() => readOutput(service, operation, values, reply))
}

/** A release that changed and a service that fails end the run; everything else is an answer. */
function catchOutcome(answer: () => unknown): BatchOutcome {
  try {
    return { output: answer() }
  } catch (error) {
    if (!isHlaError(error) || ['pin', 'remote'].includes(error.code)) throw error
    return { error }
  }
}

/** @throws {HlaError} pin — the service changed its data since it was asked for its version */
function checkedReply(url: string, { dataId }: ServedVersion, reply: RemoteReply): RemoteReply {
  if (reply.dataId === dataId || reply.dataId === undefined) return reply
  throw new HlaError(
    'pin',
    `release changed during the run: ${url} served ${dataId ?? ''}, now ${reply.dataId}`,
  )
}

/** An answer, or what is wrong with the question. */
type BatchOutcome = { readonly output: unknown } | { readonly error: HlaError }

/** Enough lines that the journey does not count, few enough that no server waits for the last of them. */
const MOST_LINES = 1000
const MOST_LENGTH = 256 * 1024

/** A question, and the line of a batch that asks it. */
type BatchLine = readonly [line: string, question: OperationRequest]

function cutBatches(lines: readonly BatchLine[]): BatchLine[][] {
  const batches: BatchLine[][] = []
  let batch: BatchLine[] = []
  let length = 0
  for (const one of lines) {
    const [line] = one
    if (batch.length === MOST_LINES || (batch.length > 0 && length + line.length > MOST_LENGTH)) {
      batches.push(batch)
      batch = []
      length = 0
    }
    batch.push(one)
    length += line.length
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

function batchRequest(lines: readonly BatchLine[]): RemoteRequest {
  return { method: 'POST', path: '/batch', body: lines.map(([line]) => `${line}\n`).join('') }
}

/** @throws {HlaError} remote — there is not one answer for each of the lines that fits it; pin */
function readBatch(
  service: AskedService,
  { status, text }: RemoteReply,
  asked: readonly BatchLine[],
): BatchOutcome[] {
  const { url } = service
  if (status !== 200) {
    const body = parsed(text)
    const reason = isRecord(body) && typeof body['message'] === 'string' ? `: ${body['message']}` : ''
    throw new HlaError('remote', `${url} answers a batch with status ${status}${reason}`)
  }
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new HlaError('remote', `${url} gave answers whose last line has no end`)
  if (lines.length !== asked.length)
    throw new HlaError('remote', `${url} gave ${lines.length} answers to ${asked.length} questions`)
  return asked.map(([, question], at) => readOutcome(service, question, parsed(lines[at] ?? '')))
}

function readOutcome(service: AskedService, question: OperationRequest, answer: unknown): BatchOutcome {
  const { url } = service
  if (!isRecord(answer)) throw unfitAnswer(url, question, 'it is not a JSON object')
  const { error } = answer
  if (isRecord(error)) return { error: readErrorRecord(checkError(url, question, error, answer), 'remote') }
  const operation = OPERATIONS.find(({ name }) => name === question.operation)
  if (operation === undefined) throw unfitAnswer(url, question, 'there is no such operation')
  const input = isRecord(question.input) ? question.input : {}
  return { output: checkAnswer(service, operation, input, answer) }
}

type Values = Readonly<Record<string, unknown>>

/** @throws {HlaError} usage — the contract has no place for some property of the input */
function makeRequest(operation: Operation, input: Values): RemoteRequest {
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
function readOutput(
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
