import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStorageFailure } from '../../../src/drive/contract/failure.ts'
import { parseDriveQuery, parseFileQuery } from '../../../src/drive/protocol/q/q.ts'
import { type QNode, walkTests } from '../../../src/drive/protocol/q/q-fields.ts'
import { rounds } from '../../support/rounds.ts'

const times = (count: number, made: (at: number) => string, join: string) =>
  [...Array(count).keys()].map(made).join(join)

describe('parseFileQuery', () => {
  test.for([
    // queries that clients send
    ["title = 'x' and trashed = false", '(title = x and not trashed)'],
    ["title='x' and 'ID' in parents and trashed=false", '(title = x and ID in parents and not trashed)'],
    ["'Root' in parents and trashed=false", '(root in parents and not trashed)'],
    [
      "('A' in parents or 'B' in parents) and trashed=false",
      '((A in parents or B in parents) and not trashed)',
    ],
    [
      "trashed=false and mimeType!='application/vnd.google-apps.folder'",
      '(not trashed and mimeType != application/vnd.google-apps.folder)',
    ],
    ["properties has { key='k' and value='v' and visibility='PUBLIC' }", 'property k=v PUBLIC'],
    ['title = "x"', 'title = x'],
    ["fileExtension='kdbx' or fileExtension='kdb'", '(fileExtension = kdbx or fileExtension = kdb)'],
    ["'appdata' in parents", 'appDataFolder in parents'],
    ["'APPDATAFOLDER' in parents", 'appDataFolder in parents'],
    ["modifiedDate > '2026-01-01T00:00:00'", 'modifiedDate > 2026-01-01T00:00:00.000Z'],
    ['fullText contains \'"Hello there"\'', 'fullText contains "Hello there"'],
    ["'labels/ID' in labels", 'labels/ID in labels'],
    ["shortcutDetails.targetId = 'T'", 'shortcutDetails.targetId = T'],
    // escapes
    ["title = 'it\\'s'", "title = it's"],
    ["title = 'a\\\\b'", 'title = a\\b'],
    ['title = "say \\"x\\""', 'title = say "x"'],
    ["title = 'C:\\new'", 'title = C:\\new'],
    ["title = 'a\\\\'", 'title = a\\'],
    ["title = ''", 'title = '],
    ['title = "it\'s"', "title = it's"],
    ["title = 'a\nb'", 'title = a\nb'],
    // grammar
    ['starred or sharedWithMe and trashed', '((starred or sharedWithMe) and trashed)'],
    ['starred and sharedWithMe or trashed', '((starred and sharedWithMe) or trashed)'],
    ['starred and (sharedWithMe and trashed)', '(starred and sharedWithMe and trashed)'],
    ['not starred and trashed', '(not starred and trashed)'],
    ['not (starred and trashed)', 'not (starred and trashed)'],
    ['not not starred', 'not not starred'],
    ['((starred))', 'starred'],
    ['starred != true', 'not starred'],
    ['STARRED = False', 'not starred'],
    ["TITLE CONTAINS 'x' AND NOT Trashed", '(title contains x and not trashed)'],
    ["'me' IN Owners", 'me in owners'],
    ["properties has{key='k'}", 'property k=undefined undefined'],
    ["PROPERTIES HAS {KEY='k' AND VALUE='v' AND Visibility='public'}", 'property k=v PUBLIC'],
    ['properties has {visibility=\'private\' and key="k"}', 'property k=undefined PRIVATE'],
    ["visibility = 'anyoneWithLink'", 'visibility = anyoneWithLink'],
    ["createdDate<='2026-01-31'", 'createdDate <= 2026-01-31T00:00:00.000Z'],
    [" \t\n title='x' ", 'title = x'],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(show(parseFileQuery(text))).toBe(expected)
  })

  test.for([[undefined], [''], ['   ']] as const)('%j asks nothing', ([text]) => {
    expect(parseFileQuery(text)).toBeUndefined()
  })

  test.for([
    ['title ==== nonsense', 8, 'a string in quotes expected'],
    ['title', 6, '= != contains expected after title'],
    ["title < 'x'", 7, '= != contains expected after title'],
    ["id = 'x'", 1, 'no such field: id'],
    ["name = 'x'", 1, 'no such field: name'],
    [`${'x'.repeat(41)} = 'x'`, 1, `no such field: ${'x'.repeat(40)}`],
    ["title = 'x", 9, 'the string has no closing quote'],
    ["title = 'x\\'", 9, 'the string has no closing quote'],
    ["title = 'x' and", 16, 'a field, a string, "not" or "(" expected'],
    ["title = 'x' trashed", 13, '"and", "or" or the end expected'],
    ['title = x', 9, 'a string in quotes expected'],
    ['trashed = 1', 11, 'true or false expected'],
    ["trashed = 'true'", 11, 'true or false expected'],
    ['trashed > true', 9, '= != expected after trashed'],
    ["fullText = 'x'", 10, 'contains expected after fullText'],
    ["mimeType < 'x'", 10, '= != contains expected after mimeType'],
    ["modifiedDate > 'yesterday'", 16, 'a date such as 2026-01-31T12:00:00Z expected'],
    ["modifiedDate contains '2026'", 14, '= != < <= > >= expected after modifiedDate'],
    ["'x'", 4, '"in" expected'],
    ["'x' in", 7, 'the name of a collection, such as parents, expected'],
    ["'x' in title", 8, 'the name of a collection, such as parents, expected'],
    ['parents', 1, 'a string and "in" expected before parents'],
    ["parents in 'x'", 1, 'a string and "in" expected before parents'],
    ['(starred', 9, '")" expected'],
    ['starred)', 8, '"and", "or" or the end expected'],
    ['()', 2, 'a field, a string, "not" or "(" expected'],
    ['not', 4, 'a field, a string, "not" or "(" expected'],
    ["properties = 'k'", 12, 'has expected after properties'],
    ["properties has { value='v' }", 28, 'the key of the property is missing'],
    ["properties has { key='k' and key='l' }", 30, 'key is there twice'],
    ["properties has { key='k', value='v' }", 25, 'no such character'],
    ["properties has { key='k' or value='v' }", 26, '"}" expected'],
    ["properties has { key!='k' }", 21, '"=" expected'],
    ["properties has { visibility='SECRET' and key='k' }", 29, 'PUBLIC or PRIVATE expected'],
    ['properties has { }', 18, 'key, value or visibility expected'],
    [
      "visibility = 'secret'",
      14,
      'one of anyoneCanFind, anyoneWithLink, domainCanFind, domainWithLink, limited expected',
    ],
    ['title = ‘x’', 9, 'no such character'],
    ["title = 'a\u0000b'", 11, 'no such character'],
    ["title = '\ud800'", 10, 'no such character'],
    ["'\u0000' in parents", 2, 'no such character'],
    ['\ud800', 1, 'no such character'],
    ['x', 1, 'no such field: x'],
    ['memberCount > 1', 1, 'no such field: memberCount'],
    ["title = 'x' && starred", 13, 'no such character'],
    ["constructor = 'x'", 1, 'no such field: constructor'],
  ] as const)('%s is refused at %d: %s', ([text, at, message]) => {
    expect(() => parseFileQuery(text)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalid',
        message: `Invalid query at character ${at}: ${message}`,
        details: { location: 'q', locationType: 'parameter' },
      }),
    )
  })

  test('every test knows where it stands', () => {
    const text = "not (title = 'x' or 'y' in parents) and properties has {key='k'} and starred"
    const shown = [...walkTests(parseFileQuery(text)!)].map(({ at: [start, end] }) => text.slice(start, end))
    expect(shown).toEqual(["title = 'x'", "'y' in parents", "properties has {key='k'}", 'starred'])
  })

  test('512 tests, 50 levels and 8 KiB are the most', () => {
    expect([...walkTests(parseFileQuery(Array(512).fill('starred').join(' or '))!)]).toHaveLength(512)
    expect(() => parseFileQuery(Array(513).fill('starred').join(' or '))).toThrow(
      'Invalid query at character 5633: it has more than 512 tests',
    )
    expect(show(parseFileQuery(`${'('.repeat(50)}starred${')'.repeat(50)}`))).toBe('starred')
    expect(() => parseFileQuery(`${'('.repeat(51)}starred${')'.repeat(51)}`)).toThrow('nested deeper than 50')
    expect(() => parseFileQuery(`${'not '.repeat(51)}starred`)).toThrow('nested deeper than 50')
    expect(show(parseFileQuery(`title='${'x'.repeat(8184)}'`))).toHaveLength(8192)
    expect(() => parseFileQuery(`title='${'x'.repeat(8185)}'`)).toThrow('longer than 8192 bytes')
    expect(() => parseFileQuery(`title='${'ü'.repeat(4093)}'`)).toThrow('longer than 8192 bytes')
  })

  test.for([
    ['words', (n: number) => `title contains '${Array(n).fill('a').join(' ')}'`, 64],
    ['different words', (n: number) => times(n, (at) => `fullText contains 'w${at}'`, ' or '), 64],
    ['lookups that are made apart', (n: number) => times(n, (at) => `'a${at}' in readers`, ' and '), 64],
    ['labels that are all wanted', (n: number) => times(n, (at) => `'l${at}' in labels`, ' and '), 64],
  ] as const)('as many %s as cost too much are refused', ([, made, most]) => {
    expect(parseFileQuery(made(most))).toBeDefined()
    expect(() => parseFileQuery(made(most + 1))).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalid',
        message: 'The query is too complex: it has too many words, or tests that each look something up.',
        details: { location: 'q', locationType: 'parameter' },
      }),
    )
  })

  test.for([
    ['the same again and again', times(300, () => "not 'root' in parents", ' and ')],
    ['titles', times(512, (at) => `title='${at}'`, ' or ')],
    ['folders', times(400, (at) => `'${at}' in parents`, ' or ')],
    ['properties', times(140, (at) => `not properties has {key='k' and value='${at}'}`, ' and ')],
  ] as const)('many tests of a kind cost little: %s', ([, text]) => {
    expect(parseFileQuery(text)).toBeDefined()
  })

  test('any text is read or refused', () => {
    const words = [
      'title',
      'trashed',
      'parents',
      'properties',
      'and',
      'or',
      'not',
      'in',
      'has',
      'contains',
      'true',
      'key',
      'fullText',
      'modifiedDate',
    ]
    const marks = [
      '(',
      ')',
      '{',
      '}',
      '=',
      '!=',
      '<',
      '>=',
      "'x'",
      '"y"',
      "'2026-01-01'",
      "'",
      '"',
      '\\',
      '7',
      ' ',
      '\n',
    ]
    const pieces = fc
      .array(fc.constantFrom(...words, ...marks), { maxLength: 30 })
      .map((all) => all.join(' '))
    fc.assert(fc.property(fc.oneof(fc.string(), pieces), isReadOrRefused), {
      numRuns: rounds(3000),
    })
  })

  test('a string of any text is read as it was', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((value) => !value.includes('\u0000'))
    fc.assert(
      fc.property(text, fc.constantFrom("'", '"'), (value, quote) => {
        const escaped = value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
        expect(parseFileQuery(`title = ${quote}${escaped}${quote}`)).toMatchObject({ value })
      }),
    )
  })

  test.for([
    ['('],
    ["'"],
    ['not '],
    [' '],
    ["'a' "],
    ['"\\'],
    ['title'],
    ['x.'],
    ['1'],
    ["title='x' or "],
  ] as const)('a megabyte of %s is bounded', ([piece]) => {
    expect(isReadOrRefused(piece.repeat(Math.ceil(1_000_000 / piece.length)))).toBe(true)
  })
})

describe('parseDriveQuery', () => {
  test.for([
    ["name contains 'x' and hidden = false", '(name contains x and not hidden)'],
    ['memberCount > 3 and organizerCount <= 10', '(memberCount > 3 and organizerCount <= 10)'],
    [
      'memberCount = 0 or memberCount != 1 or memberCount < 2 or organizerCount >= 999999999999999',
      '(memberCount = 0 or memberCount != 1 or memberCount < 2 or organizerCount >= 999999999999999)',
    ],
    ["createdDate >= '2026-01-01' or not hidden", '(createdDate >= 2026-01-01T00:00:00.000Z or not hidden)'],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(show(parseDriveQuery(text))).toBe(expected)
  })

  test.for([
    ["title = 'x'", 1, 'no such field: title'],
    ['memberCount > -1', 15, 'no such character'],
    ['memberCount = 1.5', 15, 'no such character'],
    ['memberCount = 1x', 15, 'no such character'],
    ["memberCount = '1'", 15, 'a number expected'],
    ['memberCount = hidden', 15, 'a number expected'],
    ["memberCount contains '1'", 13, '= != < <= > >= expected after memberCount'],
    ["modifiedDate > '2026-01-01'", 1, 'no such field: modifiedDate'],
    ['memberCount = 9999999999999999', 15, 'no such character'],
  ] as const)('%s is refused at %d: %s', ([text, at, message]) => {
    expect(() => parseDriveQuery(text)).toThrow(
      expect.objectContaining({
        status: 400,
        reason: 'invalid',
        message: `Invalid query at character ${at}: ${message}`,
        details: { location: 'q', locationType: 'parameter' },
      }),
    )
  })
})

function isReadOrRefused(text: string): boolean {
  try {
    parseFileQuery(text)
    return true
  } catch (error) {
    return isStorageFailure(error) && error.status === 400 && error.reason === 'invalid'
  }
}

function show(node: QNode | undefined): string {
  if (node === undefined) return ''
  switch (node.kind) {
    case 'and':
    case 'or':
      return `(${node.parts.map(show).join(` ${node.kind} `)})`
    case 'not':
      return `not ${show(node.inner)}`
    case 'flag':
      return node.value ? node.field : `not ${node.field}`
    case 'date':
      return `${node.field} ${node.op} ${new Date(node.value).toISOString()}`
    case 'member':
      return `${node.value} in ${node.of}`
    case 'property':
      return `property ${node.key}=${node.value} ${node.visibility}`
    case 'text':
    case 'count':
      return `${node.field} ${node.op} ${node.value}`
  }
}
