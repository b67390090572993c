/** Age of dated data. Pure, but for the clock. */

/** Days since that date, at least 0; undefined when `date` is not a date. */
export function countDays(date: string, now = Date.now()): number | undefined {
  const then = Date.parse(date)
  return Number.isNaN(then) ? undefined : Math.max(0, Math.floor((now - then) / DAY_MS))
}

/** True for a release more than a year old; four appear each year. */
export function isOldRelease(date: string, now = Date.now()): boolean {
  return (countDays(date, now) ?? 0) > 365
}

const DAY_MS = 24 * 60 * 60 * 1000
