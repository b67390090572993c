/** A thread that converts tables: whatever is in one, the loop that answers everybody else goes on.  [disk] */
import type { MessagePort } from 'node:worker_threads'
import { isHlaError } from '../../errors.ts'
import { errorRecord } from '../../operations/error-record.ts'
import type { TableAnswer } from './table-answer.ts'

/** Of one conversion, which has a number. */
export type ToTables =
  | { readonly kind: 'begin'; readonly id: number; readonly request: unknown }
  /** The next piece of its answer; or no more of them. */
  | { readonly kind: 'next' | 'end'; readonly id: number }

/** Which data it answers from comes first, by itself. */
export type FromTables =
  | { readonly kind: 'data'; readonly dataId: string }
  | { readonly kind: 'begun'; readonly id: number; readonly head: Omit<TableAnswer, 'body'> }
  | { readonly kind: 'piece'; readonly id: number; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'refused'; readonly id: number; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly id: number; readonly stack: string }

/** Ends with whoever started it; `answer`: a request as it was sent. */
export function serveTables(
  port: MessagePort,
  dataId: string,
  answer: (request: unknown) => Promise<TableAnswer>,
): void {
  const bodies = new Map<number, AsyncGenerator<string | Uint8Array>>()
  const say = (message: FromTables) => port.postMessage(message, [])
  const answerTo = async (message: ToTables): Promise<FromTables | undefined> => {
    const { kind, id } = message
    if (kind === 'begin') {
      const { body, ...head } = await answer(message.request)
      bodies.set(id, body)
      return { kind: 'begun', id, head }
    }
    const body = bodies.get(id)
    if (kind === 'end') {
      bodies.delete(id)
      await body?.return(undefined)
      return undefined
    }
    const next = await body?.next()
    if (next === undefined || next.done === true) bodies.delete(id)
    const piece = next?.value
    return { kind: 'piece', id, bytes: typeof piece === 'string' ? Buffer.from(piece) : (piece ?? undefined) }
  }
  port.on('message', (message: ToTables) => {
    const { id } = message
    answerTo(message).then(
      (answer) => answer !== undefined && say(answer),
      (error: unknown) => {
        bodies.delete(id)
        if (isHlaError(error)) say({ kind: 'refused', id, record: errorRecord(error) })
        else say({ kind: 'failed', id, stack: error instanceof Error ? (error.stack ?? '') : '' })
      },
    )
  })
  say({ kind: 'data', dataId })
}
