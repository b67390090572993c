/**
 * Opens a release, reduces a file of GL Strings twice, and prints the time of each; caches are cold in the first pass.
 * [disk, clock]
 */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { makeEngine } from '../../src/engine/engine.ts'
import { parseMethod } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { openMacTable } from '../../src/reference/mac-table.ts'
import { readRelease } from '../../src/reference/release.ts'

export interface EnginePass {
  /** Milliseconds for reading and opening the compiled release. */
  readonly open: number
  readonly count: number
  /** Genotypes a second, of wall-clock time. */
  readonly first: number
  readonly second: number
  /** Genotypes a second of the main thread's processor time; of wall-clock time if the system does not report it. */
  readonly firstOfThread: number
  /** Genotypes a second of processor time of all threads, including V8's compiler and garbage collector. */
  readonly firstOfCpu: number
}

const [compiled = '', mac = '', genotypes = '', method = ''] = process.argv.slice(2)
const lines = gunzipSync(readFileSync(genotypes)).toString('latin1').trimEnd().split('\n')
const texts = lines.map((line) => line.slice(line.indexOf('%') + 1))
const opening = performance.now()
const release = readRelease(readFileSync(compiled))
const open = performance.now() - opening
const engine = makeEngine(release, openMacTable(mac))
const reduction = parseMethod(method)
const cpu = process.cpuUsage()
const before = threadTime()
const first = timePass()
const own = threadTime() - before
const { user, system } = process.cpuUsage(cpu)
const second = timePass()
const pass: EnginePass = {
  open,
  count: texts.length,
  first: texts.length / first,
  second: texts.length / second,
  firstOfThread: texts.length / own,
  firstOfCpu: texts.length / ((user + system) / 1e6),
}
process.stdout.write(JSON.stringify(pass))

/** Seconds. */
function timePass(): number {
  let length = 0
  const started = performance.now()
  // reading the end of an answer makes V8 join its text, which it otherwise puts off
  for (const text of texts) length += redux(engine, text, reduction).text.at(-1) === ':' ? 1 : 0
  return (performance.now() - started) / 1000
}

/** Seconds that the main thread has run. Wall-clock time would include other work of the machine. */
function threadTime(): number {
  const path = `/proc/self/task/${process.pid}/schedstat`
  if (!existsSync(path)) return performance.now() / 1000
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e9
}
