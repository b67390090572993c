/** Opens the executor of a command: local data or a service. */
import { endsRun, isHlaError, orElse } from '../../errors.ts'
import { type Method, releaseMethods } from '../../engine/reduce/methods.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { RESTART_MS } from '../../remote/patience.ts'
import type { Remote } from '../../remote/remote.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import type { Operation } from '../../operations/operation.ts'
import { checkInstalled, openKnowledge, noteAnsweringData, noteStarterSet } from './open-knowledge.ts'
import { checkData } from '../../operations/answers/expect-data.ts'
import type { Reading } from '../../reference/store/open-release.ts'
import type { GlobalOptions } from '../options/options.ts'
import { isOpenToReading, readRemote } from '../options/remote-options.ts'
import type { Reporter } from './reporter.ts'
import type { OperationQuestion } from '../../operations/operation-question.ts'

type Service = NonNullable<ReturnType<typeof readRemote>>

/** Origin of the answers: data opened here, or a connected service. */
export interface Source {
  readonly from: { readonly knowledge: Knowledge } | { readonly remote: Remote; readonly service: Service }
  /** Notes anything unusual about the data or service. */
  readonly noteData: () => void
  readonly close: () => Promise<void> | void
}

/** @throws {HlaError} unknown-release, no-data; of a service: remote; pin — other data than expected */
export function openSource(
  options: GlobalOptions,
  reporter: Reporter,
  reading?: Reading,
): Promise<Source> | Source {
  const { release, dataDir, expectData } = options
  const service = readRemote(options, release)
  if (service !== undefined) return connect(service, expectData, reporter)
  const opened = openKnowledge(release, dataDir, reading)
  const { knowledge } = opened
  checkInstalled(expectData, knowledge)
  return { from: { knowledge }, noteData: () => noteAnsweringData(opened, reporter), close: () => undefined }
}

async function connect(service: Service, expected: string | undefined, reporter: Reporter): Promise<Source> {
  if (isOpenToReading(service.url)) {
    const message = `typings travel unencrypted to ${service.url}`
    reporter.note({ level: 'warning', code: 'unencrypted', message })
  }
  const { openRemote } = await import('../../remote/remote.ts')
  const tell = (message: string) => reporter.note({ level: 'note', code: 'waiting', message })
  const lasting = service.retries === undefined ? { lasting: { time: RESTART_MS, tell } } : {}
  const remote = await openRemote({ ...service, ...lasting })
  const { served, close } = remote
  try {
    checkData(expected, served.dataId, `${service.url} answers from`)
  } catch (error) {
    await close()
    throw error
  }
  const isUnexpected = served.isStarter && service.release !== 'starter'
  return {
    from: { remote, service },
    noteData: () => isUnexpected && noteStarterSet(served, reporter),
    close,
  }
}

export interface Answering extends Pick<Source, 'close'> {
  readonly executor: Executor
  /** Methods that `-m all` expands to. */
  readonly methods: readonly Method[]
}

/** @throws {HlaError} as `openSource` */
export async function openExecutor(
  options: GlobalOptions,
  reporter: Reporter,
  reading: Reading,
): Promise<Answering> {
  const { from, noteData, close } = await openSource(options, reporter, reading)
  noteData()
  if ('knowledge' in from) {
    const methods = releaseMethods(from.knowledge.release.facts.hasHats)
    return { executor: localExecutor(from.knowledge), methods, close }
  }
  const { executor, served } = from.remote
  const { methodsServed } = await import('../../remote/served-version.ts')
  return { executor, methods: methodsServed(served), close }
}

/**
 * Answers a single question ahead; the returned executor has its answer, and needs no probe. Returns undefined when
 * there is no answer, for whatever reason.
 */
export function answerAhead(
  executor: Executor,
  { name, subject = '' }: Operation,
  { input }: OperationQuestion,
  text: string,
): Executor | undefined {
  if (executor.ahead !== undefined) return undefined
  const answer = () => {
    const output = executor.execute(name, { ...input, [subject]: text })
    return { ...executor, execute: () => output }
  }
  return orElse(answer, () => undefined)
}

/** Properties whose validity depends on the release: readable names, methods, and the release itself. */
const BY_RELEASE = ['from', 'lift', 'accept', 'to', 'from_release', 'to_release']

/**
 * Asks each question about an allele that every release has, so that an input without typings reports errors too.
 * @throws {HlaError} an error of a question, for any typing
 */
export async function probeQuestions(
  executor: Executor,
  { name, subject = '' }: Operation,
  questions: readonly OperationQuestion[],
): Promise<void> {
  for (const { method, input } of questions) {
    if (method !== 'hats' && !BY_RELEASE.some((property) => property in input)) continue
    try {
      await executor.execute(name, { ...input, [subject]: 'A*01:01' })
    } catch (error) {
      if (!isHlaError(error) || endsRun(error)) throw error
    }
  }
}
