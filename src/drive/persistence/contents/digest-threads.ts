/** Threads that digest long contents. They start on demand, up to the number of processors.  [disk, threads] */
import { threadOptions } from '../../../package-root.ts'
import { PIECE_BYTES, type Digesting } from './digest.ts'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WriterEntry } from '../writer/writer.ts'
import { createHash, type Hash } from 'node:crypto'

export interface DigestThreads {
  /** Bytes passed to `update` must be in shared memory. They may be read until its promise resolves. */
  readonly digesting: () => Digesting
  readonly close: () => Promise<void>
}

/** A script that calls `serveDigests`. */
export type DigestEntry = WriterEntry

/** Groups of equal duration: MD5 takes as long as SHA-1 and SHA-256 together, for which processors have instructions. */
const PARTS: readonly (readonly DigestName[])[] = [['md5'], ['sha1', 'sha256']]

/** More than two contents at once are rarely faster than the disk. */
const MAX_THREADS = 4

export function digestThreads(entry: DigestEntry): DigestThreads {
  const threads = new Set<Thread>()
  let contents = 0
  return {
    digesting() {
      const content = (contents += 1)
      return together(PARTS.map((names) => threadPart(leastBusy(threads, entry), content, names)))
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

interface Thread {
  readonly worker: Worker
  /** Requests without an answer. */
  readonly waiting: {
    readonly resolve: (answer: FromDigester) => void
    readonly reject: (error: Error) => void
  }[]
  /** Parts of unfinished contents. */
  parts: number
  failure: Error | undefined
}

function leastBusy(threads: Set<Thread>, entry: DigestEntry): Thread {
  const [first] = [...threads].toSorted((one, other) => one.parts - other.parts)
  const isEnough = threads.size >= Math.min(MAX_THREADS, availableParallelism())
  return first !== undefined && (first.parts === 0 || isEnough) ? first : start(threads, entry)
}

function start(threads: Set<Thread>, entry: DigestEntry): Thread {
  const worker = new Worker(entry.file, threadOptions(entry))
  const thread: Thread = { worker, waiting: [], parts: 0, failure: undefined }
  const fail = (error: Error) => {
    threads.delete(thread)
    thread.failure ??= error
    for (const one of thread.waiting.splice(0)) one.reject(error)
  }
  worker.on('message', (answer: FromDigester) => thread.waiting.shift()?.resolve(answer))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a digest thread ended')))
  threads.add(thread)
  return thread
}

interface Part {
  readonly update: (bytes: Uint8Array) => Promise<FromDigester>
  readonly end: () => Promise<FromDigester>
  readonly forget: () => void
}

function threadPart(thread: Thread, content: number, names: readonly DigestName[]): Part {
  let isOver = false
  const send = (message: ToDigester) => thread.worker.postMessage(message, [])
  const ask = (message: ToDigester) =>
    new Promise<FromDigester>((resolve, reject) => {
      if (thread.failure !== undefined) return reject(thread.failure)
      thread.waiting.push({ resolve, reject })
      return send(message)
    })
  const leave = () => {
    if (!isOver) thread.parts -= 1
    isOver = true
  }
  thread.parts += 1
  send({ kind: 'begin', content, names })
  return {
    update: (bytes) => ask({ kind: 'bytes', content, bytes }),
    end() {
      leave()
      return ask({ kind: 'end', content })
    },
    forget() {
      leave()
      send({ kind: 'forget', content })
    },
  }
}

function together(parts: readonly Part[]): Digesting {
  return {
    async update(bytes) {
      await Promise.all(parts.map((part) => part.update(bytes)))
    },
    async digests() {
      const [md5, sha1, sha256] = (await Promise.all(parts.map((part) => part.end()))).flat()
      if (md5 === undefined || sha1 === undefined || sha256 === undefined)
        throw new Error('a digest thread does not know its content')
      return { md5, sha1, sha256 }
    },
    forget() {
      for (const part of parts) part.forget()
    },
  }
}

/**
 * Chooses where a content is digested: in `threads` if its first chunk is a full piece, otherwise in this thread. The
 * choice is final, because digest state cannot move between threads.
 */
export function digesting(threads?: DigestThreads): Digesting {
  let chosen: Digesting | undefined
  const choose = (first: number) =>
    (chosen ??= threads === undefined || first < PIECE_BYTES ? digestingHere() : threads.digesting())
  return {
    update: (bytes) => choose(bytes.length).update(bytes),
    digests: () => choose(0).digests(),
    forget: () => chosen?.forget(),
  }
}

function digestingHere(): Digesting {
  const [md5, sha1, sha256] = [createHash('md5'), createHash('sha1'), createHash('sha256')]
  return {
    update(bytes) {
      for (const one of [md5, sha1, sha256]) one.update(bytes)
      return Promise.resolve()
    },
    digests: () =>
      Promise.resolve({ md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') }),
    forget: () => undefined,
  }
}

type DigestName = 'md5' | 'sha1' | 'sha256'

/** `content` is a number that identifies the content. */
type ToDigester =
  | { readonly kind: 'begin'; readonly content: number; readonly names: readonly DigestName[] }
  | { readonly kind: 'bytes'; readonly content: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end' | 'forget'; readonly content: number }

/** Answers come in the order of the requests: empty for `bytes`; for `end` the hexadecimal digests in the order of their names. */
type FromDigester = readonly string[]

/**
 * Digests pieces of long contents, which are in memory shared with the receiving thread. Does nothing in the main
 * thread. Ends with its parent.
 */
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
