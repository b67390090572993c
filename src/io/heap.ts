/** Heaps of long runs: what typings leave behind is swept before it is several times what is in use.  [process] */

/** Per cent of what is in use by which a heap grows before it is swept; V8 takes up to 300 while a heap is small. */
const GROWTH = 50

/** MiB of each half of where objects are new; V8 lets it grow to 16. */
const YOUNG = 4

/** For a process that converts a table or many lines: its heap as it goes on, and those of threads that are started from now on. */
export function keepHeapsSmall(): void {
  isAsked = true
  const { setFlagsFromString } = v8()
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
  setFlagsFromString(`--min-semi-space-size=${YOUNG}`)
  setFlagsFromString(`--max-semi-space-size=${YOUNG}`)
}

/** A heap that is there already keeps its own limit: once its new objects have so much room, they get no more. Asked again until it is so. */
export function keepNewSpaceSmall(): void {
  if (isKept || !isAsked) return
  const { getHeapSpaceStatistics, setFlagsFromString } = v8()
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  isKept = space !== undefined && space.space_size >= YOUNG * 2 * 1024 ** 2
  if (isKept) setFlagsFromString('--semi-space-growth-factor=1')
}

/** A service has a heap of its own to keep. */
let isAsked = false
let isKept = false

/** A single answer does without. */
const v8 = () => process.getBuiltinModule('node:v8')
