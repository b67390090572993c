/** Sends requests to a file store from a separate process, so that client and server share no thread [process]. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Asked } from './drive-client.ts'
import type { Server } from './drive-server.ts'

export interface Load {
  readonly connections: number
  readonly path: string
  readonly body?: string
  readonly seconds?: number
  /** Uncounted seconds before those. */
  readonly warm?: number
}

/** Default number of counted seconds. */
export const SECONDS = 2

/** `client`: the bundled drive-client.ts. */
export function ask({ client }: { readonly client: string }, server: Server, load: Load): Asked {
  return answered(load, execFileSync(process.execPath, words(client, server, load), { encoding: 'utf8' }))
}

/** The same while other requests run. */
export async function askBeside(
  { client }: { readonly client: string },
  server: Server,
  load: Load,
): Promise<Asked> {
  const { stdout } = await promisify(execFile)(process.execPath, words(client, server, load))
  return answered(load, stdout)
}

function words(client: string, { port, token }: Server, load: Load): string[] {
  const { connections, path, body = '', seconds = SECONDS, warm = 0 } = load
  return [client, ...[port, connections, seconds, warm].map(String), path, token, body]
}

function answered({ path }: Load, printed: string): Asked {
  // our own script prints this
  const asked = JSON.parse(printed) as Asked
  if (asked.failed > 0) throw new Error(`${asked.failed} requests for ${path} failed`)
  return asked
}

export const NEW_FILE = JSON.stringify({
  title: 'donors of the week.csv',
  mimeType: 'text/csv',
  description: 'typed anew',
})
