import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { atTheLimit } from '../../support/at-the-limit.ts'
import { ORDER_KEYS, parseOrderBy } from '../../../src/drive/protocol/q/q-fields.ts'

describe('parseOrderBy', () => {
  test.for([
    [undefined, []],
    [' ', []],
    ['title', [{ key: 'title', isDescending: false }]],
    ['modifiedDate asc', [{ key: 'modifiedDate', isDescending: false }]],
    [
      'folder,modifiedDate desc, title',
      [
        { key: 'folder', isDescending: false },
        { key: 'modifiedDate', isDescending: true },
        { key: 'title', isDescending: false },
      ],
    ],
    ['title_natural  DESC', [{ key: 'title_natural', isDescending: true }]],
    [' title\tasc , title desc', [{ key: 'title', isDescending: false }]],
    ['title,title desc', [{ key: 'title', isDescending: false }]],
  ] as const)('%j is %j', ([text, expected]) => {
    expect(parseOrderBy(text)).toEqual(expected)
  })

  test.for([
    ['name'],
    ['title,'],
    ['title down'],
    ['TITLE'],
    ['title asc desc'],
    ['title;folder'],
    ['constructor'],
    [','.repeat(1_000_000)],
  ] as const)('%s is refused', ([text]) => {
    expect(() => parseOrderBy(text)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalidParameter',
        details: { location: 'orderBy', locationType: 'parameter' },
      }),
    )
  })

  test('1000 characters are the most', () => {
    const [most, more] = atTheLimit((size) => 'title desc'.padEnd(size), 1000)
    expect(parseOrderBy(most)).toEqual([{ key: 'title', isDescending: true }])
    expect(() => parseOrderBy(more)).toThrow('Invalid orderBy: it is too long')
    // blanks alone name nothing, however many
    expect(parseOrderBy(' '.repeat(1001))).toEqual([])
  })

  test('a refusal names the part alone', () => {
    expect(() => parseOrderBy('title, name desc ,folder')).toThrow(
      expect.objectContaining({
        message:
          "Invalid orderBy 'name desc': one of createdDate, folder, lastViewedByMeDate, modifiedByMeDate, modifiedDate, " +
          'quotaBytesUsed, recency, sharedWithMeDate, starred, title, title_natural expected',
      }),
    )
  })

  test('any text is read or refused', () => {
    const pieces = fc.array(fc.constantFrom(...ORDER_KEYS, ',', ' ', 'desc', 'asc', 'x'), { maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((all) => all.join('')),
        ),
        isReadOrRefused,
      ),
    )
  })
})

function isReadOrRefused(text: string): boolean {
  try {
    return parseOrderBy(text).length <= ORDER_KEYS.length
  } catch (error) {
    return isStorageFailure(error) && error.status === 400
  }
}
