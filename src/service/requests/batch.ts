/** POST /batch: the requests of `hla pipe`, one JSON object per line, answered line by line as they arrive. */
import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { HlaError } from '../../errors.ts'
import type { Connections } from '../../web/connections.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { adviceBudget, withBudget } from '../../operations/knowledge.ts'
import { answerRequest } from '../../operations/request.ts'
import type { Face } from '../../advice.ts'
import { requestedFace } from '../../operations/faces.ts'
import type { Current } from '../current.ts'
import type { Metrics } from '../metrics.ts'
import { ByteBlocks } from '../../byte-blocks.ts'
import { formatCount } from '../../format-count.ts'

export const JSON_LINES = 'application/jsonl; charset=utf-8'

export interface BatchParts {
  readonly current: Current
  readonly maxLine: number
  readonly metrics: Metrics
  readonly connections: Connections
}

/** Registers a separate scope, the only one whose bodies are streams. */
export function addBatch(app: FastifyInstance, { current, maxLine, metrics, connections }: BatchParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post('/batch', { config: { isStreamed: true } }, (request, reply) => {
      const { body, log } = request
      // no time limit while data are moving
      connections.end(request)
      if (!(body instanceof Readable)) return reply.type(JSON_LINES).send('')
      const executor = localExecutor(withBudget(current.served.knowledge, adviceBudget()))
      const job = { executor, maxLine, metrics, log, face: requestedFace(request) }
      return reply.type(JSON_LINES).send(Readable.from(answersTo(body, job)))
    })
  })
}

interface Job {
  readonly executor: Executor
  readonly maxLine: number
  readonly metrics: Metrics
  readonly log: FastifyBaseLogger
  readonly face: Face
}

/** Maximum time in ms between yields to other requests. */
const SLICE_MS = 10

/** Pull-based: while the client does not read, no line is answered and no input is read. */
async function* answersTo(body: Readable, job: Job): AsyncGenerator<string> {
  let answers = ''
  let until = performance.now() + SLICE_MS
  for await (const lines of cutLines(body, job.maxLine)) {
    for (const line of lines) {
      answers += `${answerLine(line, job)}\n`
      if (performance.now() < until) continue
      yield answers
      answers = ''
      await new Promise((soon) => setImmediate(soon))
      until = performance.now() + SLICE_MS
    }
    if (answers !== '') yield answers
    answers = ''
  }
}

function answerLine(line: string | typeof TOO_LONG, { executor, maxLine, metrics, log, face }: Job): string {
  metrics.countLine()
  if (line !== TOO_LONG) {
    const report = (fault: unknown) => log.error({ err: fault }, 'internal error')
    return JSON.stringify(answerRequest(executor, line, report, face))
  }
  const message = `the line is longer than ${formatCount(maxLine)} bytes`
  return JSON.stringify({ error: errorRecord(new HlaError('bad-request', message)) })
}

const TOO_LONG = Symbol('a line that is too long')

/** Complete lines of each chunk; the last line needs no line feed. `most` is in bytes. */
async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<(string | typeof TOO_LONG)[]> {
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

  cut(piece: Uint8Array): (string | typeof TOO_LONG)[] {
    const lines: (string | typeof TOO_LONG)[] = []
    let start = 0
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      this.#keep(piece.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
    this.#keep(piece.subarray(start))
    return lines
  }

  end(): string | typeof TOO_LONG | undefined {
    return this.#size === 0 ? undefined : this.#take()
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#most) this.#begun.clear()
    else if (bytes.length > 0) this.#begun.add(bytes)
  }

  #take(): string | typeof TOO_LONG {
    const isTooLong = this.#size > this.#most
    const bytes = this.#begun.joined()
    this.#begun.clear()
    this.#size = 0
    if (isTooLong) return TOO_LONG
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
    return bytes.toString('utf8', 0, end)
  }
}
