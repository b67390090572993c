/** Published files below a web address. [network] */
import type { Dispatcher } from 'undici'
import { HlaError, errorMessage } from '../../errors.ts'
import { type FileAccess, MAX_FILE_BYTES } from './file-access.ts'

/** Files below an address that stands for a folder. */
export async function openUrl(base: string): Promise<FileAccess> {
  const folder = base.endsWith('/') ? base : `${base}/`
  const web = await openWeb()
  return {
    from: base,
    prefix: folder,
    isRemote: true,
    read: async (path) => withRetries(() => get(web, folder + path)),
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
 * The first `size` bytes of one file, or all of it.
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
  throw new HlaError('not-found', `${url} does not exist (404)`, { offending: url })
}

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000
const MAX_REDIRECTS = 5
/** Slower than this after a while is no download: a file would take hours. */
const LEAST_BYTES_PER_SECOND = 1024
const PATIENCE_MS = 30_000
const ATTEMPTS = 3
const FIRST_PAUSE_MS = 200

/** A failure another attempt may not meet again. */
class Passing extends HlaError {}

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured. */
async function openWeb(): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, interceptors } = await import('undici')
  const timeouts = { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS, connect: { timeout: CONNECT_MS } }
  return new EnvHttpProxyAgent(timeouts).compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }))
}

async function get(web: Dispatcher, url: string): Promise<Buffer | undefined> {
  const answer = await ask(web, url, 'GET')
  if (answer.statusCode === 200) return readBody(url, answer)
  await answer.body.dump()
  return explain(url, answer.statusCode)
}

/** A server that does not know ranges sends the whole file, of which no more is read. */
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
  return answer.statusCode === 200 || explain(url, answer.statusCode) !== undefined
}

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
      cause: error,
    })
  }
}

/** Returns for a file that is not there, and throws for every other answer that is not the file. */
function explain(url: string, status: number): undefined {
  if (status === 404 || status === 410) return undefined
  const error = status === 429 || status >= 500 ? Passing : HlaError
  throw new error('remote', `${url} answered ${status}`, { offending: url })
}

async function readFirst(url: string, { body }: Dispatcher.ResponseData, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  // what is left unread is given up
  body.on('error', () => undefined)
  try {
    for await (const part of body) {
      parts.push(part as Buffer) // the stream has no encoding set, so it yields buffers
      length += parts.at(-1)?.length ?? 0
      if (length >= size) break
    }
  } catch (error) {
    throw cutOff(url, length, Number.NaN, error)
  }
  return Buffer.concat(parts, length).subarray(0, size)
}

async function readBody(url: string, { headers, body }: Dispatcher.ResponseData): Promise<Buffer> {
  const promised = Number(headers['content-length'] ?? Number.NaN)
  const parts: Buffer[] = []
  let size = 0
  const started = performance.now()
  try {
    for await (const part of body) {
      parts.push(part as Buffer) // the stream has no encoding set, so it yields buffers
      size += parts.at(-1)?.length ?? 0
      if (size > MAX_FILE_BYTES)
        throw new HlaError('bad-release-file', `${url} is too large`, { offending: url })
      refuseSlow(url, size, performance.now() - started)
    }
  } catch (error) {
    if (error instanceof HlaError) throw error
    throw cutOff(url, size, promised, error)
  }
  if (Number.isFinite(promised) && size !== promised) throw cutOff(url, size, promised)
  return Buffer.concat(parts, size)
}

/** Silence has a limit of its own; a server that sends a byte now and then is never silent. */
export function refuseSlow(url: string, bytes: number, milliseconds: number): void {
  if (milliseconds < PATIENCE_MS || bytes >= (milliseconds / 1000) * LEAST_BYTES_PER_SECOND) return
  const seconds = Math.round(milliseconds / 1000)
  throw new HlaError('remote', `${url} is too slow: ${bytes} bytes in ${seconds} s`, {
    offending: url,
    hint: 'download the file another way and give its folder with --from',
  })
}

function cutOff(url: string, size: number, promised: number, cause?: unknown): HlaError {
  const of = Number.isFinite(promised) ? ` of ${promised}` : ''
  return new Passing('truncated-file', `${url} was cut off after ${size}${of} bytes`, {
    offending: url,
    hint: 'try again; if it happens each time, download the file another way and give its folder with --from',
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
