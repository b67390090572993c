/** Answers given again while nothing is committed: whoever watches a file asks for the same again and again. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../model/caller.ts'
import type { Store } from '../store/store.ts'
import { baseUrl } from './base-url.ts'
import type { DriveOptions } from './options.ts'
import { sendText } from './send-json.ts'
import { isKnown } from './preconditions.ts'

export interface SameAnswer {
  /** undefined: it is to be made. */
  readonly find: () => GivenAnswer | undefined
  readonly keep: (answer: { readonly etag: string | undefined; readonly text: string }) => void
}

export interface GivenAnswer {
  readonly etag: string | undefined
  readonly bytes: Buffer
}

interface Kept extends GivenAnswer {
  readonly state: State
}

/** Of one caller; longer answers are not kept. */
const MOST_KEPT = 1000
const LONGEST = 16 * 1024

/**
 * What an answer depends on besides the database: the caller, an object that lives as long as his token is trusted, and
 * the address that was asked, as he knows it.
 */
export function sameAnswers(store: Store, options: DriveOptions): (request: FastifyRequest) => SameAnswer {
  const callers = new WeakMap<Caller, Map<string, Kept>>()
  const stateOf = stateReader(store)
  return (request) => {
    const { caller, url } = request
    if (caller === undefined) return NONE
    const address = `${baseUrl(request, options)} ${url}`
    // before anything is read: what is committed meanwhile makes it too old, never too new
    const state = stateOf()
    return {
      find() {
        const kept = callers.get(caller)?.get(address)
        return kept?.state === state ? kept : undefined
      },
      keep({ etag, text }) {
        if (text.length > LONGEST) return
        const answers = callers.get(caller) ?? new Map<string, Kept>()
        if (answers.size >= MOST_KEPT) answers.clear()
        callers.set(caller, answers.set(address, { etag, bytes: Buffer.from(text), state }))
      },
    }
  }
}

/** An object that is another one when anything was committed. */
interface State {
  readonly commits: number
  /** What others committed, as SQLite counts it: https://www.sqlite.org/pragma.html#pragma_data_version */
  readonly others: number
  /** ms of this process until which nobody else is asked about: it takes as long as a tenth of an answer. */
  until: number
}

/** Administration works beside the service: what it changed is seen so many ms later. */
const BESIDE = 20

function stateReader({ read, commits }: Store): () => State {
  const others = () => read.get<Version>('PRAGMA data_version')?.data_version ?? Number.NaN
  let state: State = { commits: Number.NaN, others: Number.NaN, until: 0 }
  return () => {
    const [now, count] = [performance.now(), commits()]
    if (count === state.commits && now < state.until) return state
    const fresh = { commits: count, others: others(), until: now + BESIDE }
    const isSame = count === state.commits && fresh.others === state.others
    if (isSame) state.until = fresh.until
    else state = fresh
    return state
  }
}

interface Version {
  readonly data_version: number
}

const NONE: SameAnswer = { find: () => undefined, keep: () => undefined }

export function sendGiven(
  { etag, bytes }: GivenAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (etag !== undefined) reply.header('etag', etag)
  return isKnown(request, etag) ? reply.code(304).send() : sendText(reply, bytes)
}
