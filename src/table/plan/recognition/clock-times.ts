/** Times of the day, which look like two fields of a name. Pure. */

/** `10:30` and `09:00`: hours and minutes; second fields are never 00, and first fields seldom all below 24. */
export function areClockTimes(name: string, values: readonly string[]): boolean {
  const fields = values.map((value) => /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(value.trim()))
  const times = fields.filter((one) => one !== null)
  if (2 * times.length < values.length) return false
  if (times.some(([, hours, minutes]) => Number(hours) > 23 || Number(minutes) > 59)) return false
  return /time|hour|clock|zeit|heure|hora|uhr/i.test(name) || times.some(([, hours, minutes]) => hours === '00' || minutes === '00') // prettier-ignore
}
