/** POST /table: a table in, the same table with its reductions out, with what is to be said about it. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { HlaError, isHlaError } from '../../errors.ts'
import type { Connections } from '../../web/connections.ts'
import { isAnswered } from '../../web/send-together.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { readInput } from '../../operations/executor.ts'
import { errorInWording, requestedWording, type Wording } from '../../operations/wording.ts'
import { readQuery } from '../requests/query.ts'
import { tableBodies } from './table-bodies.ts'
import type { TableAnswer, TableRequest } from './table-answer.ts'
import { tooLong } from './table-limits.ts'
import { TABLE_QUERY, type TableQuery } from './table-query.ts'
import { MOST_TABLES } from './table-share.ts'

export interface TableParts {
  readonly convert: (request: TableRequest) => Promise<TableAnswer>
  /** Bytes of a table. */
  readonly most: number
  /** ms that one is worked on; 0 is no limit. */
  readonly time: number
  readonly connections: Connections
}

/** In a scope of its own: its bodies are bytes. */
export function addTable(app: FastifyInstance, { convert, most, time, connections }: TableParts): void {
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
        connections.begin(request, reply, 'long')
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
        const words = requestedWording(request, 'query')
        return answer(reply, convert({ query: request.query, most, time, words, pieces: body.pieces }), words)
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

async function answer(
  reply: FastifyReply,
  converted: Promise<TableAnswer>,
  words: Wording,
): Promise<FastifyReply> {
  try {
    const { contentType, body } = await converted
    return await reply.type(contentType).send(Readable.from(body))
  } catch (error) {
    // whatever is wrong with a table was sent to us
    if (isHlaError(error)) return reply.code(400).send(errorRecord(errorInWording(error, words)))
    throw error
  }
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(503).header('retry-after', '2').send({ message, code: 'too-many-requests' })
}

function bytesIn(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([])
}
