/** Runs the file storage service until it is stopped.  [disk, network] */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError, errorMessage } from '../../errors.ts'
import { programThread, programWords } from '../../package-root.ts'
import { type DriveService, openDriveService } from '../api/service.ts'
import { listAccounts } from '../domain/accounts/accounts.ts'
import { addresses } from '../domain/accounts/users.ts'
import { command, OPERATOR } from '../domain/commands.ts'
import { isSetUp } from '../domain/settings.ts'
import { tidyRegularly } from '../domain/upkeep/freeing.ts'
import { digestToken, newToken } from '../domain/accounts/tokens.ts'
import { listenInFolder } from '../persistence/service-socket.ts'
import { type Store, openStore } from '../persistence/store.ts'
import type { ServeOptions } from '../commands/options/serve-options.ts'
import { readOpenId } from '../commands/options/openid-options.ts'
import { tell } from '../../io/stdout.ts'
import { hostInUrl, listen } from '../../web/listen.ts'
import { type LogFile, openLogFile } from '../../web/log.ts'
import { tryReload } from '../../web/try-reload.ts'
import { readTls, warnIfUnencrypted } from '../../cli/run/serve/settings.ts'
import { notifySystemd } from '../../web/watchdog.ts'
import { DIGEST_WORD, LISTER_WORD, WRITER_WORD } from '../../cli/worker-word.ts'
import { tableConverter } from '../commands/tables/table-converter.ts'
import { withUsageErrors } from '../commands/usage-errors.ts'
import { ruleEngine } from '../rules/engine.ts'
import { type RuleRunner, runRules } from '../rules/run-rules.ts'

/** Ends after the last answer. @throws {HlaError} io — a disk failure */
export async function serveDrive(options: ServeOptions): Promise<void> {
  const logFile = openLogFile(options.accessLog)
  const read = { tls: readTls(options), openId: readOpenId(options), logFile }
  warnIfUnencrypted(options)
  let fail: (error: Error) => void = () => undefined
  const broken = new Promise<never>((_, reject) => (fail = reject))
  // the promise may reject before anything awaits it
  broken.catch(() => undefined)
  try {
    const store = await openStore(options.data, {
      writer: programThread(WRITER_WORD),
      digester: programThread(DIGEST_WORD),
      isService: true,
      keepsReserve: true,
      acceptsClock: options.acceptClock,
      contents: options.contents,
      onBroken: (error) => fail(cannotWrite(error)),
      onWarning: warn,
    })
    try {
      await makeOwner(store, options.owner)
      await serveStore(store, { ...options, ...read, broken })
    } finally {
      await store.close()
    }
  } finally {
    logFile.flush()
  }
}

function warn(text: string): void {
  tell(`hla: warning: ${text}\n`)
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

interface Serving extends ServeOptions {
  readonly tls: ReturnType<typeof readTls>
  readonly openId: ReturnType<typeof readOpenId>
  readonly logFile: LogFile
  readonly broken: Promise<never>
}

async function serveStore(store: Store, options: Serving): Promise<void> {
  const { tls, openId, logFile, accessLog, keepTrash, keepRevisions, mostRevisions } = options
  const data = { release: options.release, dataDir: options.dataDir }
  const service = await openDriveService(store, {
    publicUrl: options.publicUrl,
    trustsProxy: options.trustProxy ?? false,
    tokenInQuery: options.queryToken !== false,
    maxUpload: options.maxUpload,
    idleTimeout: options.idleTimeout,
    rateLimit: options.rateLimit,
    notifiesLocally: options.allowLocalNotifications ?? false,
    tables: tableConverter(data),
    rules: ruleEngine(data),
    openId,
    lister: programWords(LISTER_WORD, store.folder.database),
    log: { stream: logFile, access: accessLog !== 'off' },
    tls,
  })
  await service.operator.ready()
  const administration = await listenInFolder(store.folder, service.operator.server)
  const stopTidying = tidyRegularly(store, { keeping: { keepTrash, keepRevisions, mostRevisions } }, warn)
  let rules: RuleRunner | undefined
  try {
    const port = await listen(service.app, options)
    rules = runRules(store, { maxUpload: options.maxUpload, accesses: service.accesses, warn, data })
    notifySystemd()
    const url = `${tls === undefined ? 'http' : 'https'}://${hostInUrl(options.host)}:${port}`
    await keepAddress(store, options, url)
    if (options.quiet !== true) tell(`hla: serving the files in ${store.folder.path} on ${url}\n`)
    await Promise.race([untilEnded(service, options, logFile), options.broken])
  } finally {
    stopTidying()
    await rules?.stop()
    await administration.close()
    await service.operator.close()
    service.app.server.closeAllConnections()
    await service.app.close()
  }
}

/**
 * Stores the audience of service-account assertions. A service that listens on all addresses needs `--public-url`.
 */
async function keepAddress(store: Store, { publicUrl: told, host }: Serving, url: string): Promise<void> {
  const own = host === '0.0.0.0' || host === '::' ? undefined : url
  await command(store, 'keepAddress', OPERATOR, { told, own })
  if (addresses(store.read).length > 0 || listAccounts(store.read).length === 0) return
  warn('service accounts get no tokens: the public address is unknown; set it with --public-url')
}

/** Drains on the first signal; the second one closes connections at once. */
function untilEnded(service: DriveService, options: ServeOptions, logFile: LogFile): Promise<void> {
  const times = { delay: options.drainDelay, patience: options.drainTimeout }
  process.on('SIGHUP', () => {
    tryReload('log', () => logFile.reopen())
    tryReload('certificate', () => service.showCertificate(readTls(options)))
  })
  return new Promise((resolve, reject) => {
    let isEnding = false
    const end = () => {
      if (isEnding) service.app.server.closeAllConnections()
      else service.drain(times).then(resolve, reject)
      isEnding = true
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
  })
}

function cannotWrite(error: Error): HlaError {
  return new HlaError('io', `the store cannot be written any more: ${errorMessage(error)}`, {
    hint: 'Everything acknowledged is on disk. Check the rest with hla drive fsck --deep.',
    cause: error,
  })
}
