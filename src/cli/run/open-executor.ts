/** Who answers a command: the data here, or a service. */
import { endsRun, isHlaError } from '../../errors.ts'
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
  /** What `-m all` stands for. */
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

/** A connection, and what is to be said about it. @throws {HlaError} remote; pin — it has other data than expected */
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
 * Answers ahead what is asked alone. The executor knows the answer; undefined: there is none, for whatever reason.
 * A question that is answered need not be probed.
 */
export function answeredAlone(
  executor: Executor,
  { operation, input }: OperationRequest,
): Executor | undefined {
  if (executor.ahead !== undefined) return undefined
  try {
    const output = executor.execute(operation, input)
    return { ...executor, execute: () => output }
  } catch (error) {
    if (!isHlaError(error)) throw error
    return undefined
  }
}

/** What releases differ in: the names that they can read, the methods, and whether they are there at all. */
const BY_RELEASE = ['from', 'lift', 'accept', 'to', 'from_release', 'to_release']

/** Asks each about an allele of every release: of an input without typings nobody would learn. @throws {HlaError} what is wrong with a question, whatever the typing */
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
