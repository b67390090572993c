/** Messages: their texts, and the position of their carets. */
import { describe, expect, test } from 'vitest'
import {
  formatError,
  formatKinds,
  formatNote,
  formatSummary,
  type InputPlace,
} from '../../src/cli/messages.ts'
import { type ErrorCode, type ErrorDetails, HlaError } from '../../src/errors.ts'

function error(details: ErrorDetails = {}, code: ErrorCode = 'unknown-allele'): HlaError {
  return new HlaError(code, 'it is wrong', details)
}

describe('formatError', () => {
  test.for([
    ['the code in brackets', error(), undefined, 'hla: error: it is wrong [unknown-allele]\n'],
    ['no code of a usage error', error({}, 'usage'), undefined, 'hla: error: it is wrong\n'],
    [
      'carets below the place',
      error({ position: [2, 4] }),
      'A*01:01',
      'hla: error: it is wrong [unknown-allele]\n  A*01:01\n    ^^\n',
    ],
    [
      'a caret for a place that is nothing',
      error({ position: [3, 3] }),
      'A1+',
      'hla: error: it is wrong [unknown-allele]\n  A1+\n     ^\n',
    ],
    [
      'each line of a hint',
      error({ hint: 'one\ntwo', suggestions: ['A2'] }),
      'A1',
      'hla: error: it is wrong [unknown-allele]\n  one\n  two\n',
    ],
    [
      'suggestions where there is no hint',
      error({ suggestions: ['A2', 'A3'] }),
      'A1',
      'hla: error: it is wrong [unknown-allele]\n  did you mean A2, A3?\n',
    ],
    [
      'one line, whatever stands in the message',
      new HlaError('usage', 'no column "a\nb"', { suggestions: ['c\nd'] }),
      'A1',
      'hla: error: no column "a\\nb"\n  did you mean c\\nd?\n',
    ],
    [
      'no second suggestion',
      new HlaError('usage', 'wrong. Did you mean A2?', { suggestions: ['A2'] }),
      undefined,
      'hla: error: wrong. Did you mean A2?\n',
    ],
    [
      'control characters as spaces',
      error({ position: [1, 2] }),
      'A\u001b\n1',
      'hla: error: it is wrong [unknown-allele]\n  A  1\n   ^\n',
    ],
    [
      'nothing of an empty text',
      error({ position: [0, 0] }),
      '',
      'hla: error: it is wrong [unknown-allele]\n',
    ],
  ] as const)('gives %s', ([, given, text, expected]) => expect(formatError(given, text)).toBe(expected))

  const place: InputPlace = { file: 'a.txt', line: 12 }

  test('names file and line', () => {
    expect(formatError(error({ position: [0, 2] }), 'A1', place)).toContain(
      '\n  a.txt:12: A1\n            ^^\n',
    )
    expect(formatError(error({ position: [0, 0] }), '', place)).toContain('\n  a.txt:12: (an empty line)\n')
  })

  test.for(['A1', ''])('names the file in one line, at %j', (text) => {
    const odd = { file: 'a\nhla: error: b', line: 1 }
    const [, second] = formatError(error({ position: [0, 0] }), text, odd).split('\n')
    expect(second).toBe(`  a\\nhla: error: b:1: ${text === '' ? '(an empty line)' : text}`)
  })

  test.for(['usage', 'unknown-method', 'unknown-release', 'no-data', 'io', 'not-found', 'remote'] as const)(
    'shows no code %s',
    (code) => expect(formatError(error({}, code))).toBe('hla: error: it is wrong\n'),
  )

  test('shows control characters alone as spaces', () => {
    const shown = formatError(error({ position: [0, 1] }), '\0a\u001fb\u007fc\u009fd\u00a0~e').split('\n')[1]
    expect(shown).toBe('   a b c d\u00a0~e')
  })

  test.for([
    [50, 0, 100, ''],
    [51, 1, 101, '…'],
    [349, 299, 399, '…'],
    [350, 300, 400, '…'],
    [399, 300, 400, '…'],
  ] as const)('shows a hundred characters around %i of four hundred', ([start, from, to, left]) => {
    const text = Array.from({ length: 400 }, (_, at) => String.fromCodePoint(0x100 + at)).join('')
    const [, shown = '', carets] = formatError(error({ position: [start, start + 1] }), text).split('\n')
    expect(shown).toBe(`  ${left}${text.slice(from, to)}${to < 400 ? '…' : ''}`)
    expect(carets).toBe(`${' '.repeat(2 + left.length + start - from)}^`)
  })

  test.for([0, 30, 60, 200, 300, 390] as const)('shows what is around %i in a long text', (start) => {
    const text = `${'x'.repeat(start)}BAD${'y'.repeat(397 - start)}`
    const [, shown = '', carets = ''] = formatError(
      error({ position: [start, start + 3] }),
      text,
      place,
    ).split('\n')
    expect(shown.length).toBeLessThan(125)
    expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('BAD')
  })

  test('does not go on with carets where the text that is shown ends', () => {
    const lines = formatError(error({ position: [0, 400] }), 'x'.repeat(400)).split('\n')
    expect(lines[2]?.length).toBeLessThanOrEqual(lines[1]?.length ?? 0)
  })
})

test('formatNote tells warnings from notes', () => {
  expect(formatNote({ level: 'warning', code: 'c', message: 'm' })).toBe('hla: warning: m [c]\n')
  expect(formatNote({ level: 'note', code: 'c', message: 'm' })).toBe('hla: note: m [c]\n')
  expect(formatNote({ level: 'detail', code: 'c', message: 'm' })).toBe('hla: note: m [c]\n')
})

test.for([
  [1, [], '1 typing: 1 ok'],
  [0, [], '0 typings: 0 ok'],
  [
    12_345,
    [
      ['b', 2],
      ['a', 1000],
    ],
    '12,345 typings: 11,343 ok, 1,002 failed (1,000 a, 2 b)',
  ],
] as const)('formatSummary of %i is %s', ([total, failures, expected]) => {
  expect(formatSummary(total, new Map(failures))).toBe(`hla: ${expected}\n`)
})

test.for([
  [1, [['same', 1]], '1 typing: 1 same'],
  [4000, [['same', 3000], ['gained', 1200]], '4,000 typings: 3,000 same, 1,200 gained'],
] as const)('formatKinds of %i is %s', ([total, kinds, expected]) => {
  expect(formatKinds(total, new Map(kinds))).toBe(`hla: ${expected}\n`)
}) // prettier-ignore
