/** Heaps of long runs: what typings leave behind is swept before it is several times what is in use.  [process] */

/** Per cent of what is in use by which a heap grows before it is swept; V8 takes up to 300 while a heap is small. */
const GROWTH = 50

/** MiB of each half of where objects are new; V8 lets it grow to 16. */
const YOUNG = 4

/** Limits of a thread's heap, whose new objects have three halves; flags may be others while code is loaded. */
export const SMALL_HEAP = { maxYoungGenerationSizeMb: 3 * YOUNG }

/** For a process that converts a table or many lines: its heap as it goes on, and those of threads that are started from now on. */
export function keepHeapsSmall(): void {
  for (const flag of [
    `--heap-growing-percent=${GROWTH}`,
    `--min-semi-space-size=${YOUNG}`,
    `--max-semi-space-size=${YOUNG}`,
  ])
    setFlag(flag)
}

/** A heap that is there already keeps its own limit: once its new objects have so much room, they get no more. Asked again until it is so. */
export function keepNewSpaceSmall(): void {
  if (isKept || changed.length === 0) return
  const { getHeapSpaceStatistics } = v8()
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  isKept = space !== undefined && space.space_size >= YOUNG * 2 * 1024 ** 2
  if (isKept) setFlag('--semi-space-growth-factor=1')
}

/** Flags of V8 that are other than usual. Whoever loads or keeps compiled code does it without them (bin/hla.cjs). */
export function heapFlags(): readonly string[] {
  return changed
}

/** Nothing in a service: it has a heap of its own to keep. */
const changed: string[] = []
let isKept = false

function setFlag(flag: string): void {
  if (!changed.includes(flag)) changed.push(flag)
  v8().setFlagsFromString(flag)
}

/** A single answer does without. */
const v8 = () => process.getBuiltinModule('node:v8')
