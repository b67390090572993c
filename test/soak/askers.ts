/** Well-behaved clients: each sends a request, waits for the answer, checks it, and repeats.  [network] */
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Line, Question } from './questions.ts'
import type { SoakRecord } from './record.ts'

export interface Soaking {
  readonly port: () => number
  readonly record: SoakRecord
  readonly isOver: () => boolean
}

/** ms; an answer that takes longer counts as hanging. */
const PATIENCE = 20_000

export function openPool({ port }: Soaking, connections: number): Pool {
  const timeouts = { headersTimeout: PATIENCE, bodyTimeout: PATIENCE }
  return new Pool(`http://127.0.0.1:${port()}`, { connections, ...timeouts })
}

export async function askForever(
  soaking: Soaking,
  pool: Pool,
  kind: string,
  questions: readonly Question[],
): Promise<void> {
  const { record, isOver } = soaking
  for (let at = 0; !isOver(); at += 1) {
    const question = questions[at % questions.length]
    if (question === undefined) return
    const since = performance.now()
    try {
      const { method, path, body = null } = question
      const reply = await pool.request({
        method,
        path,
        body,
        headers: { 'content-type': 'application/json' },
      })
      const text = await reply.body.text()
      const problem = judge(question, reply.statusCode, text)
      if (problem === undefined) record.right(kind, performance.now() - since)
      else record.wrong(kind, `${method} ${path.slice(0, 60)}: ${problem}`)
    } catch (error) {
      record.broken(kind, error)
      await pause(100)
    }
  }
}

function judge({ status, answer }: Question, got: number, text: string): string | undefined {
  if (got !== status) return `status ${got} in place of ${status}: ${text.slice(0, 200)}`
  const body = JSON.parse(text) as Record<string, unknown>
  if (answer === 'message')
    return typeof body['message'] === 'string' && body['message'] !== '' ? undefined : text
  return isDeepStrictEqual(body, answer) ? undefined : text.slice(0, 200)
}

/** Requests with many lines; every answer must be in its place. */
export async function batchForever(
  { record, isOver }: Soaking,
  pool: Pool,
  lines: readonly Line[],
): Promise<void> {
  const many = Array.from({ length: 20 }, () => lines).flat()
  const body = many.map(({ line }) => line).join('\n')
  const expected = many.map(({ answer }) => `${answer}\n`).join('')
  await repeat({ record, isOver }, 'batch of 1,000 lines', async () => {
    const reply = await pool.request({ method: 'POST', path: '/batch', body })
    return (await reply.body.text()) === expected
  })
}

/** A small table; every answer must equal the first, apart from its multipart boundary. */
export async function tableForever({ record, isOver }: Soaking, pool: Pool): Promise<void> {
  const rows = Array.from(
    { length: 500 },
    (_, at) => `${at},01:01,02:01,07:02,${at % 50 === 0 ? 'x' : '08:01'}\n`,
  )
  const body = `ID,A_1,A_2,B_1,B_2\n${rows.join('')}`
  let first: string | undefined
  await repeat({ record, isOver }, 'table of 500 rows', async () => {
    const reply = await pool.request({ method: 'POST', path: '/table?name=a.csv', body })
    const text = (await reply.body.text()).replaceAll(/hla-[0-9a-f]{32}/g, '')
    first ??= text
    return reply.statusCode === 200 && text.includes('"rows":500') && text === first
  })
}

async function repeat(
  { record, isOver }: Pick<Soaking, 'isOver' | 'record'>,
  kind: string,
  isRight: () => Promise<boolean>,
): Promise<void> {
  while (!isOver()) {
    try {
      if (await isRight()) record.right(kind)
      else record.wrong(kind, 'another answer')
    } catch (error) {
      record.broken(kind, error)
    }
    await pause(200)
  }
}
