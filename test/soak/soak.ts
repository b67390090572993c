/**
 * Mixed load on a service that is killed and restarted meanwhile: answers must be right, memory stable, and no request
 * may hang.  [disk, network, process]
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openKnowledge } from '../../src/cli/run/open-knowledge.ts'
import { askForever, batchForever, openPool, type Soaking, tableForever } from './askers.ts'
import { crowd, slowForever, unreadForever, vanishForever } from './nuisances.ts'
import { BAD, batchLines, type Line, type Question, rightQuestions } from './questions.ts'
import { newRecord } from './record.ts'
import { type Server, startServer } from './server.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly crowd: number
  /** Clients that send requests at full speed. */
  readonly askers: number
  readonly workers: number
  readonly dataDir: string
  readonly folder: string
}

export interface SoakResult {
  readonly counts: Readonly<Record<string, number>>
  readonly wrongs: readonly string[]
  readonly p99: number
  readonly slowest: number
  /** MiB of each process: soon after the restart, and at the end. */
  readonly memory: { readonly early: number; readonly late: number; readonly most: number }
  /** Open files of the service before the first client, and after the last. */
  readonly files: { readonly before: number; readonly after: number }
  readonly status: number | null
  /** Log lines that contain a typing. */
  readonly leaks: number
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const knowledge = openKnowledge('active', options.dataDir).knowledge
  const questions = { right: rightQuestions(knowledge), lines: batchLines(knowledge) }
  const server = await startServer(options)
  try {
    return await soakServer(server, options, questions)
  } catch (error) {
    await server.end()
    throw error
  }
}

interface Questions {
  readonly right: readonly Question[]
  readonly lines: readonly Line[]
}

async function soakServer(
  server: Server,
  options: SoakOptions,
  { right, lines }: Questions,
): Promise<SoakResult> {
  const { seconds, askers } = options
  const record = newRecord()
  const end = performance.now() + seconds * 1000
  const soaking: Soaking = { port: () => server.port, record, isOver: () => performance.now() > end }
  const pool = openPool(soaking, askers + 4)
  const before = server.openFiles()
  const watching = watchMemory(server, end, seconds)
  await Promise.all([
    ...Array.from({ length: askers }, (_, at) =>
      askForever(soaking, pool, 'right question', shifted(right, at * 37)),
    ),
    askForever(soaking, pool, 'bad request, refused', BAD),
    batchForever(soaking, pool, lines),
    tableForever(soaking, pool),
    slowForever(soaking),
    unreadForever(soaking),
    vanishForever(soaking),
    crowd(soaking, options.crowd, Math.min(30_000, seconds * 250)),
    breakOften(server, soaking, seconds),
  ])
  await pool.close()
  // the service needs this time to notice the last disconnects
  await pause(1500)
  const [after, memory, status] = [server.openFiles(), await watching, await server.end()]
  const log = readFileSync(server.log, 'utf8').split('\n')
  return {
    counts: record.counts(),
    wrongs: record.wrongs(),
    p99: record.p99(),
    slowest: record.slowest(),
    memory,
    files: { before, after },
    status,
    leaks: log.filter((line) => /\*|%2A|01:01/i.test(line)).length,
  }
}

function shifted<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by % list.length), ...list.slice(0, by % list.length)]
}

/** Kills a worker after a quarter of the time; restarts the service after half. */
async function breakOften(server: Server, { record }: Soaking, seconds: number): Promise<void> {
  await pause(seconds * 250)
  await record.outage(async () => {
    server.killWorker()
    await pause(1500)
  })
  record.right('worker killed')
  await pause(seconds * 250)
  await record.outage(() => server.restart())
  record.right('service restarted')
}

/** MiB of the largest process. `early` and `late` are the first and last quarter after the restart. */
async function watchMemory(server: Server, end: number, seconds: number) {
  const samples: { readonly left: number; readonly most: number }[] = []
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
    samples.push({ left: left / 1000 / seconds, most: Math.max(0, ...server.memory()) / 1024 ** 2 })
    await pause(Math.min(1000, seconds * 20))
  }
  const mean = (from: number, to: number) => {
    const some = samples.filter(({ left, most }) => left <= from && left > to && most > 0)
    return some.reduce((sum, { most }) => sum + most, 0) / some.length
  }
  return {
    early: mean(0.375, 0.25),
    late: mean(0.125, 0),
    most: Math.max(...samples.map(({ most }) => most)),
  }
}
