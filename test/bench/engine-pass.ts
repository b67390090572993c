/** A process that opens a release, reduces a file of GL Strings twice, and prints what each took: caches are cold at first.  [disk, clock] */
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
  /** Genotypes a second of processor time of the thread that asks; of wall-clock time where the system does not tell. */
  readonly firstOfThread: number
  /** Genotypes a second of processor time of all threads, the compiler's and collector's included. */
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
  // reading the end of an answer makes the whole of it: V8 puts joined texts together when they are first read
  for (const text of texts) length += redux(engine, text, reduction).text.at(-1) === ':' ? 1 : 0
  return (performance.now() - started) / 1000
}

/** Seconds the main thread has run. On a machine with other work wall-clock time counts that work too. */
function threadTime(): number {
  const path = `/proc/self/task/${process.pid}/schedstat`
  if (!existsSync(path)) return performance.now() / 1000
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e9
}
