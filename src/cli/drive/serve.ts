/** Runs the file storage service until it is told to end.  [network] */
import type { AddressInfo } from 'node:net'
import { HlaError, messageOf } from '../../errors.ts'
import { packagePath } from '../../package-root.ts'
import { type DriveService, openDriveService } from '../../storage/api/service.ts'
import { command, OPERATOR } from '../../storage/library/commands.ts'
import { digestOf, newToken } from '../../storage/library/tokens.ts'
import { openStore, type Store } from '../../storage/store/store.ts'
import type { ServeOptions } from '../commands/drive-command.ts'
import { EXIT } from '../exit-status.ts'
import { tell } from '../io/stdout.ts'
import { WRITER_WORD } from '../worker-word.ts'

/** The exit status, when the last answer is given. */
export async function serveDrive(options: ServeOptions): Promise<number> {
  let fail: (error: Error) => void = () => undefined
  const broken = new Promise<never>((_, reject) => (fail = reject))
  const store = await openStore(options.data, {
    writer: { file: packagePath('bin/hla.cjs'), argv: [WRITER_WORD] },
    isService: true,
    onBroken: (error) => fail(error),
    onWarning: (text) => tell(`hla: warning: ${text}\n`),
  })
  try {
    await makeOwner(store, options.owner)
    const service = await openDriveService(store, { publicUrl: options.publicUrl })
    const port = await listen(service, options)
    if (options.quiet !== true)
      tell(`hla: serving the files in ${store.folder.path} on http://${hostInUrl(options.host)}:${port}\n`)
    await Promise.race([untilEnded(service), broken])
  } finally {
    await store.close()
  }
  return EXIT.ok
}

/** On first start. The token is nowhere else: only its digest is kept. */
async function makeOwner(store: Store, email: string): Promise<void> {
  const token = newToken()
  const isNew = await command(store, 'setUp', OPERATOR, { email, digest: digestOf(token) })
  if (isNew) tell(`hla: a new store of ${email}; the token, shown this once: ${token}\n`)
}

async function listen({ app }: DriveService, { host, port }: ServeOptions): Promise<number> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'the port is in use' : messageOf(error)
    throw new HlaError('io', `cannot listen on ${hostInUrl(host)}:${port}: ${reason}`, { cause: error })
  }
  return (app.server.address() as AddressInfo).port // not a pipe: it has a port
}

/** ms that requests under way have for their answers. */
const PATIENCE = 30_000

/** The second signal does not wait for them. */
function untilEnded(service: DriveService): Promise<void> {
  return new Promise((resolve, reject) => {
    let isEnding = false
    const end = () => {
      if (isEnding) service.app.server.closeAllConnections()
      else service.drain(PATIENCE).then(resolve, reject)
      isEnding = true
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
  })
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
