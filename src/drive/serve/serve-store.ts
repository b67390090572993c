/** Runs the file storage service on an open store until it is stopped.  [disk, network] */
import { programWords } from '../../package-root.ts'
import { type DriveService, openDriveService } from '../api/service.ts'
import { listAccounts } from '../domain/accounts/accounts.ts'
import { addresses } from '../domain/accounts/users.ts'
import { command, OPERATOR } from '../domain/commands.ts'
import { tidyRegularly } from '../domain/upkeep/freeing.ts'
import { listenInFolder } from '../persistence/service-socket.ts'
import type { Store } from '../persistence/store.ts'
import type { ServeOptions } from '../commands/options/serve-options.ts'
import type { readOpenId } from '../commands/options/openid-options.ts'
import { tell } from '../../io/stdout.ts'
import { hostInUrl, listen } from '../../web/listen.ts'
import type { LogFile } from '../../web/log.ts'
import { tryReload } from '../../web/try-reload.ts'
import { readTls } from '../../cli/run/serve/settings.ts'
import { notifySystemd } from '../../web/watchdog.ts'
import { LISTER_WORD } from '../../cli/worker-word.ts'
import { tableConverter } from '../commands/tables/table-converter.ts'
import { ruleEngine } from '../rules/engine.ts'
import { openRuleThread } from '../rules/rule-thread.ts'
import { type RuleRunner, runRules } from '../rules/run-rules.ts'

export function warn(text: string): void {
  tell(`hla: warning: ${text}\n`)
}

export interface Serving extends ServeOptions {
  readonly tls: ReturnType<typeof readTls>
  readonly openId: ReturnType<typeof readOpenId>
  readonly logFile: LogFile
  /** Rejects when nothing more can be written. */
  readonly broken: Promise<never>
}

/** Ends after the last answer; the store stays open. */
export async function serveStore(store: Store, options: Serving): Promise<void> {
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
  const { operator } = service
  const administration = await operator.ready().then(() => listenInFolder(store.folder, operator.server))
  const stopTidying = tidyRegularly(store, { keeping: { keepTrash, keepRevisions, mostRevisions } }, warn)
  let rules: RuleRunner | undefined
  try {
    const port = await listen(service.app, options)
    rules = runRules(store, {
      maxUpload: options.maxUpload,
      accesses: service.accesses,
      warn,
      openThread: (patience) => openRuleThread(data, patience),
    })
    notifySystemd()
    const url = `${tls === undefined ? 'http' : 'https'}://${hostInUrl(options.host)}:${port}`
    await keepAddress(store, options, url)
    if (options.quiet !== true) tell(`hla: serving the files in ${store.folder.path} on ${url}\n`)
    await Promise.race([untilEnded(service, options, logFile), options.broken])
  } finally {
    stopTidying()
    await rules?.stop()
    service.app.server.closeAllConnections()
    await Promise.all([administration.close(), service.app.close()])
  }
}

/**
 * Stores the audience of service-account assertions. A service that listens on all addresses needs `--public-url`.
 */
async function keepAddress(store: Store, { publicUrl: told, host }: Serving, url: string): Promise<void> {
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  await command(store, 'keepAddress', OPERATOR, { told, own: isAnyAddress ? undefined : url })
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
