/** Runs `hla drive serve` in a separate process, and sends requests to it.  [disk, network] */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeConnections } from './close-connections.ts'
import { stopAtEnd } from './end-of-file.ts'
import { tempFolder } from './temp.ts'
import { mustBeWhole } from './whole-page.ts'

export const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; the test knows its type. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export interface Asking {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly token?: string | undefined
}

export interface Drive {
  readonly url: string
  /** Token of the owner: the given one, or the one that the first start wrote. */
  readonly token: string
  readonly folder: string
  /** Arguments after the Node binary. */
  readonly words: readonly string[]
  readonly child: ChildProcess
  readonly said: () => string
  readonly printed: () => string
  /** Requests `path` of the service, with the owner's token unless another is given. */
  readonly ask: (method: string, path: string, asking?: Asking) => Promise<Reply>
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const running = new Set<ChildProcess>()
/** Folder of the services of the file that runs. */
let temp: ((name: string) => string) | undefined
let folders = 0
stopAtEnd(() => {
  temp = undefined
  return Promise.all(
    [...running].map((child) => {
      child.kill('SIGKILL')
      return once(child, 'exit')
    }),
  )
})

/** Starts a service, on a new folder unless one is given. */
export async function startDrive(
  given: {
    folder?: string
    args?: readonly string[]
    token?: string
    /** Script of another version. */
    program?: string
    /** Node binary. */
    node?: string
    env?: Readonly<Record<string, string>>
  } = {},
): Promise<Drive> {
  const { args = [], env = {}, program = PROGRAM, node = process.execPath } = given
  const { folder = (temp ??= tempFolder())(`drive-${(folders += 1)}`) } = given
  const words = [program, 'drive', 'serve', '--data', folder, '--port', '0', ...args]
  const child = spawn(node, words, { env: { ...process.env, ...env } })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let [said, printed] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      const found = /on (https?:\S+)\n/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(said)))
  })
  const token = given.token ?? readFileSync(join(folder, 'owner-token'), 'utf8').trim()
  return {
    url,
    token,
    folder,
    words,
    child,
    said: () => said,
    printed: () => printed,
    ask: (method, path, asking = {}) =>
      ask(`${url}${path}`, method, { token, ...asking }).catch(async (error: unknown) => {
        // a service that has just crashed is still ending
        await new Promise((resolve) => setTimeout(resolve, 100))
        const { exitCode, signalCode } = child
        if (exitCode === null && (signalCode === null || signalCode === 'SIGKILL')) throw error
        throw new Error(`the service ended (${exitCode ?? signalCode}): ${said}`, { cause: error })
      }),
    async stop(signal = 'SIGTERM') {
      closeConnections()
      child.kill(signal)
      const [status] = (await once(child, 'exit')) as [number | null]
      return status
    },
  }
}

/** Objects are sent as JSON, other bodies unchanged. */
export async function ask(
  address: string,
  method: string,
  { body, headers, query = {}, token }: Asking,
): Promise<Reply> {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const isPlain = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: isPlain ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  mustBeWhole(response.headers, text)
  const isJson = text !== '' && /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}
