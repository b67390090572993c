import { describe, expect, test } from 'vitest'
import { parseDrivePath } from '../../../src/drive/client/paths.ts'
import { errorOf } from '../../support/errors.ts'

describe('parseDrivePath', () => {
  test.for([
    ['/', 'root', [], true],
    ['/donors.csv', 'root', ['donors.csv'], false],
    ['/registry/donors.csv', 'root', ['registry', 'donors.csv'], false],
    ['//registry//', 'root', ['registry'], true],
    ['root/a', 'root', ['a'], false],
    ['1AbC-d_efghij', '1AbC-d_efghij', [], false],
    ['1AbC-d_efghij/a b', '1AbC-d_efghij', ['a b'], false],
    ['/..', 'root', ['..'], false],
  ] as const)('%j', ([text, base, names, isFolder]) => {
    expect(parseDrivePath(text)).toEqual({ text, base, names, isFolder })
  })

  test.for([
    '',
    'donors.csv',
    'registry/donors.csv',
    'a b',
    'my root',
    'roots',
    'root b',
    '1AbC-d_ef',
    'the 1AbC-d_efghij',
    '1AbC-d_efghij b',
  ])('%j is none', (text) => {
    expect(errorOf(() => parseDrivePath(text))?.code).toBe('usage')
  })

  test('a text that is none is refused with what it may have meant', () => {
    expect(errorOf(() => parseDrivePath('donors.csv'))).toMatchObject({
      code: 'usage',
      message: '"donors.csv" is neither a path in the store nor an id',
      offending: 'donors.csv',
      hint: 'paths begin with a slash: /donors.csv',
    })
  })
})
