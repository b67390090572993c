/** Runs the file storage service until it is stopped.  [disk, network] */
import type { Keeping } from '../../../../drive/domain/upkeep/purge-step.ts'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError, errorMessage } from '../../../../errors.ts'
import { programThread, programWords } from '../../../../package-root.ts'
import { openInternalServer } from '../../../../drive/api/requests/follow-others.ts'
import { type DriveService, openDriveService } from '../../../../drive/api/service.ts'
import { listAccounts } from '../../../../drive/domain/accounts/accounts.ts'
import { addresses } from '../../../../drive/domain/accounts/users.ts'
import { command, OPERATOR } from '../../../../drive/domain/commands.ts'
import { isSetUp } from '../../../../drive/domain/settings.ts'
import { tidyRegularly } from '../../../../drive/domain/upkeep/freeing.ts'
import { digestToken, newToken } from '../../../../drive/domain/accounts/tokens.ts'
import { listenInFolder } from '../../../../drive/persistence/service-socket.ts'
import { isCopyDiffering } from '../../../../drive/persistence/shared/server-copy.ts'
import { type SharedOptions, openSharedStore } from '../../../../drive/persistence/shared/shared-store.ts'
import { type Store, openStore } from '../../../../drive/persistence/store.ts'
import type { ServeOptions } from '../options/store-options.ts'
import { readOpenId } from '../options/openid-options.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { tell } from '../../../../io/stdout.ts'
import { hostInUrl, listen } from '../../../../web/listen.ts'
import { type LogFile, openLogFile } from '../../../../web/log.ts'
import { tryReload } from '../../../../web/try-reload.ts'
import { readTls, warnIfUnencrypted } from '../../../../cli/run/serve/settings.ts'
import { notifySystemd } from '../../../../web/watchdog.ts'
import { DIGEST_WORD, LISTER_WORD, WRITER_WORD } from '../../../../cli/worker-word.ts'
import { tableConverter } from '../tables/table-converter.ts'
import { readShared } from '../administration/database-option.ts'
import { withUsageErrors } from '../usage-errors.ts'
import { ruleEngine } from '../rules/engine.ts'
import { type RuleRunner, runRules } from '../rules/run-rules.ts'

/** Returns the exit status after the last answer. @throws {HlaError} io — a disk failure */
export async function serveDrive(options: ServeOptions): Promise<number> {
  const logFile = openLogFile(options.accessLog)
  const read = { tls: readTls(options), openId: readOpenId(options), logFile }
  const remade = remakeLimit(options.data)
  warnIfUnencrypted(options)
  try {
    for (let port = options.port; ;) {
      const again = await serveOnce({ ...options, ...read, port })
      if (again === undefined) return EXIT.ok
      remade(performance.now(), again.reason)
      ;({ port } = again)
      tell(`hla: warning: ${again.reason}: requests are refused until the copy is rebuilt\n`)
    }
  } finally {
    logFile.flush()
  }
}

/** A server of a shared store restarts on the same port when its own copy does not match the log. */
interface Again {
  readonly reason: string
  readonly port: number
}

async function serveOnce(options: Omit<Serving, 'broken' | 'listening'>): Promise<Again | undefined> {
  let fail: (error: Error) => void = () => undefined
  const broken = new Promise<never>((_, reject) => (fail = reject))
  // the promise may reject before anything awaits it
  broken.catch(() => undefined)
  let { port } = options
  const opening = {
    writer: programThread(WRITER_WORD),
    digester: programThread(DIGEST_WORD),
    isService: true,
    keepsReserve: true,
    acceptsClock: options.acceptClock,
    onBroken: (error: Error) => fail(isCopyDiffering(error) ? error : cannotWrite(error, options)),
    onWarning: (text: string) => tell(`hla: warning: ${text}\n`),
  }
  const store = await openStoreOf(options, opening)
  try {
    await makeOwner(store, options.owner)
    await serveStore(store, { ...options, broken, listening: (found) => (port = found) })
    return undefined
  } catch (error) {
    if (!isCopyDiffering(error)) throw error
    return { reason: errorMessage(error), port }
  } finally {
    await store.close()
  }
}

async function openStoreOf(
  options: ServeOptions,
  opening: Omit<SharedOptions, 'url' | 'contents'>,
): Promise<Store> {
  const shared = readShared(options)
  if (shared === undefined) return openStore(options.data, { ...opening, bucket: options.contents })
  // the option would concern the clock of one server only
  if (opening.acceptsClock === true)
    throw new HlaError('usage', '--accept-clock is for a store without --database')
  return openSharedStore(options.data, { ...opening, ...shared })
}

/**
 * On first start, writes the owner's token to a file and its digest to the store. Startup messages end up in journals,
 * so they must not contain it.
 */
async function makeOwner(store: Store, email: string): Promise<void> {
  if (isSetUp(store.read)) return
  const token = newToken()
  // another server of the same store may have done it already
  if (!(await withUsageErrors(command(store, 'setUp', OPERATOR, { email, digest: digestToken(token) }))))
    return
  const file = join(store.folder.path, 'owner-token')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  tell(`hla: created a store owned by ${email}; its sign-in token, valid for a month, is in ${file}\n`)
}

interface Serving extends ServeOptions {
  readonly tls: ReturnType<typeof readTls>
  readonly openId: ReturnType<typeof readOpenId>
  readonly logFile: LogFile
  readonly broken: Promise<never>
  /** Called with the port when it is open. */
  readonly listening: (port: number) => void
}

async function serveStore(store: Store, options: Serving): Promise<void> {
  const { tls, openId, logFile, accessLog } = options
  const data = { release: options.release, dataDir: options.dataDir }
  const service = await openDriveService(store, {
    publicUrl: options.publicUrl,
    trustsProxy: options.trustProxy ?? false,
    tokenInQuery: options.queryToken !== false,
    maxUpload: options.maxUpload,
    idleTimeout: options.idleTimeout,
    rateLimit: options.rateLimit,
    readWhileAway: options.readWhileAway,
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
  const stopTidying = tidyRegularly(store, { keeping: readKeeping(options) }, (text) =>
    tell(`hla: warning: ${text}\n`),
  )
  let rules: RuleRunner | undefined
  try {
    const port = await listen(service.app, options)
    options.listening(port)
    const warn = (text: string) => tell(`hla: warning: ${text}\n`)
    rules = runRules(store, { url: await openInternalServer(service.app, tls !== undefined), warn, data })
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
  tell(
    'hla: warning: service accounts get no tokens: the public address is unknown; set it with --public-url\n',
  )
}

function readKeeping({ keepTrash, keepRevisions, mostRevisions }: ServeOptions): Keeping {
  return { keepTrash, keepRevisions, mostRevisions: mostRevisions === 0 ? undefined : mostRevisions }
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

function cannotWrite(error: Error, { database }: ServeOptions): HlaError {
  const hint =
    database === undefined
      ? 'Everything acknowledged is on disk. Check the rest with hla drive fsck --deep.'
      : 'PostgreSQL holds the authoritative copy of the store: after a restore, changes acknowledged since that backup are gone. Start this server again, and check the store with hla drive fsck --database … --contents … --deep.'
  return new HlaError('io', `the store cannot be written any more: ${errorMessage(error)}`, {
    hint,
    cause: error,
  })
}

/** Rebuilds allowed within a time in ms. */
const [MOST, WITHIN] = [20, 3_600_000]

/** Returns a function to call before each rebuild, with the time in ms and the reason. It throws {HlaError} io above the limit. */
export function remakeLimit(folder: string): (at: number, reason: string) => void {
  const times: number[] = []
  return (at, reason) => {
    times.push(at)
    const [first = at] = times.slice(-1 - MOST)
    if (times.length <= MOST || at - first > WITHIN) return
    throw new HlaError(
      'io',
      `the copy of the store was damaged ${MOST + 1} times within an hour: ${reason}`,
      {
        offending: folder,
        hint: 'No acknowledged change is lost: PostgreSQL has all of them. Check the disk, and which other programs write to the folder, and start the server again.',
      },
    )
  }
}
