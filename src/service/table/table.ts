/** POST /table: returns the table with its reductions, and a report. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type HlaError, isHlaError } from '../../errors.ts'
import { type Connections, noteBreak } from '../../web/connections.ts'
import { isAnswered } from '../../web/coalesce-answers.ts'
import { errorRecord } from '../../operations/error-record.ts'
import { readInput, refuseUnknown } from '../../operations/executor.ts'
import { type Face, requestedFace } from '../../operations/faces.ts'
import { readQuery } from '../requests/query.ts'
import { tableBodies } from './table-bodies.ts'
import type { TableAnswer, TableRequest } from './table-answer.ts'
import { tooLongText } from './table-limits.ts'
import { TABLE_QUERY, type TableQuery } from './table-query.ts'
import { continueForm } from './multipart.ts'
import { failurePart } from './table-answer.ts'
import type { TablePlaces } from './table-places.ts'
import { MAX_CALLER_TABLES, MAX_TABLES } from './table-share.ts'
import { readLossReason } from '../threads/threads.ts'
import { identifyClient } from '../requests/access.ts'

export interface TableParts {
  readonly convert: (request: TableRequest) => Promise<TableAnswer>
  /** Maximum size of a table, in bytes. */
  readonly most: number
  /** Maximum working time in ms; 0 means no limit. */
  readonly time: number
  readonly places: TablePlaces
  readonly connections: Connections
}

/** Registers a separate scope, whose bodies are raw bytes. */
export function addTable(
  app: FastifyInstance,
  { convert, most, time, places, connections }: TableParts,
): void {
  const bodies = tableBodies(most, MAX_TABLES * most)
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
        const stream = request.body instanceof Readable ? request.body : Readable.from([])
        const body = await bodies.take(stream)
        // already refused for arriving too slowly
        if (isAnswered(reply)) return reply
        if (body.kind === 'long')
          return reply.code(413).send({ message: tooLongText(most), code: 'bad-request' })
        if (body.kind === 'crowded') {
          places.refuse('crowded')
          return refuse(reply, 'too many tables are being uploaded; try again')
        }
        if (reply.raw.closed) {
          body.release()
          return reply
        }
        reply.raw.once('close', () => body.release())
        // takes a place only when the table is complete, not while it arrives
        const place = await places.take(identifyClient(request))
        if (typeof place !== 'function') return refuse(reply, REFUSED[place])
        if (reply.raw.closed) {
          place()
          return reply
        }
        const face = requestedFace(request, 'query')
        const converted = convert({ query: request.query, most, time, face, pieces: body.pieces })
        reply.raw.once('close', () => whenOver(converted, place))
        return answer(request, reply, converted, face)
      },
    })
  })
}

/**
 * The query holds options, so unknown ones are refused, not ignored.
 * @throws {HlaError} bad-request, unknown-method
 */
function checkedQuery(query: Readonly<Record<string, string>>): TableQuery {
  refuseUnknown(TABLE_QUERY, query)
  // query values are texts; readInput checks the parsed values
  return readInput(TABLE_QUERY, readQuery(query, TABLE_QUERY.properties)).input
}

const REFUSED = {
  full: `${MAX_TABLES} tables are being converted; ask again`,
  caller: `${MAX_CALLER_TABLES} of your tables are being converted; try again when one is finished`,
}

/** Ends the conversion and frees its slot. A long step continues without its reader and keeps the slot meanwhile. */
function whenOver(converted: Promise<TableAnswer>, giveBack: () => void): void {
  converted
    .then(({ body }) => body.return(undefined))
    .catch(() => undefined)
    .finally(giveBack)
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  converted: Promise<TableAnswer>,
  face: Face,
): Promise<FastifyReply> {
  try {
    const answer = await converted
    // the client may have disconnected while the table was opened
    if (reply.raw.closed) return reply
    return await reply.type(answer.contentType).send(Readable.from(toItsEnd(answer, request, reply, face)))
  } catch (error) {
    if (!isHlaError(error)) throw error
    noteLoss(error, request, reply)
    if (readLossReason(error) === 'end') return refuse(reply, error.message)
    // any other error is an error of the table
    return reply.code(400).send(errorRecord(error, face))
  }
}

/** Streams the answer. An error that ends the thread becomes the last part, since the answer has begun. */
async function* toItsEnd(
  { contentType, body }: TableAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  face: Face,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (isHlaError(error)) {
      noteLoss(error, request, reply)
      yield failurePart(continueForm(contentType), error, face)
      return
    }
    noteBreak(reply.raw, 'failed')
    request.log.error({ reqId: request.id, err: error }, 'internal error')
    throw error
  }
}

function noteLoss(error: HlaError, request: FastifyRequest, reply: FastifyReply): void {
  const reason = readLossReason(error)
  if (reason === undefined) return
  noteBreak(reply.raw, reason)
  request.log.warn({ reqId: request.id, reason }, 'a table conversion did not complete')
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply.code(503).header('retry-after', '2').send({ message, code: 'too-many-requests' })
}
