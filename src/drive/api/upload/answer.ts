/** What an upload under way is answered, in the words of its client.  [network] */
import type { FastifyReply } from 'fastify'
import type { CallAnswer, Call } from '../requests/call.ts'
import { fileAnswer } from '../operations/files/files.ts'
import type { UploadOutcome } from './session.ts'

export function answerOutcome(
  outcome: UploadOutcome,
  call: Call,
  reply: FastifyReply,
  by: 'ranges' | 'commands',
): CallAnswer {
  if (outcome.kind === 'file') {
    if (by === 'commands') reply.header('x-goog-upload-status', 'final')
    return fileAnswer(outcome.view, call)
  }
  const headers = by === 'commands' ? statusHeader(outcome) : rangeHeader(outcome, call)
  return {
    kind: 'own',
    send: (to) =>
      to
        .code(statusCode(outcome, call, by))
        .headers(headers)
        .send(),
  }
}

type Unfinished = Exclude<UploadOutcome, { readonly kind: 'file' }>

function statusCode(outcome: Unfinished, call: Call, by: 'ranges' | 'commands'): number {
  if (by === 'commands') return 200
  if (outcome.kind === 'cancelled') return 499
  return takes308(call) ? 308 : 200
}

/** Some clients' libraries would take 308 for a redirection; this is how they say so. */
function takes308({ request }: Call): boolean {
  return request.headers['x-guploader-no-308']?.toString().toLowerCase() !== 'yes'
}

function statusHeader(outcome: Unfinished): Record<string, string> {
  if (outcome.kind === 'cancelled') return { 'x-goog-upload-status': 'cancelled' }
  return { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(outcome.received) }
}

/** Nothing is said of nothing: `bytes=0--1` is no range. */
function rangeHeader(outcome: Unfinished, call: Call): Record<string, string> {
  if (outcome.kind === 'cancelled') return {}
  return {
    ...(takes308(call) ? {} : { 'x-http-status-code-override': '308' }),
    ...(outcome.received === 0 ? {} : { range: `bytes=0-${outcome.received - 1}` }),
  }
}
