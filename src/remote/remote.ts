/** Remote Executor: a service answers the operations, with the same answers and errors as local data.  [network] */
import { advice, option } from '../advice.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { HlaError, isHlaError } from '../errors.ts'
import { type Executor, readInput } from '../operations/executor.ts'
import { type ListedRoute, isRecord, listRoutes, pathParameter } from '../operations/http-face.ts'
import { OPERATIONS, operationNamed } from '../operations/registry.ts'
import { type ServiceIdentity, checkAnswer, checkError, requireName, unfitAnswer } from './check-answer.ts'
import { DEFAULT_REMOTE, type RemoteOptions } from './options.ts'
import { type ServedVersion, checkPin, tryParseJson, readVersion } from './served-version.ts'
import { type RemoteReply, type RemoteRequest, isLongReply, openTransport } from './transport.ts'
import { readErrorRecord } from '../operations/error-record.ts'
import type { Operation } from '../operations/operation.ts'
import type { InputSchema } from '../operations/schema.ts'

export interface Remote {
  readonly executor: Executor
  readonly served: ServedVersion
  readonly close: () => Promise<void>
}

/** @throws {HlaError} remote — unreachable, or not such a service; pin — it serves another release */
export async function openRemote(
  partial: Partial<RemoteOptions> & Pick<RemoteOptions, 'url'>,
): Promise<Remote> {
  const options = { ...DEFAULT_REMOTE, ...partial }
  const { url, release } = options
  const transport = await openTransport(options)
  const sendAdmitted = async (request: RemoteRequest) =>
    requireAdmission(options, await transport.send(request))
  try {
    const served = readVersion(url, await sendAdmitted({ method: 'GET', path: '/version' }))
    checkPin(url, release, served)
    const service = { url, ipdVersion: served.ipdVersion }
    const send = async (request: RemoteRequest) => checkData(url, served, await sendAdmitted(request))
    return { executor: remoteExecutor({ options, served, service, send }), served, close: transport.close }
  } catch (error) {
    await transport.close()
    throw error
  }
}

interface Line {
  readonly options: RemoteOptions
  readonly served: ServedVersion
  readonly service: ServiceIdentity
  readonly send: (request: RemoteRequest) => Promise<RemoteReply>
}

/** Maximum number of cached answers, so that repeated typings need no request. */
const MAX_CACHED = 200_000

function remoteExecutor(line: Line): Executor {
  const cache = new Map<string, BatchOutcome>()
  async function ahead(questions: readonly OperationRequest[]): Promise<Executor> {
    if (cache.size > MAX_CACHED) cache.clear()
    const keys = questions.map(questionKey)
    const answers = keys.map((key) => cache.get(key))
    const uncached = new Map<string, OperationRequest>()
    for (const [at, question] of questions.entries())
      if (answers[at] === undefined) uncached.set(keys[at] ?? '', question)
    const missing = [...uncached]
    const refusals = new Map(missing.flatMap(([key, { operation }]) => refusal(key, operation, line)))
    const offered = missing.filter(([key]) => !refusals.has(key))
    const outcomes = line.served.hasBatch ? await askInBatches(offered, line) : await askSingly(offered, line)
    const fresh = new Map<string, BatchOutcome>()
    for (const [key, error] of refusals) fresh.set(key, { error })
    offered.forEach(([key], at) => {
      const outcome = outcomes[at]
      if (outcome === undefined) return
      cache.set(key, outcome)
      fresh.set(key, outcome)
    })
    return answering(
      questions,
      keys,
      answers.map((answer, at) => answer ?? fresh.get(keys[at] ?? '')),
    )
  }
  return {
    ahead,
    execute: async (operation, input) => (await ahead([{ operation, input }])).execute(operation, input),
  }
}

/** Key of a question, and its line in a batch. */
function questionKey({ operation, input }: OperationRequest): string {
  const rest = isRecord(input) ? JSON.stringify(input) : '{}'
  return `{"op":${JSON.stringify(operation)}${rest === '{}' ? '' : ','}${rest.slice(1)}`
}

/** Looks answers up by identity of the input first: serialising it again takes longer than everything else. */
function answering(
  questions: readonly OperationRequest[],
  keys: readonly string[],
  answers: readonly (BatchOutcome | undefined)[],
): Executor {
  const byInput = new Map(questions.map(({ input }, at) => [input, at]))
  let byKey: ReadonlyMap<string, BatchOutcome | undefined> | undefined
  function find(operation: string, input: unknown): BatchOutcome | undefined {
    const at = byInput.get(input)
    if (at !== undefined && questions[at]?.operation === operation) return answers[at]
    byKey ??= new Map(keys.map((key, place) => [key, answers[place]]))
    return byKey.get(questionKey({ operation, input }))
  }
  return {
    execute(operation, input) {
      const outcome = find(operation, input)
      if (outcome === undefined) throw new Error('a question that was not asked ahead')
      if ('error' in outcome) throw outcome.error
      return outcome.output
    },
  }
}

/** Error for an operation that the service lacks; empty for a name unknown to hla, which `askOne` refuses. */
function refusal(
  key: string,
  name: string,
  { served: { operations }, options: { url } }: Line,
): [string, HlaError][] {
  const known = OPERATIONS.find((operation) => operation.name === name)
  if (known === undefined) return []
  if (operations === undefined ? known.http.isBeyondContract !== true : operations.includes(name)) return []
  const hint = advice`without ${option('remote')}, the installed data answer`
  return [[key, new HlaError('usage', `${url} does not offer ${name}`, { hint })]]
}

async function askInBatches(questions: readonly BatchLine[], line: Line): Promise<BatchOutcome[]> {
  const batches = cutBatches(questions)
  const outcomes = await Promise.all(batches.map((lines) => askBatch(lines, line)))
  return outcomes.flat()
}

/** Asks a batch whose reply is too long again in halves, one after the other. */
async function askBatch(lines: readonly BatchLine[], line: Line): Promise<BatchOutcome[]> {
  try {
    return readBatch(line.service, await line.send(batchRequest(lines)), lines)
  } catch (error) {
    if (!isLongReply(error) || lines.length === 1) throw error
    const half = Math.ceil(lines.length / 2)
    const first = await askBatch(lines.slice(0, half), line)
    return [...first, ...(await askBatch(lines.slice(half), line))]
  }
}

/** Sends one request per question, over all connections in parallel. */
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
  const request = catchOutcome(() => {
    // a service of the contract might answer another question instead
    readInput(operation.input, input)
    return makeRequest(operation, values)
  })
  if ('error' in request) return request
  // result of makeRequest
  const reply = await send(request.output as RemoteRequest)
  if (reply.status === 403) throw new HlaError('remote', `${service.url} refuses: status ${reply.status}`)
  return catchOutcome(() => readOutput(service, operation, values, reply))
}

/** Errors of the release or the service end the run; every other error is an answer. */
function catchOutcome(answer: () => unknown): BatchOutcome {
  try {
    return { output: answer() }
  } catch (error) {
    if (!isHlaError(error) || ['pin', 'remote'].includes(error.code)) throw error
    return { error }
  }
}

/** @throws {HlaError} remote — the token is missing, wrong or expired; the service is at another address */
function requireAdmission({ url, headers }: RemoteOptions, reply: RemoteReply): RemoteReply {
  if (reply.status >= 300 && reply.status < 400) throw redirectError(url, reply)
  if (reply.status !== 401) return reply
  const isSent = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (!isSent)
    throw new HlaError('remote', `${url} requires a token`, {
      hint: advice`put the line Authorization: Bearer TOKEN into a file and name it with ${option('header-file', 'FILE')}`,
    })
  const [, reason = 'it is unknown there, or was revoked'] = /error_description="([^"]{1,200})"/.exec(reply.challenge ?? '') ?? [] // prettier-ignore
  throw new HlaError('remote', `${url} does not accept the token: ${reason}`, {
    hint: advice`ask the operator of the service for a token, and put it into the file of ${option('header-file', 'FILE')}: Authorization: Bearer TOKEN`,
  })
}

/** A token and typings go only to the address that was given, so redirects are not followed. */
function redirectError(url: string, { status, location }: RemoteReply): HlaError {
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
  const where = target === undefined ? '' : ` to ${target.origin}${target.pathname}`
  return new HlaError('remote', `${url} redirects${where} (status ${status})`, {
    hint: advice`give ${option('remote')} the address of the service itself`,
  })
}

/** @throws {HlaError} pin — the service changed its data since its version was read */
function checkData(url: string, { dataId }: ServedVersion, reply: RemoteReply): RemoteReply {
  if (reply.dataId === dataId || reply.dataId === undefined) return reply
  throw new HlaError(
    'pin',
    `release changed during the run: ${url} served ${dataId ?? ''}, now ${reply.dataId}`,
  )
}

/** Answer, or the error of the question. */
type BatchOutcome = { readonly output: unknown } | { readonly error: HlaError }

/** Batch size: large enough that latency does not matter, small enough that no request times out. */
const MAX_LINES = 1000
const MAX_LENGTH = 256 * 1024

/** Line of a batch, and the question in it. */
type BatchLine = readonly [line: string, question: OperationRequest]

function cutBatches(lines: readonly BatchLine[]): BatchLine[][] {
  const batches: BatchLine[][] = []
  let batch: BatchLine[] = []
  let length = 0
  for (const one of lines) {
    const [line] = one
    if (batch.length === MAX_LINES || (batch.length > 0 && length + line.length > MAX_LENGTH)) {
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

/** @throws {HlaError} remote — the answers do not match the lines one to one; pin */
function readBatch(
  service: ServiceIdentity,
  { status, text }: RemoteReply,
  asked: readonly BatchLine[],
): BatchOutcome[] {
  const { url } = service
  if (status !== 200) {
    const body = tryParseJson(text)
    const reason = isRecord(body) && typeof body['message'] === 'string' ? `: ${body['message']}` : ''
    throw new HlaError('remote', `${url} answers a batch with status ${status}${reason}`)
  }
  const lines = text.split('\n')
  if (lines.pop() !== '')
    throw new HlaError('remote', `${url} sent an answer that is cut off in its last line`)
  if (lines.length !== asked.length)
    throw new HlaError('remote', `${url} gave ${lines.length} answers to ${asked.length} questions`)
  return asked.map(([, question], at) => readOutcome(service, question, tryParseJson(lines[at] ?? '')))
}

function readOutcome(service: ServiceIdentity, question: OperationRequest, answer: unknown): BatchOutcome {
  const { url } = service
  if (!isRecord(answer)) throw unfitAnswer(url, question, 'it is not a JSON object')
  const { error } = answer
  if (isRecord(error)) return { error: readErrorRecord(checkError(url, question, error, answer), 'remote') }
  const operation = OPERATIONS.find(({ name }) => name === question.operation)
  if (operation === undefined) throw unfitAnswer(url, question, 'there is no such operation')
  const input = isRecord(question.input) ? question.input : {}
  return { output: requireName(url, question, checkAnswer(service, operation, input, answer)) }
}

type Values = Readonly<Record<string, unknown>>

/** @throws {HlaError} usage — the contract lacks a property of the input */
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
  // the input belongs to this operation, so the cast is safe
  return { ...http.fill, ...((http.settle?.(input as never) ?? input) as Values) }
}

/** Most specific route that fits the input. */
function routeFor(routes: readonly ListedRoute[], input: Values, subject: string): ListedRoute {
  const fitting = routes.filter(
    ({ preset, refuse }) =>
      Object.entries(preset).every(([name, value]) => input[name] === value) &&
      refuse?.(subject) === undefined,
  )
  const most = Math.max(...fitting.map(({ preset }) => Object.keys(preset).length))
  const route = fitting.find(({ preset }) => Object.keys(preset).length === most)
  if (route === undefined) throw new Error('an operation without a route')
  return route
}

/** Properties that the contract knows; all others are extensions of hla. */
function contractProperties({ subject, input, http }: Operation): ReadonlySet<string> {
  return new Set([
    subject ?? '',
    ...(input.required ?? []),
    ...(http.required ?? []),
    ...Object.keys(http.fill ?? {}),
  ])
}

/**
 * Output of the operation.
 * @throws {HlaError} the error of the input in the reply; remote — the reply does not fit this question; pin
 */
function readOutput(
  service: ServiceIdentity,
  operation: Operation,
  input: Values,
  { status, text }: RemoteReply,
): Values {
  const body = tryParseJson(text)
  const { fromReply, failure = 'unknown-allele' } = operation.http
  // the input belongs to this operation, so the cast is safe
  const output = fromReply?.({ status, body }, input as never)
  const check = (output: Values) => checkAnswer(service, contractOperation(operation), input, output)
  if (output !== undefined) return check(output)
  const question = { operation: operation.name, input }
  if (!isRecord(body))
    throw unfitAnswer(service.url, question, `its body is not a JSON object (status ${status})`)
  // py-ard reports a failed blend with status 200
  const isAnswer = status === 200 && body[operation.answer] !== undefined
  if (!isAnswer) {
    const message = failureMessage(body)
    if (message === undefined)
      throw unfitAnswer(service.url, question, `it is neither an answer nor a reason (status ${status})`)
    throw readErrorRecord(checkError(service.url, question, { ...body, message }, body), failure)
  }
  refuseEmpty(operation, check(body))
  return requireName(
    service.url,
    question,
    check(complete(operation.output, body, settledInput(operation, input))),
  )
}

/** The contract requires only the answer; the other properties come from hla's own service. */
function contractOperation(operation: Operation): Operation {
  const { output, answer } = operation
  return { ...operation, output: { ...output, required: [answer] } }
}

/**
 * Where the contract answers with an empty text, throws the error that hla has everywhere, with the service's reason.
 */
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
  const isMismatch = typeof found === 'string' && typeof expected === 'string'
  return isMismatch ? `${found} where ${expected} expected` : undefined
}

/**
 * Properties of the output, in schema order. One that the contract omits is taken from the input, or from its only
 * allowed value.
 */
function complete({ properties, required = [] }: InputSchema, body: Values, input: Values): Values {
  const entries = Object.entries(properties).map(([name, property]) => {
    const value =
      body[name] ?? (required.includes(name) ? (input[name] ?? onlyValue(property.enum)) : undefined)
    return [name, value] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function onlyValue(values: readonly string[] = []): string | undefined {
  return values.length === 1 ? values[0] : undefined
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
