/** POST /batch: the requests of `hla pipe`, one JSON object per line, answered line by line as they arrive. */
import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { HlaError, isHlaError } from '../../errors.ts'
import type { Connections } from '../../web/connections.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { adviceBudget, type AdviceBudget, withBudget } from '../../operations/knowledge.ts'
import { answerRequest } from '../../operations/request.ts'
import { type Face, requestedFace } from '../../operations/faces.ts'
import type { LoopShare } from '../../web/share.ts'
import type { Current } from '../current.ts'
import { isLargeLine, type LargeQuestions } from '../questions/large-questions.ts'
import { identifyClient } from './access.ts'
import type { Metrics } from '../metrics.ts'
import { ByteBlocks } from '../../byte-blocks.ts'
import { formatCount } from '../../format-count.ts'

export const JSON_LINES = 'application/jsonl; charset=utf-8'

export interface BatchParts {
  readonly current: Current
  readonly maxLine: number
  readonly metrics: Metrics
  readonly connections: Connections
  readonly share: LoopShare
  /** undefined answers large lines in the event loop, too. */
  readonly large: LargeQuestions | undefined
  /** Counts answered lines of an address for the rate limit. */
  readonly countLines: (address: string, lines: number) => void
}

/** Registers a separate scope, the only one whose bodies are streams. */
export function addBatch(app: FastifyInstance, parts: BatchParts): void {
  const { current, maxLine, metrics, connections, share, large, countLines } = parts
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post('/batch', { config: { isStreamed: true } }, (request, reply) => {
      const { body, log } = request
      const { knowledge, dataId } = current.served
      // no time limit while data are moving
      connections.end(request)
      // the data may have been replaced while the request waited
      reply.header('x-hla-data', dataId).type(JSON_LINES)
      if (!(body instanceof Readable)) return reply.send('')
      const advice = adviceBudget()
      const executor = localExecutor(withBudget(knowledge, advice))
      const asker = { caller: identifyClient(request), dataId }
      const count = (lines: number) => {
        metrics.countLines(lines)
        countLines(request.ip, lines)
      }
      const job = { maxLine, share, large, executor, advice, asker, log, face: requestedFace(request), count }
      return reply.send(Readable.from(answersTo(body, job)))
    })
  })
}

interface Job extends Pick<BatchParts, 'maxLine' | 'share' | 'large'> {
  readonly executor: Executor
  /** Shared by all lines. */
  readonly advice: AdviceBudget
  readonly asker: { readonly caller: string; readonly dataId: string }
  readonly log: FastifyBaseLogger
  readonly face: Face
  /** Counts answered lines. */
  readonly count: (lines: number) => void
}

type Line = string | typeof TOO_LONG

/** Pull-based: while the client does not read, no line is answered and no input is read. */
async function* answersTo(body: Readable, job: Job): AsyncGenerator<string | Buffer> {
  for await (const lines of cutLines(body, job.maxLine)) {
    for (let at = 0; at < lines.length;) {
      const line = lines[at]
      if (line !== undefined && isLarge(line, job)) {
        at += 1
        yield* answerLarge(line, job)
        continue
      }
      const answers: string[] = await job.share.run(job.asker.caller, (until) => answerSome(lines.slice(at), job, until)) // prettier-ignore
      at += answers.length
      job.count(answers.length)
      yield answers.join('')
    }
  }
}

function isLarge(line: Line, { large }: Job): line is string {
  return large !== undefined && line !== TOO_LONG && isLargeLine(line)
}

/** Answers lines up to a large one, until the time is over. */
function answerSome(lines: readonly Line[], job: Job, until: number): string[] {
  const answers: string[] = []
  for (const line of lines) {
    if (isLarge(line, job)) break
    answers.push(answerLine(line, job))
    if (performance.now() >= until) break
  }
  return answers
}

function answerLine(line: Line, { executor, maxLine, log, face }: Job): string {
  const report = (fault: unknown) => log.error({ err: fault }, 'internal error')
  const answer =
    line === TOO_LONG
      ? { error: errorRecord(new HlaError('bad-request', `the line is longer than ${formatCount(maxLine)} bytes`)) } // prettier-ignore
      : answerRequest(executor, line, report, face)
  return `${JSON.stringify(answer)}\n`
}

/** Answers in the thread, or where that has other data, here. */
async function* answerLarge(line: string, job: Job): AsyncGenerator<string | Buffer> {
  const { asker, advice, face, large, share, log } = job
  job.count(1)
  try {
    const answer = await large?.line(asker, { line, face, advice })
    if (answer === undefined) {
      yield share.run(asker.caller, () => answerLine(line, job))
      return
    }
    Object.assign(advice, answer.advice)
    for (const stack of answer.faults)
      log.error({ err: Object.assign(new Error(), { stack }) }, 'internal error')
    yield answer.bytes
    yield '\n'
  } catch (error) {
    if (!isHlaError(error)) throw error
    yield `${JSON.stringify({ error: errorRecord(error, face) })}\n`
  }
}

const TOO_LONG = Symbol('a line that is too long')

/** Complete lines of each chunk; the last line needs no line feed. `most` is in bytes. */
async function* cutLines(pieces: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Line[]> {
  const cutter = new Cutter(most)
  for await (const piece of pieces) {
    const lines = cutter.cut(piece)
    if (lines.length > 0) yield lines
  }
  const last = cutter.end()
  if (last !== undefined) yield [last]
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

class Cutter {
  readonly #most: number
  readonly #begun = new ByteBlocks()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  cut(piece: Uint8Array): Line[] {
    const lines: Line[] = []
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      this.#keep(piece.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
    this.#keep(piece.subarray(start))
    return lines
  }

  end(): Line | undefined {
    return this.#size === 0 ? undefined : this.#take()
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#most) this.#begun.clear()
    else if (bytes.length > 0) this.#begun.add(bytes)
  }

  #take(): Line {
    const isTooLong = this.#size > this.#most
    const bytes = this.#begun.joined()
    this.#begun.clear()
    this.#size = 0
    if (isTooLong) return TOO_LONG
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
    return bytes.toString('utf8', 0, end)
  }
}
