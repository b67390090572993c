/** Requests to the service that delivered this page. */
import type { ErrorRecord } from './answers.ts'
import { part } from '../../web/page/elements.ts'

let token: string | undefined

/** Question for `POST /batch`. */
export interface PageQuestion {
  readonly op: string
  readonly [property: string]: unknown
}

/** Answers in the order of the questions; an invalid question gets `{ error }`. */
export async function ask(questions: readonly PageQuestion[]): Promise<unknown[]> {
  const body = questions.map((question) => JSON.stringify(question)).join('\n')
  const answer = await send('batch', { body, headers: { 'content-type': 'application/jsonl' } })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/** @throws {Error} with a message for the user */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-hla-words', 'page')
  const answer = await sendAny(path, { ...init, headers })
  if (answer.ok) return answer
  if (answer.status === 401 && token === undefined) throw new Error('Enter the token of this service first.')
  throw new PageFailure(await readError(answer))
}

/** Returns the answer, whatever its status. @throws {Error} no answer */
export async function sendAny(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const method = init.body === undefined ? 'GET' : 'POST'
  const answer = await reach(path, { method, ...init, headers })
  if (answer.status === 401) part('token-form').hidden = false
  return answer
}

export function useToken(given: string): void {
  token = given
  part('token-form').hidden = true
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Error('The service cannot be reached.', { cause: error })
  }
}

async function readError(answer: Response): Promise<ErrorRecord> {
  const text = await answer.text()
  try {
    return JSON.parse(text) as ErrorRecord // what the service answers to every failure
  } catch {
    return { code: '', message: `the service answers with status ${answer.status}`, suggestions: [] }
  }
}

/** Error answer of the service. The message consists of sentences, the hint last. */
export class PageFailure extends Error {
  readonly code: string
  /** Message without the hint. */
  readonly reason: string

  constructor({ code, message, hint }: ErrorRecord) {
    super([message, ...(hint ?? '').split('\n')].map(sentence).filter(Boolean).join(' '))
    this.code = code
    this.reason = sentence(message)
  }
}

/** Words that stay lower-case at the start of a sentence. */
const SMALL = /^(?:hla|lgx?|exon|hats)\b|^[a-z]*[^a-z\s,;:'-]/

/** Turns a message of the service, which has no capital and no full stop, into a sentence. */
export function sentence(text: string): string {
  const begun = SMALL.test(text) ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
