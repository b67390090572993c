/** Questions to the service that this page came from. */
import type { ErrorRecord } from './answers.ts'
import { part } from '../../web/page/elements.ts'

let token: string | undefined

/** A question of `POST /batch`. */
export interface PageQuestion {
  readonly op: string
  readonly [property: string]: unknown
}

/** The answers in the order of the questions; what one asks wrongly is `{ error }`. */
export async function ask(questions: readonly PageQuestion[]): Promise<unknown[]> {
  const body = questions.map((question) => JSON.stringify(question)).join('\n')
  const answer = await send('batch', { body, headers: { 'content-type': 'application/jsonl' } })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/** @throws {Error} in words for whoever asked */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-hla-words', 'page')
  const answer = await sendAny(path, { ...init, headers })
  if (answer.ok) return answer
  throw new PageFailure(await readError(answer))
}

/** The answer, whatever its status. @throws {Error} nothing is answered */
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

/** What the service refused. Its message is a sentence, with the hint behind it. */
export class PageFailure extends Error {
  readonly code: string
  /** Without the hint. */
  readonly reason: string

  constructor({ code, message, hint }: ErrorRecord) {
    super([message, ...(hint ?? '').split('\n')].map(sentence).filter(Boolean).join(' '))
    this.code = code
    this.reason = sentence(message)
  }
}

/** Words that keep their small letter at the beginning of a sentence. */
const SMALL = /^(?:hla|lgx?|exon|hats)\b|^[a-z]*[^a-z\s,;:'-]/

/** The service's messages begin small and have no full stop. */
export function sentence(text: string): string {
  const begun = SMALL.test(text) ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return begun === '' || /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
