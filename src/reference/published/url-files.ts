/** Published files at a web address. [network] */
import type { Dispatcher } from 'undici'
import { HlaError, errorMessage } from '../../errors.ts'
import { openDispatcher } from '../../io/dispatcher.ts'
import { type FileAccess, MAX_FILE_BYTES, MAX_SOURCE_BYTES } from './file-access.ts'

/** Files below an address that is a folder. */
export async function openUrl(base: string): Promise<FileAccess> {
  const folder = base.endsWith('/') ? base : `${base}/`
  const web = await openWeb()
  const budget = { left: MAX_SOURCE_BYTES }
  return {
    from: base,
    prefix: folder,
    isRemote: true,
    read: async (path) => withRetries(() => get(web, folder + path, budget)),
    readStart: async (path, size) => withRetries(() => getStart(web, folder + path, size)),
    has: async (path) => withRetries(() => exists(web, folder + path)),
    close: () => web.destroy(),
  }
}

/**
 * One file by its full address.
 * @throws {HlaError} not-found, remote, truncated-file
 */
export async function download(url: string): Promise<Buffer> {
  const web = await openWeb()
  try {
    return (await withRetries(() => get(web, url))) ?? missing(url)
  } finally {
    await web.destroy()
  }
}

/**
 * First `size` bytes of one file, or all of it.
 * @throws {HlaError} not-found, remote
 */
export async function downloadStart(url: string, size: number): Promise<Buffer> {
  const web = await openWeb()
  try {
    return (await withRetries(() => getStart(web, url, size))) ?? missing(url)
  } finally {
    await web.destroy()
  }
}

function missing(url: string): never {
  throw new HlaError('not-found', `${url} does not exist (404)`, { offending: url, hint: OFFLINE })
}

const OFFLINE =
  'without network access: copy the files here; give their folder, zip or tar.gz to hla data install --from, and the MAC list to hla data mac FILE or --mac'

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
const MAX_REDIRECTS = 5
/** Minimum rate after `SLOW_AFTER_MS`: below it a file would take hours. */
const MIN_BYTES_PER_SECOND = 1024
const SLOW_AFTER_MS = 30_000
const ATTEMPTS = 3
const FIRST_PAUSE_MS = 200

/** A failure that a retry may not meet again. */
class Passing extends HlaError {}

async function openWeb(): Promise<Dispatcher> {
  const { interceptors } = await import('undici')
  const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS, connectTimeout: CONNECT_MS }
  return (await openDispatcher(timeouts)).compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }))
}

/** Bytes that may still be read, shared by concurrent requests. */
interface Budget {
  left: number
}

async function get(
  web: Dispatcher,
  url: string,
  budget: Budget = { left: MAX_FILE_BYTES },
): Promise<Buffer | undefined> {
  const answer = await ask(web, url, 'GET')
  if (answer.statusCode === 200) return readBody(url, answer, budget)
  await answer.body.dump()
  return explain(url, answer.statusCode)
}

/** A server without range support sends the whole file; the rest is not read. */
async function getStart(web: Dispatcher, url: string, size: number): Promise<Buffer | undefined> {
  const answer = await ask(web, url, 'GET', { range: `bytes=0-${size - 1}` })
  const { statusCode, body } = answer
  if (statusCode === 200 || statusCode === 206) return readFirst(url, answer, size)
  await body.dump()
  // an empty file has no first byte
  return statusCode === 416 ? Buffer.alloc(0) : explain(url, statusCode)
}

async function exists(web: Dispatcher, url: string): Promise<boolean> {
  const answer = await ask(web, url, 'HEAD')
  await answer.body.dump()
  if (REFUSED_HEAD.has(answer.statusCode)) return (await getStart(web, url, 1)) !== undefined
  return answer.statusCode === 200 || explain(url, answer.statusCode) !== undefined
}

/** Statuses by which some servers refuse HEAD: they support, or allow, only GET. */
const REFUSED_HEAD = new Set([400, 403, 405, 501])

async function ask(
  web: Dispatcher,
  url: string,
  method: 'GET' | 'HEAD',
  headers: Readonly<Record<string, string>> = {},
): Promise<Dispatcher.ResponseData> {
  const { request } = await import('undici')
  try {
    return await request(url, { dispatcher: web, method, headers })
  } catch (error) {
    throw new Passing('remote', `cannot reach ${url}: ${errorMessage(error)}`, {
      offending: url,
      hint: OFFLINE,
      cause: error,
    })
  }
}

/** Returns for a missing file, and throws for every other status that is not success. */
function explain(url: string, status: number): undefined {
  if (status === 404 || status === 410) return undefined
  const error = status === 429 || status >= 500 ? Passing : HlaError
  throw new error('remote', `${url} answered ${status}`, { offending: url, hint: OFFLINE })
}

async function readFirst(url: string, { body }: Dispatcher.ResponseData, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  // errors of an abandoned body do not matter
  body.on('error', () => undefined)
  try {
    for await (const part of body) {
      const bytes = part as Buffer // without an encoding the stream yields buffers
      parts.push(bytes)
      length += bytes.length
      if (length >= size) break
    }
  } catch (error) {
    throw cutOff(url, length, Number.NaN, error)
  }
  return Buffer.concat(parts, length).subarray(0, size)
}

async function readBody(
  url: string,
  { headers, body }: Dispatcher.ResponseData,
  budget: Budget,
): Promise<Buffer> {
  const promised = Number(headers['content-length'] ?? Number.NaN)
  const parts: Buffer[] = []
  let size = 0
  const started = performance.now()
  try {
    for await (const part of body) {
      const bytes = part as Buffer // without an encoding the stream yields buffers
      parts.push(bytes)
      size += bytes.length
      budget.left -= bytes.length
      if (budget.left < 0 || promised > MAX_FILE_BYTES) throw tooLarge(url, size)
      refuseSlow(url, size, performance.now() - started)
    }
  } catch (error) {
    if (error instanceof HlaError) throw error
    throw cutOff(url, size, promised, error)
  }
  if (Number.isFinite(promised) && size !== promised) throw cutOff(url, size, promised)
  return Buffer.concat(parts, size)
}

function tooLarge(url: string, size: number): HlaError {
  const message = `${url} is too large: given up after ${size} bytes, since all files together exceed the size of a release`
  return new HlaError('bad-release-file', message, { offending: url, hint: 'check the address' })
}

/** Throws for a slow download. Idle timeouts do not catch a server that sends a byte now and then. */
export function refuseSlow(url: string, bytes: number, milliseconds: number): void {
  if (milliseconds < SLOW_AFTER_MS || bytes >= (milliseconds / 1000) * MIN_BYTES_PER_SECOND) return
  const seconds = Math.round(milliseconds / 1000)
  throw new HlaError('remote', `${url} is too slow: ${bytes} bytes in ${seconds} s`, {
    offending: url,
    hint: OFFLINE,
  })
}

function cutOff(url: string, size: number, promised: number, cause?: unknown): HlaError {
  const of = Number.isFinite(promised) ? ` of ${promised}` : ''
  return new Passing('truncated-file', `${url} was cut off after ${size}${of} bytes`, {
    offending: url,
    hint: `try again; ${OFFLINE}`,
    ...(cause === undefined ? {} : { cause }),
  })
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Passing) || tries === ATTEMPTS) throw error
      await new Promise((resume) => setTimeout(resume, FIRST_PAUSE_MS * 2 ** (tries - 1)))
    }
  }
}
