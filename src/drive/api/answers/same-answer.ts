/** Caches answers until the next commit: clients that poll a file ask for the same again and again. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../contract/caller.ts'
import type { Store } from '../../persistence/store.ts'
import { baseUrl } from '../requests/base-url.ts'
import { hasFormQuery } from '../requests/method-override.ts'
import type { DriveOptions } from '../options.ts'
import { sendText } from './json.ts'
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

/** Bytes of all callers together; longer answers are not kept. */
const MOST_KEPT = 32 * 1024 * 1024
const LONGEST = 16 * 1024

/**
 * Besides the database an answer depends on the caller, an object that is replaced whenever the token is looked up
 * again, and on the whole address of the request. Only answers of the present state are kept: any commit forgets all.
 */
export function sameAnswers(store: Store, options: DriveOptions): (request: FastifyRequest) => SameAnswer {
  const stateOf = stateReader(store)
  const kept = new Map<Caller, Map<string, GivenAnswer>>()
  let [state, size] = [stateOf(), 0]
  const forget = () => {
    kept.clear()
    size = 0
  }
  return (request) => {
    const { caller, raw, url } = request
    if (caller === undefined || hasFormQuery(raw)) return NONE
    const address = `${baseUrl(request, options)} ${url}`
    // before anything is read: what is committed meanwhile makes it too old, never too new
    const now = stateOf()
    if (now !== state) forget()
    state = now
    return {
      find: () => kept.get(caller)?.get(address),
      keep({ etag, text }) {
        const bytes = Buffer.from(text)
        if (now !== state || bytes.length > LONGEST) return
        if (size > MOST_KEPT) forget()
        size += bytes.length + address.length
        const answers = kept.get(caller) ?? new Map<string, GivenAnswer>()
        kept.set(caller, answers.set(address, { etag, bytes }))
      },
    }
  }
}

/** An object that is another one when anything was committed. */
interface RememberedAnswers {
  readonly commits: number
  /** What others committed, as SQLite counts it: https://www.sqlite.org/pragma.html#pragma_data_version */
  readonly others: number
  /** ms of this process until which nobody else is asked about: it takes as long as a tenth of an answer. */
  until: number
}

/** Administration works beside the service: what it changed is seen so many ms later. */
const BESIDE = 20

function stateReader({ read, commits }: Store): () => RememberedAnswers {
  const others = () => read.get<Version>('PRAGMA data_version')?.data_version ?? Number.NaN
  let state: RememberedAnswers = { commits: Number.NaN, others: Number.NaN, until: 0 }
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
