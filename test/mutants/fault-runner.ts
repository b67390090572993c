/**
 * Runs each test file as it is, then with each fault of its plan that the sound run reached, in the same process: modules are
 * loaded again, so that a run costs little more than its tests (random-run.ts).  [disk, process]
 */
import { startTests } from '@vitest/runner'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
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

  override onCollectStart(file: File): void {
    this.#faults.put('none', relative(process.cwd(), file.filepath))
    super.onCollectStart(file)
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
    const reached = this.#faults.reached()
    for (const fault of this.#faults.ofTest(test).filter((one) => reached.has(one))) {
      if (this.#faults.isNoticed(fault)) continue
      if (isMocking) this.#faults.leave(fault, test)
      else await this.#meet(path, fault, test)
    }
  }

  /** A fault is noticed by a test that fails with it, passes without it, and fails again, alone or after those of its file. */
  async #meet(path: string, fault: string, test: string): Promise<void> {
    this.#faults.put(fault, test)
    const failure = await this.#run(path, fault)
    if (failure === undefined) return
    let isSound = false
    for (const only of [failure.name, '']) {
      isSound = (await this.#run(path, 'none', only)) === undefined
      if (!isSound || (await this.#run(path, fault, only)) === undefined) continue
      return this.#faults.notice(fault, `${test}: ${failure.name}\t${failure.message}`)
    }
    // what the fault left behind makes tests fail: the rest meet the file in another process
    if (!isSound) process.exit(1)
  }

  /** The first failure. `only`: full name of the only test to run. */
  async #run(path: string, fault: string, only = ''): Promise<Failure | undefined> {
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
    const testNamePattern =
      only === '' ? undefined : new RegExp(`^${only.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`)
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
