/** How many threads convert: as asked, else by the size of the table.  [environment] */
import { availableParallelism } from 'node:os'
import { HlaError } from '../../../errors.ts'

/** Bytes from which on starting workers is worth it. */
const LARGE = 20_000_000
const MOST = 8
const MOST_ASKED = 64

/** 1: no worker beside this thread; nor for what is of unknown size. @throws {HlaError} usage — neither a number nor `auto` */
export function jobCount(asked: string | undefined, size = 0): number {
  const text = asked ?? process.env['HLA_JOBS']
  if (text === undefined || text === '') return size < LARGE ? 1 : automatic()
  if (text === 'auto' || text === '0') return automatic()
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_ASKED) return Number(text)
  const what = asked === undefined ? 'HLA_JOBS' : '--jobs'
  throw new HlaError('usage', `${what} is a number up to ${MOST_ASKED} or auto, not ${JSON.stringify(text)}`)
}

/** This thread is one of them: what reading and writing leave of its core, it converts (docs/adr/0004). */
function automatic(): number {
  return Math.min(availableParallelism(), MOST)
}

/** So many threads leave no processor to others. */
export function takesAll(jobs: number): boolean {
  return jobs >= availableParallelism()
}
