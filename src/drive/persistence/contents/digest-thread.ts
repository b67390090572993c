/** A thread that digests the pieces of long contents. The pieces are in memory shared with the receiving thread.  [threads] */
import { createHash, type Hash } from 'node:crypto'

export type DigestName = 'md5' | 'sha1' | 'sha256'

/** `content` is a number that identifies the content. */
export type ToDigester =
  | { readonly kind: 'begin'; readonly content: number; readonly names: readonly DigestName[] }
  | { readonly kind: 'bytes'; readonly content: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end' | 'forget'; readonly content: number }

/** Answers come in the order of the requests: empty for `bytes`; for `end` the hexadecimal digests in the order of their names. */
export type FromDigester = readonly string[]

/** Does nothing in the main thread. Ends with its parent. */
export async function serveDigests(): Promise<void> {
  const { parentPort } = await import('node:worker_threads')
  const contents = new Map<number, readonly Hash[]>()
  parentPort?.on('message', (message: ToDigester) => {
    const answer = answerTo(message, contents)
    if (answer !== undefined) parentPort.postMessage(answer, [])
  })
}

function answerTo(message: ToDigester, contents: Map<number, readonly Hash[]>): FromDigester | undefined {
  const { kind, content } = message
  const hashes = contents.get(content) ?? []
  switch (kind) {
    case 'begin':
      contents.set(
        content,
        message.names.map((name) => createHash(name)),
      )
      return undefined
    case 'bytes':
      for (const one of hashes) one.update(message.bytes)
      return []
    case 'end':
      contents.delete(content)
      return hashes.map((one) => one.digest('hex'))
    case 'forget':
      contents.delete(content)
      return undefined
  }
}
