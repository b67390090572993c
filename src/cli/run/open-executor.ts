/** Opens the executor of a command: local data or a service. */
import { endsRun, isHlaError, orElse } from '../../errors.ts'
import { type Method, releaseMethods } from '../../engine/reduce/methods.ts'
import { type Executor, localExecutor } from '../../operations/executor.ts'
import { RESTART } from '../../client/patience.ts'
import type { Remote } from '../../client/remote.ts'
import type { Operation } from '../../operations/operation.ts'
import { checkInstalled, openKnowledge, noteAnsweringData, noteStarterSet } from './open-knowledge.ts'
import { checkData } from '../../operations/answers/expect-data.ts'
import type { Reading } from '../../reference/store/open-release.ts'
import type { GlobalOptions } from '../options/options.ts'
import { isOpenToReading, readRemote } from '../options/remote-options.ts'
import type { Reporter } from './reporter.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import type { OperationQuestion } from '../../operations/operation-question.ts'

export interface Answering {
  readonly executor: Executor
  /** Methods that `-m all` expands to. */
  readonly methods: readonly Method[]
  readonly close: () => Promise<void> | void
}

/** @throws {HlaError} unknown-release, no-data; of a service: remote, pin */
export function openExecutor(
  options: GlobalOptions,
  reporter: Reporter,
  reading: Reading,
): Promise<Answering> | Answering {
  const remote = readRemote(options, options.release)
  if (remote !== undefined) return openService(remote, options.expectData, reporter)
  const opened = openKnowledge(options.release, options.dataDir, reading)
  checkInstalled(options.expectData, opened.knowledge)
  noteAnsweringData(opened, reporter)
  return {
    executor: localExecutor(opened.knowledge),
    methods: releaseMethods(opened.knowledge.release.facts.hasHats),
    close: () => undefined,
  }
}

async function openService(
  there: Service,
  expected: string | undefined,
  reporter: Reporter,
): Promise<Answering> {
  const { remote, noteData } = await connect(there, expected, reporter)
  const { executor, served, close } = remote
  noteData()
  const { methodsServed } = await import('../../client/served-version.ts')
  return {
    executor,
    methods: methodsServed(served),
    close,
  }
}

type Service = NonNullable<ReturnType<typeof readRemote>>

/**
 * Opens a connection, with a function that notes its data.
 * @throws {HlaError} remote; pin — the service has other data than expected
 */
export async function connect(
  there: Service,
  expected: string | undefined,
  reporter: Reporter,
): Promise<{ readonly remote: Remote; readonly noteData: () => void }> {
  if (isOpenToReading(there.url)) {
    const message = `typings travel unencrypted to ${there.url}`
    reporter.note({ level: 'warning', code: 'unencrypted', message })
  }
  const { openRemote } = await import('../../client/remote.ts')
  const tell = (message: string) => reporter.note({ level: 'note', code: 'waiting', message })
  const lasting = there.retries === undefined ? { lasting: { time: RESTART, tell } } : {}
  const remote = await openRemote({ ...there, ...lasting })
  const { served, close } = remote
  try {
    checkData(expected, served.dataId, `${there.url} answers from`)
  } catch (error) {
    await close()
    throw error
  }
  const isUnasked = served.isStarter && there.release !== 'starter'
  return { remote, noteData: () => isUnasked && noteStarterSet(served, reporter) }
}

/**
 * Answers a single question ahead; the returned executor has its answer. Returns undefined when there is no answer,
 * for whatever reason.
 * An answered question needs no probe.
 */
export function answeredAlone(
  executor: Executor,
  { operation, input }: OperationRequest,
): Executor | undefined {
  if (executor.ahead !== undefined) return undefined
  const answered = () => {
    const output = executor.execute(operation, input)
    return { ...executor, execute: () => output }
  }
  return orElse(answered, () => undefined)
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
