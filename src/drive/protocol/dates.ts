/** Date-times in the format of the API (RFC 3339), as milliseconds since 1970. */

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-]\d\d:?\d\d))?)?$/

const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * A bare date is its midnight. No offset means UTC. Digits below the millisecond are dropped; second 60 is the first of
 * the next minute. Returns undefined for another format or a day that does not exist.
 */
export function parseDate(text: string): number | undefined {
  const parts = FORM.exec(text)
  if (parts === null) return undefined
  const [, year, month, day, hours, minutes, seconds, fraction, offset] = parts
  const midnight = readMidnight(Number(year), Number(month), Number(day))
  const time = readTime(Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0))
  const shift = offset === undefined ? 0 : readOffset(offset)
  if (midnight === undefined || time === undefined || shift === undefined) return undefined
  const date = midnight + time + Number(`${fraction ?? ''}00`.slice(0, 3)) - shift
  return date < EARLIEST || date > LATEST ? undefined : date
}

/** `2026-11-21T10:24:50.847Z` */
export function formatDate(date: number): string {
  return new Date(date).toISOString()
}

function readMidnight(year: number, month: number, day: number): number | undefined {
  // unlike Date.UTC, this accepts years below 100 unchanged
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function readTime(hours: number, minutes: number, seconds: number): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** `+01:00`, `-0330` -> milliseconds by which local time is ahead of UTC. */
function readOffset(text: string): number | undefined {
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  const ahead = (hours * 60 + minutes) * 60_000
  return text.startsWith('-') ? -ahead : ahead
}
