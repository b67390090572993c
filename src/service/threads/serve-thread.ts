/** A thread that answers one request at a time, piece by piece, so that none can block the event loop.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import { isHlaError } from '../../errors.ts'
import { errorData } from '../../operations/error-record.ts'

/** Answer of a thread: facts that can be sent between threads, and pieces made while they are read. */
export interface PiecedAnswer {
  readonly body: AsyncGenerator<string | Uint8Array>
}

export type ToThread =
  | { readonly kind: 'begin'; readonly request: unknown }
  /** Requests the next piece of the answer, or ends it. */
  | { readonly kind: 'next' | 'end' }

/** The identity of the data comes first, unrequested; `end` has no reply. */
export type FromThread =
  | { readonly kind: 'data'; readonly dataId: string }
  /** `head` is the answer without its body. */
  | { readonly kind: 'begun'; readonly head: object }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'refused'; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly stack: string }

/** The thread ends with its parent. `answer` receives a request as sent. */
export function serveThread(
  port: MessagePort,
  dataId: string,
  answer: (request: unknown) => Promise<PiecedAnswer>,
): void {
  let body: PiecedAnswer['body'] | undefined
  const say = (message: FromThread) => port.postMessage(message, [])
  const answerTo = async (message: ToThread): Promise<FromThread | undefined> => {
    if (message.kind === 'begin') {
      const { body: parts, ...head } = await answer(message.request)
      body = parts
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
  port.on('message', (message: ToThread) => {
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
