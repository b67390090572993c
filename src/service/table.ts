/** POST /table: a table in, the same table with its reductions out, with what is to be said about it. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HlaError, isHlaError } from '../errors.ts'
import type { Connections } from '../http/connections.ts'
import { isAnswered } from '../http/send-together.ts'
import { errorRecord } from '../operations/error-record.ts'
import { readInput } from '../operations/read-input.ts'
import { errorInWords } from '../operations/words.ts'
import { askedWords } from './asked-words.ts'
import type { Current, Served } from './current.ts'
import { newForm } from './multipart.ts'
import { readQuery } from './query.ts'
import { tableBodies } from './table-bodies.ts'
import { openConversion, type TableConversion, tooLong } from './table-conversion.ts'
import { readTableQuery, TABLE_QUERY, type TableQuery } from './table-query.ts'

export interface TableParts {
  readonly current: Current
  /** Bytes of a table. */
  readonly most: number
  readonly connections: Connections
}

/** Tables are held in memory while they are converted: so many at a time. */
const MOST_TABLES = 4

/** In a scope of its own: its bodies are bytes. */
export function addTable(app: FastifyInstance, { current, most, connections }: TableParts): void {
  const bodies = tableBodies(most, MOST_TABLES * most)
  let count = 0
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.route<{ Querystring: TableQuery }>({
      method: 'POST',
      url: '/table',
      config: { isStreamed: true },
      async preValidation(request, reply) {
        connections.begin(request, reply, true)
        request.query = checkedQuery(request.query as Record<string, string>)
      },
      async handler(request, reply) {
        const body = await bodies.take(bytesIn(request.body))
        // it was refused for coming too slowly
        if (isAnswered(reply)) return reply
        if (body.kind === 'long') return reply.code(413).send({ message: tooLong(most), code: 'bad-request' })
        if (body.kind === 'crowded') return refuse(reply, 'other tables are being sent; ask again')
        reply.raw.once('close', body.release)
        // a place is taken when there is something to convert, not while it comes
        if (count >= MOST_TABLES) return refuse(reply, `${MOST_TABLES} tables are being converted; ask again`)
        count += 1
        reply.raw.once('close', () => (count -= 1))
        return answer(request, reply, { served: current.served, most, pieces: body.pieces })
      },
    })
  })
}

/** How a table is read are options: none is ignored. @throws {HlaError} bad-request, unknown-method */
function checkedQuery(given: Readonly<Record<string, string>>): TableQuery {
  // a query is texts; readInput checks what was made of them
  const { input, notes } = readInput(TABLE_QUERY, readQuery(given, TABLE_QUERY.properties))
  const [ignored] = notes
  if (ignored === undefined) return input
  throw new HlaError('bad-request', ignored.message.replace('ignored: ', 'unknown property '))
}

interface Taken {
  readonly served: Served
  readonly most: number
  readonly pieces: readonly Buffer[]
}

async function answer(
  request: FastifyRequest<{ Querystring: TableQuery }>,
  reply: FastifyReply,
  { served, most, pieces }: Taken,
): Promise<FastifyReply> {
  try {
    const asked = readTableQuery(request.query)
    const words = askedWords(request, 'query')
    const conversion = await openConversion({ ...asked, served, most, words, bytes: slices(pieces) })
    const form = newForm()
    const name = resultName(asked.name, asked.methods)
    return await reply.type(form.contentType).send(Readable.from(partsOf(conversion, form, name)))
  } catch (error) {
    // whatever is wrong with a table was sent to us
    if (isHlaError(error))
      return reply.code(400).send(errorRecord(errorInWords(error, askedWords(request, 'query'))))
    throw error
  }
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(503).header('retry-after', '2').send({ message, code: 'too-many-requests' })
}

function bytesIn(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([])
}

const SLICE = 64 * 1024

async function* slices(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE)
      yield await Promise.resolve(piece.subarray(at, at + SLICE))
  }
}

/** `donors.csv.gz` by lgx -> `donors.lgx.csv` */
function resultName(name: string, methods: readonly string[]): string {
  const [, stem = name, suffix = ''] = /^(.*?)(\.[^.]*)?(?:\.gz)?$/is.exec(name) ?? []
  return `${stem}.${methods.join('-')}${suffix}`
}

/** The last part says that all went well, or what did not: without it the table is not complete. */
async function* partsOf(
  { plan, pieces, report, words }: TableConversion,
  form: ReturnType<typeof newForm>,
  name: string,
): AsyncGenerator<string | Buffer> {
  yield form.part('plan', 'text/plain; charset=utf-8') + plan
  yield form.part('table', 'application/octet-stream', name)
  const failure = yield* piecesOrFailure(pieces())
  const { summary, errors } = report()
  if (failure !== undefined) {
    yield `${form.part('error', 'application/json')}${JSON.stringify(errorRecord(errorInWords(failure, words)))}${form.end}`
    return
  }
  if (errors !== undefined)
    yield form.part('errors', 'text/csv; charset=utf-8', `${name}.errors.csv`) + errors
  yield `${form.part('summary', 'application/json')}${JSON.stringify({ ...summary, name })}${form.end}`
}

async function* piecesOrFailure(
  pieces: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer, HlaError | undefined> {
  try {
    yield* pieces
    return undefined
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}
