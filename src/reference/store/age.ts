/** How old dated data are. Pure, but for the clock. */

/** Days since that day, at least 0; undefined when `date` is none. */
export function countDays(date: string, now = Date.now()): number | undefined {
  const then = Date.parse(date)
  return Number.isNaN(then) ? undefined : Math.max(0, Math.floor((now - then) / DAY_MS))
}

/** Releases come four times a year: one of more than a year ago lacks four of them. */
export function isOldRelease(date: string, now = Date.now()): boolean {
  return (countDays(date, now) ?? 0) > 365
}

const DAY_MS = 24 * 60 * 60 * 1000
