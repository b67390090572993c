/** Thread that converts tables, one at a time, so that no table can block the event loop.  [disk] */
import type { MessagePort } from 'node:worker_threads'
import { isHlaError } from '../../errors.ts'
import { errorData } from '../../operations/error-record.ts'
import type { TableAnswer } from './table-answer.ts'

export type ToTables =
  | { readonly kind: 'begin'; readonly request: unknown }
  /** Requests the next chunk of the answer, or ends it. */
  | { readonly kind: 'next' | 'end' }

/** The identity of the data comes first, unrequested; `end` has no reply. */
export type FromTables =
  | { readonly kind: 'data'; readonly dataId: string }
  | { readonly kind: 'begun'; readonly head: Omit<TableAnswer, 'body'> }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'refused'; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly stack: string }

/** The thread ends with its parent. `answer` receives a request as sent. */
export function serveTables(
  port: MessagePort,
  dataId: string,
  answer: (request: unknown) => Promise<TableAnswer>,
): void {
  let body: TableAnswer['body'] | undefined
  const say = (message: FromTables) => port.postMessage(message, [])
  const answerTo = async (message: ToTables): Promise<FromTables | undefined> => {
    if (message.kind === 'begin') {
      const { body: begun, ...head } = await answer(message.request)
      body = begun
      return { kind: 'begun', head }
    }
    if (message.kind === 'end') {
      const ended = body
      body = undefined
      await ended?.return(undefined)
      return undefined
    }
    const piece = (await body?.next())?.value
    return { kind: 'piece', bytes: typeof piece === 'string' ? Buffer.from(piece) : (piece ?? undefined) }
  }
  port.on('message', (message: ToTables) => {
    answerTo(message).then(
      (answer) => answer !== undefined && say(answer),
      (error: unknown) => {
        if (isHlaError(error)) say({ kind: 'refused', record: errorData(error) })
        else say({ kind: 'failed', stack: error instanceof Error ? (error.stack ?? '') : '' })
      },
    )
  })
  say({ kind: 'data', dataId })
}
