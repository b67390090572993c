/** Runs the file storage service until it is stopped.  [disk, network] */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError, errorMessage } from '../../errors.ts'
import { programThread } from '../../package-root.ts'
import { command, OPERATOR } from '../domain/commands.ts'
import { isSetUp } from '../domain/settings.ts'
import { digestToken, newToken } from '../domain/accounts/tokens.ts'
import { type Store, openStore } from '../persistence/store.ts'
import type { ServeOptions } from '../commands/options/serve-options.ts'
import { readOpenId } from '../commands/options/openid-options.ts'
import { tell } from '../../io/stdout.ts'
import { openLogFile } from '../../web/log.ts'
import { readTls, warnIfUnencrypted } from '../../cli/run/serve/settings.ts'
import { DIGEST_WORD, WRITER_WORD } from '../../cli/worker-word.ts'
import { withUsageErrors } from '../commands/usage-errors.ts'
import { serveStore, warn } from './serve-store.ts'

/** Ends after the last answer. @throws {HlaError} io — a disk failure */
export async function serveDrive(options: ServeOptions): Promise<void> {
  const logFile = openLogFile(options.accessLog)
  const read = { tls: readTls(options), openId: readOpenId(options), logFile }
  warnIfUnencrypted(options)
  let fail: (error: Error) => void = () => undefined
  const broken = new Promise<never>((_, reject) => (fail = reject))
  // the promise may reject before anything awaits it
  broken.catch(() => undefined)
  let lost: HlaError | undefined
  try {
    const store = await openStore(options.data, {
      writer: programThread(WRITER_WORD),
      digester: programThread(DIGEST_WORD),
      isService: true,
      keepsReserve: true,
      acceptsClock: options.acceptClock,
      contents: options.contents,
      onBroken: (error) => fail((lost = cannotWrite(error))),
      onWarning: warn,
    })
    try {
      await makeOwner(store, options.owner)
      await serveStore(store, { ...options, ...read, broken })
    } finally {
      await store.close()
    }
  } catch (error) {
    // the reason of whatever could not be written
    throw lost ?? error
  } finally {
    logFile.flush()
  }
}

/**
 * On first start, writes the owner's token to a file and its digest to the store. Startup messages end up in journals,
 * so they must not contain it.
 */
async function makeOwner(store: Store, email: string): Promise<void> {
  if (isSetUp(store.read)) return
  const token = newToken()
  await withUsageErrors(command(store, 'setUp', OPERATOR, { email, digest: digestToken(token) }))
  const file = join(store.folder.path, 'owner-token')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  tell(`hla: created a store owned by ${email}; its sign-in token, valid for a month, is in ${file}\n`)
}

function cannotWrite(error: Error): HlaError {
  return new HlaError('io', `the store cannot be written any more: ${errorMessage(error)}`, {
    hint: 'Everything acknowledged is on disk. Check the rest with hla drive fsck --deep.',
    cause: error,
  })
}
