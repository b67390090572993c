/** Heaps of long runs: what typings leave behind is swept before it is several times what is in use.  [process] */

/** Per cent of what is in use by which a heap grows before it is swept; V8 takes up to 300 while a heap is small. */
const GROWTH = 80

/** The same where threads have heaps, too. */
const GROWTH_BESIDE_THREADS = 25

/** MiB of each half of where objects are new; V8 lets it grow to 16. */
const YOUNG = 4

/** Limits of a thread's heap, whose new objects have three halves; flags may be others while code is loaded. */
export const SMALL_HEAP = { maxYoungGenerationSizeMb: 3 * YOUNG }

/** By what a heap has grown, in bytes, when its flags are changed: a short run is over before, and a part of Node need not be loaded for it. */
const GROWN = 8 * 1024 ** 2

/** The same before it is swept sooner: what is read counts as grown, and where few typings are kept there is nothing to sweep. */
const FULL = 16 * 1024 ** 2

/** For a process that converts a table or many lines: its heap as it goes on, once it has grown, and those of its threads. */
export function keepHeapsSmall(): void {
  begun ??= readHeapSize()
}

/** Threads that are started from now on have small heaps, if this process is one that keeps them small. */
export function keepThreadsSmall(): void {
  if (begun === undefined) return
  boundGrowth(GROWTH_BESIDE_THREADS)
  boundNewSpace()
}

function boundGrowth(percent: number): void {
  setFlag(`--heap-growing-percent=${percent}`)
  isSwept = true
}

function boundNewSpace(): void {
  for (const bound of ['min', 'max']) setFlag(`--${bound}-semi-space-size=${YOUNG}`)
  isBounded = true
}

/** A heap that is there already keeps its own limit: once its new objects have so much room, they get no more. Asked again until it is so. */
export function keepNewSpaceSmall(): void {
  if (begun === undefined || (isKept && isSwept)) return
  const grown = isBounded && isSwept ? Infinity : readHeapSize() - begun
  if (!isSwept && grown >= FULL) boundGrowth(GROWTH)
  if (!isBounded && grown >= GROWN) boundNewSpace()
  if (isKept || !isBounded) return
  const { getHeapSpaceStatistics } = v8()
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  isKept = space !== undefined && space.space_size >= ROOM
  if (isKept) setFlag('--semi-space-growth-factor=1')
}

/** Flags of V8 that are other than usual. Whoever loads or keeps compiled code does it without them (bin/hla.cjs). */
export function heapFlags(): readonly string[] {
  return changed
}

/** Nothing in a service: it has a heap of its own to keep. */
const changed: string[] = []
let begun: number | undefined
let isBounded = false
let isSwept = false
let isKept = false
/** Bytes that both halves may take. */
const ROOM = YOUNG * 2 * 1024 ** 2

function setFlag(flag: string): void {
  if (!changed.includes(flag)) changed.push(flag)
  v8().setFlagsFromString(flag)
}

/** In bytes. `process.memoryUsage` asks the system as well, and takes up to half a millisecond; V8 is asked once its part of Node is loaded. */
function readHeapSize(): number {
  return changed.length === 0 ? process.memoryUsage().heapTotal : v8().getHeapStatistics().total_heap_size
}

/** A single answer does without. */
const v8 = () => process.getBuiltinModule('node:v8')
