/** Data ids: which data match the requested ones. */
import { describe, expect, test } from 'vitest'
import { checkData } from '../../src/operations/answers/expect-data.ts'
import { errorOf } from '../support/errors.ts'

const ID = '3.58.0+mac.20200711 sha256:892e6125b111'

describe('checkData', () => {
  test.for([
    [undefined, ID, undefined],
    [ID, ID, undefined],
    ['3.58.0+mac.20200711', ID, undefined],
    ['sha256:892e6125b111', ID, undefined],
    ['892E6125', ID, undefined],
    ['892e6125b111ffffffffffff', ID, undefined],
    ['3.58.0', '3.58.0 sha256:892e6125b111', undefined],
    ['3.58.0', ID, 'pin'],
    ['3.58.0+mac.20200711 sha256:033e3ecfcd65', ID, 'pin'],
    ['3.59.0+mac.20200711 sha256:892e6125b111', ID, 'pin'],
    ['033e3f', ID, 'pin'],
    ['033e3e', undefined, 'pin'],
    ['3.58.0', 'the built-in starter set of 3.58.0', 'pin'],
    ['SHA256:892E6125B111', ID, undefined],
    ['sha256:892e6125b111 3.58.0+mac.20200711', ID, undefined],
    ['sha256:033e3ecfcd65 3.58.0+mac.20200711', ID, 'pin'],
    ['sha256:892e6125b111 3.59.0+mac.20200711', ID, 'pin'],
    ['033e3', ID, 'usage'],
    ['x3.58.0', ID, 'usage'],
    ['.58.0', ID, 'usage'],
    ['x892e6125b111', ID, 'usage'],
    ['892e6125b111x', ID, 'usage'],
    ['a'.repeat(64), ID, 'pin'],
    ['a'.repeat(65), ID, 'usage'],
    ['latest 3.58.0+mac.20200711', ID, 'usage'],
    ['3.58.0+mac.20200711 latest', ID, 'usage'],
    ['latest', ID, 'usage'],
    ['', ID, 'usage'],
  ] as const)('%j of %j is %s', ([expected, found, code]) => {
    expect(errorOf(() => checkData(expected, found, 'answers come from'))?.code).toBe(code)
  })
})
