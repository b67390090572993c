import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDate, parseDate } from '../../../src/drive/protocol/dates.ts'

describe('parseDate', () => {
  test.for([
    ['2026-11-21T10:24:50.847Z', '2026-11-21T10:24:50.847Z'],
    ['2026-11-21T10:24:50Z', '2026-11-21T10:24:50.000Z'],
    ['2026-11-21t10:24:50z', '2026-11-21T10:24:50.000Z'],
    ['2026-11-21 10:24:50Z', '2026-11-21T10:24:50.000Z'],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-11-21T10:24:50.8Z', '2026-11-21T10:24:50.800Z'],
    ['2026-11-21T10:24:50.847999999Z', '2026-11-21T10:24:50.847Z'],
    ['2026-11-21T10:24:50+01:00', '2026-11-21T09:24:50.000Z'],
    ['2026-11-21T10:24:50-0330', '2026-11-21T13:54:50.000Z'],
    ['2026-11-21T00:10:00+00:20', '2026-11-20T23:50:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0050-03-01', '0050-03-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-11-21T23:59:59.84+23:59', '2026-11-21T00:00:59.840Z'],
    ['2026-11-21T10:24:50-23:59', '2026-11-22T10:23:50.000Z'],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(formatDate(parseDate(text) ?? Number.NaN)).toBe(expected)
  })

  test.for([
    ['', 'nothing'],
    ['2025-02-29', 'no such day'],
    ['2026-13-01', 'no such month'],
    ['2026-00-10', 'no such month'],
    ['2026-04-31', 'no such day'],
    ['2026-11-21T24:00:00Z', 'no such hour'],
    ['2026-11-21T10:60:00Z', 'no such minute'],
    ['2026-11-21T10:24:61Z', 'no such second'],
    ['2026-11-21T10:24:50.Z', 'no digits'],
    ['2026-11-21T10:24:50.1234567890Z', 'ten digits'],
    ['2026-11-21T10:24:50+24:00', 'no such offset'],
    ['2026-11-21T10:24:50+01:60', 'no such minute of an offset'],
    ['2026-11-21T10:24:50+01:00Z', 'two offsets'],
    ['2026-11-21T10:24:50+1:00', 'a short offset'],
    ['2026-01-00', 'no such day'],
    ['x2026-11-21', 'a letter before'],
    ['2026-11-21x', 'a letter behind'],
    ['2026-11-21T10:24Z', 'no seconds'],
    ['2026-11-21Z', 'a date with an offset'],
    ['20261121', 'no dashes'],
    ['26-11-21', 'a short year'],
    ['0000-01-01T00:00:00+01:00', 'before the first year'],
    ['9999-12-31T23:59:59-01:00', 'after the last year'],
    ['２０２６-11-21', 'other digits'],
    [' 2026-11-21', 'a blank'],
  ] as const)('%s is not one: %s', ([text]) => {
    expect(parseDate(text)).toBeUndefined()
  })

  test('gives back every date that it wrote, whatever the offset', () => {
    const dates = fc.date({ min: new Date('0000-01-03Z'), max: new Date('9999-12-29Z'), noInvalidDate: true })
    fc.assert(
      fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, ahead) => {
        const local = formatDate(date.getTime() + ahead * 60_000).slice(0, -1)
        const hours = String(Math.floor(Math.abs(ahead) / 60)).padStart(2, '0')
        const minutes = String(Math.abs(ahead) % 60).padStart(2, '0')
        expect(parseDate(formatDate(date.getTime()))).toBe(date.getTime())
        expect(parseDate(`${local}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`)).toBe(date.getTime())
      }),
    )
  })

  test('any text is a date or none', () => {
    fc.assert(fc.property(fc.string(), (text) => isDateOrNone(parseDate(text))))
    expect(parseDate('2'.repeat(1_000_000))).toBeUndefined()
  })
})

function isDateOrNone(date: number | undefined): boolean {
  return date === undefined || Number.isFinite(date)
}
