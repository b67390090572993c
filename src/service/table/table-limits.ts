/** Resource limits for a table, and the errors for exceeding them. */
import { HlaError } from '../../errors.ts'
import type { TableLimits } from '../../table/run/table-job.ts'
import { MAX_TABLES } from './table-share.ts'
import { formatCount } from '../../format-count.ts'

/**
 * Maximum number of failures kept, and their total size in characters, since each repeats its cell. Further ones are
 * only counted.
 */
export const MAX_FAILURES = 100_000
export const MAX_FAILURES_LENGTH = 16 * 1024 ** 2
/** Maximum number of failures in the summary. */
export const MAX_SHOWN = 20

/** Maximum number of lines: half of what fits into the largest table with the shortest meaningful lines. */
const MAX_LINES = 5_000_000

/** Maximum processor time in ms until the columns are recognised; 10,000 columns take a second at most. */
const MAX_PLANNING_MS = 2000

/** Maximum time in ms of work on cells between yields. */
const TURN = 5

/** `most` is the size of the unpacked table in bytes; `time` the working time in ms, 0 for no limit. */
export function tableLimits(most: number, time: number): TableLimits {
  return {
    bytes: { most, refusal: () => new HlaError('bad-request', tooLongText(most)) },
    lines: {
      most: MAX_LINES,
      refusal: () =>
        new HlaError(
          'bad-request',
          `the table has more than ${formatCount(MAX_LINES)} lines; the command line converts tables of any length`,
        ),
    },
    planning: {
      most: MAX_PLANNING_MS,
      refusal: () =>
        new HlaError('bad-request', `recognising the columns takes more than ${MAX_PLANNING_MS / 1000} s`, {
          hint: 'send fewer columns; the command line takes its time',
        }),
    },
    time: {
      most: time,
      refusal: () =>
        new HlaError(
          'bad-request',
          `the table takes more than ${decimal(time / 1000)} s of work; the command line takes its time`,
        ),
    },
    turn: TURN,
    atOnce: MAX_TABLES,
  }
}

export function tooLongText(most: number): string {
  if (most === 0) return 'this service converts no tables; the command line does'
  return `the table is longer than ${decimal(most / 1024 ** 2)} MiB; the command line converts tables of any length`
}

/** `most` is in bytes. */
export function answerTooLong(most: number): HlaError {
  return new HlaError('bad-request', `the converted table is longer than ${decimal(most / 1024 ** 2)} MiB`, {
    hint: 'ask for fewer methods at a time; the command line writes tables of any length',
  })
}

function decimal(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 })
}
