/**
 * Runs each test file as it is, then with each fault of its plan that the sound run reached, in the same process: modules are
 * loaded again, and only tests that reach the fault run, so that a run costs little more than these (random-run.ts).
 * [disk, process]
 */
import { startTests } from '@vitest/runner'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { threadId } from 'node:worker_threads'
import { TestRunner } from 'vitest'
import { type FaultFolder, openFaults } from './fault-folder.ts'

type File = Awaited<ReturnType<typeof startTests>>[number]
type Task = File | File['tasks'][number]

interface Failure {
  /** Of the test; empty where the file itself fails. */
  readonly name: string
  readonly message: string
}

/** Private parts of Vitest's runner, as far as they are used. */
interface Parts {
  readonly moduleRunner: unknown
  readonly workerState: { readonly evaluatedModules: { readonly idToModuleMap: Map<string, Evaluated> } }
  readonly _otel: unknown
}

interface Evaluated {
  readonly importers: Set<string>
}

/** Modules that hold the state of the run. */
const KEPT = /\/vitest\/dist\/|vitest-virtual-\w+\/dist|@vitest\/dist|^mock:|\/fault-(?:runner|folder)\.ts/

/** This process and thread, as switch.cjs notes it. */
const HERE = `${process.pid}.${threadId}`

/** Silent; ends after the first failure. */
class QuietRunner extends TestRunner {
  override onAfterRunTask(test: Parameters<TestRunner['onAfterRunTask']>[0]): void {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') this.cancel('test-failure')
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest asks for one
export default class FaultRunner extends TestRunner {
  readonly #faults: FaultFolder = openFaults(process.env['HLA_TEST_FAULTS'] ?? '')
  #outside = 0
  /** Names of tests in the order in which they began. */
  #begun: string[] = []
  /** Fault -> tests of the run of the file as it is that reached it; those from a place on where only its first is known. */
  #reached = new Map<string, { readonly in: Set<string>; from: number }>()

  override onCollectStart(file: File): void {
    this.#begun = []
    this.#reached = new Map()
    this.#faults.put('none', relative(process.cwd(), file.filepath))
    super.onCollectStart(file)
  }

  override async onBeforeRunTask(test: Parameters<TestRunner['onBeforeRunTask']>[0]): Promise<void> {
    this.#noteReached()
    this.#begun.push(fullNameOf(test))
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: Parameters<TestRunner['onAfterRunTask']>[0]): void {
    this.#noteReached(test)
    super.onAfterRunTask(test)
  }

  /** `test`: which has run since the last call; else what stands before or between tests. */
  #noteReached(test?: Parameters<TestRunner['onAfterRunTask']>[0]): void {
    for (const [fault, where] of this.#faults.takeReached()) {
      const known = this.#reached.get(fault) ?? { in: new Set(), from: Infinity }
      this.#reached.set(fault, known)
      // of tests that run at once any may have reached it
      if (test?.concurrent === true) known.from = 0
      else if (test === undefined) known.from = Math.min(known.from, this.#begun.length)
      else if (where === HERE) known.in.add(fullNameOf(test))
      else known.from = Math.min(known.from, this.#begun.length - 1)
    }
  }

  /** Names of the tests that meet a fault; empty: all. */
  #testsOf(fault: string): string[] {
    const { in: names, from } = this.#reached.get(fault) ?? { in: new Set(), from: 0 }
    const hasOthers = this.#begun.some((name, at) => at < from && !names.has(name))
    return hasOthers ? [...names, ...this.#begun.slice(from)] : []
  }

  /** After the run of the file as it is. */
  override async onAfterRunFiles(files?: readonly File[]): Promise<void> {
    const [file] = files ?? []
    if (file !== undefined) {
      const test = relative(process.cwd(), file.filepath)
      if (failureOf(file) === undefined) await this.#meetAll(file.filepath, test)
      else this.#faults.refuse(test)
      this.#faults.finish(test)
    }
    super.onAfterRunFiles()
  }

  async #meetAll(path: string, test: string): Promise<void> {
    process.on('unhandledRejection', () => (this.#outside += 1))
    // a mock stands once in a process
    const isMocking = /\bvi\.(?:mock|resetModules)\(/.test(readFileSync(path, 'utf8'))
    this.#noteReached()
    for (const fault of this.#faults.ofTest(test).filter((one) => this.#reached.has(one))) {
      if (this.#faults.isNoticed(fault)) continue
      if (isMocking) this.#faults.leave(fault, test)
      else await this.#meet(path, fault, test)
    }
  }

  /** A fault is noticed by a test that fails with it, passes without it, and fails again, alone or after those of its file. */
  async #meet(path: string, fault: string, test: string): Promise<void> {
    this.#faults.put(fault, test)
    const failure = await this.#run(path, fault, this.#testsOf(fault))
    if (failure === undefined) return
    let isSound = false
    for (const only of [failure.name === '' ? [] : [failure.name], []]) {
      isSound = (await this.#run(path, 'none', only)) === undefined
      if (!isSound || (await this.#run(path, fault, only)) === undefined) continue
      return this.#faults.notice(fault, `${test}: ${failure.name}\t${failure.message}`)
    }
    // what the fault left behind makes tests fail: the rest meet the file in another process
    if (!isSound) process.exit(1)
  }

  /** The first failure. `only`: full names of the tests to run; empty: all. */
  async #run(path: string, fault: string, only: readonly string[]): Promise<Failure | undefined> {
    const { moduleRunner, workerState, _otel } = this as unknown as Parts
    for (const [id, one] of workerState.evaluatedModules.idToModuleMap) {
      if (KEPT.test(id)) continue
      Object.assign(one, { promise: undefined, exports: undefined, evaluated: false })
      one.importers.clear()
    }
    this.#faults.change(fault)
    this.#outside = 0
    const quiet = new QuietRunner(this.config)
    Object.assign(quiet, { moduleRunner, _otel })
    const names = only.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    const testNamePattern = names.length === 0 ? undefined : new RegExp(`^(?:${names.join('|')})$`)
    const [file] = await startTests([{ filepath: path, testLocations: undefined, testNamePattern }], quiet)
    const outside = this.#outside === 0 ? undefined : { name: '', message: 'an error outside of tests' }
    return (file === undefined ? undefined : failureOf(file)) ?? outside
  }
}

function failureOf(task: Task): Failure | undefined {
  for (const one of 'tasks' in task ? task.tasks : []) {
    const failure = failureOf(one)
    if (failure !== undefined) return failure
  }
  if (task.result?.state !== 'fail') return undefined
  const message = task.result.errors?.[0]?.message.split('\n')[0] ?? ''
  return { name: task.type === 'test' ? fullNameOf(task) : '', message }
}

/** As Vitest meets it with a pattern. */
function fullNameOf({ suite, name }: Pick<Task, 'suite' | 'name'>): string {
  return suite === undefined ? name : `${fullNameOf(suite)} ${name}`
}
