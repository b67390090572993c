/** In whose words advice is given: a client that is a command line or the page says so, everybody else writes requests. */
import type { FastifyRequest } from 'fastify'
import { type Wording, WORDS } from '../../operations/wording.ts'

/** The header that says so. */
const HEADER = 'x-hla-words'

export function requestedWording({ headers }: FastifyRequest, usual: Wording = 'request'): Wording {
  const asked = headers[HEADER]
  return WORDS.find((words) => words === asked) ?? usual
}
