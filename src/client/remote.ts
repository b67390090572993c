/** The remote Executor: operations answered by a service, with the answers and errors they have here. [network] */
import type { OperationRequest } from '../operations/operation-request.ts'
import { HlaError, isHlaError } from '../errors.ts'
import type { Executor } from '../operations/executor.ts'
import { isRecord } from '../operations/http-face.ts'
import { operationNamed, OPERATIONS } from '../operations/registry.ts'
import { type BatchLine, cutBatches, batchRequest, type BatchOutcome, readBatch } from './batches.ts'
import type { AskedService } from './check-answer.ts'
import { DEFAULT_REMOTE, type RemoteOptions } from './options.ts'
import { checkPin, readVersion, type ServedVersion } from './served-version.ts'
import { readOutput, makeRequest } from './single.ts'
import { openTransport, type RemoteReply, type RemoteRequest } from './transport.ts'

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
  const hint = 'without --remote it is answered locally'
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
