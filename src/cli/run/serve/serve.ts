/**
 * Runs the service until it is stopped: SIGTERM and SIGINT drain it, SIGHUP reloads data, tokens and certificate.
 * [network]
 */
import cluster from 'node:cluster'
import type { Knowledge } from '../../../operations/knowledge.ts'
import { type Service, openService } from '../../../service/service.ts'
import type { ServeOptions } from '../../options/serve-options.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { tell } from '../../../io/stdout.ts'
import { noteAnsweringData, openKnowledge } from '../open-knowledge.ts'
import { openReporter } from '../reporter.ts'
import { hostInUrl, listen } from '../../../web/listen.ts'
import { type LogFile, openLogFile } from '../../../web/log.ts'
import { tryReload } from '../../../web/try-reload.ts'
import { readSettings, warnIfUnencrypted } from './settings.ts'
import { gatherMetrics, awaitOtherWorkers, runWorkers } from '../../../service/workers.ts'
import { serviceThread } from './service-thread.ts'
import { answerWatchdog, notifySystemd } from '../../../web/watchdog.ts'

/** Returns the exit status after the last answer. */
export async function serve(options: ServeOptions): Promise<number> {
  if (cluster.isWorker) return serveHere(options, openKnowledge(options.release, options.dataDir).knowledge)
  const reporter = await openReporter({ ...options, verbose: 0, color: 'auto' })
  const settings = readSettings(options)
  const opened = openKnowledge(options.release, options.dataDir)
  noteAnsweringData(opened, reporter)
  warnIfUnencrypted(options)
  const scheme = settings.tls === undefined ? 'http' : 'https'
  const announce = (port: number) => {
    const { label, dataset } = opened.knowledge.release.facts
    const what = dataset === 'starter' ? `the built-in starter set of ${label}` : `IPD-IMGT/HLA ${label}`
    if (!options.quiet) tell(`hla: serving ${what} on ${scheme}://${hostInUrl(options.host)}:${port}\n`)
    notifySystemd()
  }
  if (options.workers > 1)
    return runWorkers(options.workers, announce, options.drainTimeout + options.drainDelay)
  return serveHere(options, opened.knowledge, announce)
}

async function serveHere(
  options: ServeOptions,
  knowledge: Knowledge,
  announce: (port: number) => void = () => undefined,
): Promise<number> {
  const logFile = openLogFile(options.accessLog)
  const service: Service = openService(knowledge, {
    ...readSettings(options),
    log: { stream: logFile, access: options.accessLog !== 'off', inputs: options.logInputs ?? false },
    reopen: () => openKnowledge(options.release, options.dataDir).knowledge,
    worker: cluster.worker?.id ?? 0,
    thread: serviceThread(options),
    gather: cluster.isWorker ? gatherMetrics(() => service.snapshot()) : undefined,
  })
  const ended = untilEnded(service, options, logFile)
  try {
    announce(await listen(service.app, options))
    if (cluster.isWorker) answerWatchdog()
    await ended
  } finally {
    logFile.flush()
    // the channel to the primary process would keep this one alive
    cluster.worker?.disconnect()
  }
  return EXIT.ok
}

/** In a worker, the primary process forwards signals; a signal that the terminal sends to both counts once. */
function untilEnded(service: Service, options: ServeOptions, logFile: LogFile): Promise<void> {
  const { drainDelay, drainTimeout } = options
  process.on('SIGHUP', () => reload(service, options, logFile))
  const times = {
    delay: drainDelay,
    patience: drainTimeout,
    othersStopped: cluster.isWorker ? awaitOtherWorkers : undefined,
  }
  return new Promise((resolve) => {
    let isEnding = false
    const end = () => {
      if (isEnding) service.app.server.closeAllConnections()
      else void service.drain(times).then(resolve)
      isEnding = true
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', cluster.isWorker ? () => undefined : end)
    cluster.worker?.on('disconnect', () => isEnding || end())
  })
}

/** Reloads each part separately: a part that cannot be read keeps its current state. */
function reload(service: Service, options: ServeOptions, logFile: LogFile): void {
  tryReload('log', () => logFile.reopen())
  tryReload('tokens and certificate', () => service.trust(readSettings(options)))
  if (tryReload('reference data', () => service.reload())) tell('hla: reference data reloaded\n')
}
