/**
 * Progress of a conversion: a line redrawn on the terminal, or one JSON object a second.  [terminal]
 * ora is not used: its spinner takes over standard input and the signals, which hla handles itself.
 */
import type { PROGRESS } from '../../../../options/choices.ts'
import { draw, isTerminal, tell } from '../../../../io/stdout.ts'
import type { Progress, ObservedRun } from '../../../../table/run/table-job.ts'
import { formatCount } from '../../../../format-count.ts'

const REDRAW_MS = 100
const RECORD_MS = 1000
/** Shorter runs show no line. */
const FIRST_LINE_MS = 1000

export function openProgress(
  choice: (typeof PROGRESS)[number] | undefined,
  isQuiet: boolean,
  run: ObservedRun,
): Progress {
  const { env } = process
  const isWatched = !isQuiet && !env['CI'] && env['TERM'] !== 'dumb' && isTerminal('messages')
  const isShown = choice === 'jsonl' || choice === 'always' || (choice !== 'never' && isWatched)
  // `performance` loads a dozen parts of Node
  if (!isShown) return NONE
  const started = performance.now()
  const measure = () => measureProgress(run, started)
  if (choice === 'jsonl') return repeated((done) => tell(`${JSON.stringify(record(run, measure(), done))}\n`))
  if (choice !== 'always') return line(measure, FIRST_LINE_MS)
  // a file or pipe cannot be redrawn: each report is a line
  return isTerminal('messages') ? line(measure, 0) : repeated(() => tell(`${formatProgress(measure())}\n`))
}

const NONE: Progress = { passed: nothing, clear: nothing, finish: nothing }

function nothing(): void {}

/** Calls `show` at most once an interval, in milliseconds, the first time after the delay. */
function every(interval: number, delay: number, show: () => void): () => void {
  let next = performance.now() + delay
  return () => {
    const now = performance.now()
    if (now < next) return
    next = now + interval
    show()
  }
}

function line(measure: () => Facts, delay: number): Progress {
  let isDrawn = false
  const clear = () => {
    if (isDrawn) draw(ERASE)
    isDrawn = false
  }
  const passed = every(REDRAW_MS, delay, () => {
    // a line that wraps could not be erased; some terminals report no width
    draw(ERASE + formatProgress(measure()).slice(0, (process.stderr.columns || 80) - 1))
    isDrawn = true
  })
  return { passed, clear, finish: clear }
}

const ERASE = '\r\u001b[K'

function repeated(say: (done: boolean) => void): Progress {
  return { passed: every(RECORD_MS, RECORD_MS, () => say(false)), clear: nothing, finish: () => say(true) }
}

function record({ tally, bytes, bytesRead }: ObservedRun, facts: Facts, done: boolean) {
  const { seconds, rate, share, left } = facts
  const { rows, typings, statuses } = tally
  return {
    type: 'progress',
    rows,
    typings,
    failed: statuses.error,
    bytes: bytesRead(),
    total_bytes: bytes ?? null,
    share: share === undefined ? null : Number(share.toFixed(4)),
    rows_per_second: Math.round(rate),
    elapsed_seconds: Number(seconds.toFixed(1)),
    left_seconds: left === undefined ? null : Math.round(left),
    done,
  }
}

interface Facts {
  readonly rows: number
  readonly seconds: number
  /** Rows per second. */
  readonly rate: number
  /** Share of the input read so far, 0 to 1. */
  readonly share: number | undefined
  /** Estimated remaining seconds. */
  readonly left: number | undefined
}

function measureProgress({ tally, bytes, bytesRead }: ObservedRun, started: number): Facts {
  const seconds = (performance.now() - started) / 1000
  const rate = seconds === 0 ? 0 : tally.rows / seconds
  if (bytes === undefined || bytes === 0)
    return { rows: tally.rows, seconds, rate, share: undefined, left: undefined }
  const done = bytesRead()
  const share = Math.min(1, done / bytes)
  const left = done <= 0 ? undefined : (seconds * (bytes - done)) / done
  return { rows: tally.rows, seconds, rate, share, left }
}

function formatProgress({ rows, rate, share, left }: Facts): string {
  const parts = [
    `${formatCount(rows)} rows`,
    `${formatCount(Math.round(rate))} rows/s`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)}% of the input`]),
    ...(left === undefined ? [] : [`${timeText(left)} left`]),
  ]
  return `hla: ${parts.join(', ')}`
}

/** `5 s`, `3 min 5 s`, `2 h 3 min` */
function timeText(seconds: number): string {
  const rounded = Math.max(0, Math.ceil(seconds))
  if (rounded < 60) return `${rounded} s`
  const minutes = Math.floor(rounded / 60)
  return minutes < 60
    ? `${minutes} min ${rounded % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
