/**
 * Newest release on a day: version 3 of IPD-IMGT/HLA has had one each January, April, July and October since April
 * 2010. Pure.
 */
import { HlaError } from '../errors.ts'
import { parseReleaseNumber } from './release-number.ts'

export interface CodeVersion {
  /** `3.58.0` */
  readonly release: string
  /** True when it was found by a date. */
  readonly isByDate: boolean
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/

/**
 * Release of a GL String Code's version: a number, or `2018-06`, `2018-06-30`. A month with a release stands for that
 * release.
 * @throws {HlaError} unknown-release — neither, a year alone, or before 3.0.0
 */
export function readCodeVersion(version: string): CodeVersion {
  const [, year, month, day] = DATE.exec(version) ?? []
  if (year === undefined) return { release: parseReleaseNumber(version).label, isByDate: false }
  const time = Date.parse(`${year}-${month}-${day ?? '01'}T00:00:00Z`)
  // JavaScript reads 31 June as 1 July
  const isDate = !Number.isNaN(time) && new Date(time).getUTCMonth() + 1 === Number(month)
  const quarter = Math.floor(((Number(year) - 2010) * 12 + Number(month) - 4) / 3)
  if (isDate && quarter >= 0) return { release: `3.${quarter}.0`, isByDate: true }
  throw new HlaError(
    'unknown-release',
    isDate
      ? `${version} is before April 2010; dates can only stand for releases from 3.0.0 on`
      : `${JSON.stringify(version)} is no date`,
    { offending: version },
  )
}
