/** Heap limits for long runs: garbage is collected before it is several times the live data.  [process] */
import { ownsProcess } from './run.ts'

/** Heap growth before a collection, per cent of live data; V8 allows up to 300 while a heap is small. */
const GROWTH = 80

/** MiB per semi-space of the young generation; V8 lets it grow to 16. */
const YOUNG = 4

/** Calls before the size is read: some 200 KiB of a table. */
const FIRST_CALLS = 4

/** Bytes of growth before the V8 flags change: a short run ends earlier and need not load `node:v8`. */
const GROWN = 8 * 1024 ** 2

/**
 * Bytes of growth before collections become more frequent: input counts as growth, and few kept typings leave nothing
 * to collect.
 */
const FULL = 16 * 1024 ** 2

/** Limits the heap of a process that converts a table or many lines, once it has grown. */
export function keepHeapsSmall(): void {
  isKeeping = ownsProcess()
}

/** Fixes the young generation at its limit once it has grown that far; call again until it has. */
export function keepNewSpaceSmall(): void {
  if (!isKeeping || (isKept && isSwept)) return
  // reading the size takes longer than a short run has to grow
  if ((calls += 1) < FIRST_CALLS) return
  begun ??= readHeapSize()
  const grown = isBounded && isSwept ? Infinity : readHeapSize() - begun
  if (!isSwept && grown >= FULL) {
    setFlag(`--heap-growing-percent=${GROWTH}`)
    isSwept = true
  }
  if (!isBounded && grown >= GROWN) {
    for (const bound of ['min', 'max']) setFlag(`--${bound}-semi-space-size=${YOUNG}`)
    // otherwise V8 allocates short-lived rows in the old generation, because earlier rows were kept
    setFlag('--no-allocation-site-pretenuring')
    isBounded = true
  }
  if (isKept || !isBounded) return
  const { getHeapSpaceStatistics } = v8()
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  isKept = space !== undefined && space.space_size >= ROOM
  if (isKept) setFlag('--semi-space-growth-factor=1')
}

/** V8 flags changed from their defaults. Compiled code must be loaded and cached without them (bin/hla.cjs). */
export function heapFlags(): readonly string[] {
  return changed
}

/** Empty in a service, whose heap has its own limits. */
const changed: string[] = []
let isKeeping = false
let calls = 0
/** Size at the first call that reads it. */
let begun: number | undefined
let isBounded = false
let isSwept = false
let isKept = false
/** Bytes of both semi-spaces. */
const ROOM = YOUNG * 2 * 1024 ** 2

function setFlag(flag: string): void {
  if (!changed.includes(flag)) changed.push(flag)
  v8().setFlagsFromString(flag)
}

/**
 * Heap size in bytes. `process.memoryUsage` also queries the system, up to 0.5 ms; `node:v8` is used once it is loaded.
 */
function readHeapSize(): number {
  return changed.length === 0 ? process.memoryUsage().heapTotal : v8().getHeapStatistics().total_heap_size
}

/** Loaded late: a single answer does not need it. */
const v8 = () => process.getBuiltinModule('node:v8')
