/** Answers as records and texts: counts, problems, and the steps of an explanation. */
import { describe, expect, test } from 'vitest'
import {
  countCells,
  countColumns,
  countQuestion,
  countRecord,
  readPossibilities,
} from '../../src/operations/answers/counting.ts'
import { explanationText, type StepRecord } from '../../src/operations/answers/explanation-text.ts'
import { formatCause, problemRecord } from '../../src/operations/answers/problem.ts'
import { HlaError } from '../../src/errors.ts'

describe('a count', () => {
  const row = { population: 'EURO', locus: 'A', kind: 'name', name: 'A*01:01', typings: 2, persons: 1, share: 0.1 + 0.2 } as const // prettier-ignore
  const both = { withPopulation: true, withShare: true }
  const none = { withPopulation: false, withShare: false }

  test('has its population and share where they are asked for', () => {
    const { population, share: _, ...plain } = row
    expect(countRecord(row, none)).toStrictEqual(plain)
    expect(countRecord(row, both)).toStrictEqual({ population, ...plain, share: '0.3' })
    expect(countRecord({ ...row, kind: 'null', share: 1 / 3 }, both).share).toBe('0.333333')
    expect(countRecord({ ...row, kind: 'ambiguous' }, both).share).toBe('')
    expect([countColumns(both), countCells(countRecord(row, both), both)]).toEqual([
      ['population', 'locus', 'kind', 'name', 'typings', 'persons', 'share'],
      ['EURO', 'A', 'name', 'A*01:01', '2', '1', '0.3'],
    ])
    expect([countColumns(none), countCells(countRecord(row, none), none)]).toEqual([
      ['locus', 'kind', 'name', 'typings', 'persons'],
      ['A', 'name', 'A*01:01', '2', '1'],
    ])
  })

  test('asks what each typing may be', () => {
    const reading = { from: '3.25.0', lift: true, accept: ['case'] }
    const given = { catalogue: 'ciwd3', reduction_method: 'G', options: { strict: false }, ...reading }
    expect(countQuestion('A*01:01', { of: 'categories', ...given })).toStrictEqual({
      operation: 'cwd',
      input: { gl_string: 'A*01:01', category: true, catalogue: 'ciwd3', ...reading },
    })
    expect(countQuestion('A*01:01', { of: 'alleles', ...given })).toStrictEqual({
      operation: 'redux',
      input: {
        gl_string: 'A*01:01',
        copies: true,
        reduction_method: 'G',
        options: { strict: false },
        ...reading,
      },
    })
    expect(countQuestion('A*01:01', { lift: undefined })).toStrictEqual({
      operation: 'redux',
      input: { gl_string: 'A*01:01', copies: true },
    })
  })

  test('reads expressed names and nulls apart', () => {
    const copy = { names: 'A*24:02/A*24:09N', expressed: 'A*24:02', nulls: 'A*24:09:01N' }
    const losses = ['A*24:09:01N', 'A*24:02:01:02L', 'A*24:11N'].map((name) => ({ name }))
    expect(readPossibilities('alleles', { copies: [[copy]] })).toEqual({
      names: ['A*24:02', 'A*24:09N'],
      nulls: [],
    })
    const notes = [
      { code: 'a', message: 'no loss' },
      { code: 'b', message: 'losses', losses },
    ]
    expect(readPossibilities('alleles', { copies: [[copy]], notes }).nulls).toEqual(['A*24:09N', 'A*24:11N'])
    const silent = { names: 'A*24:09:01N/A*24:11N', expressed: '', nulls: 'A*24:09:01N/A*24:11N' }
    expect(readPossibilities('alleles', { copies: [[silent]] })).toEqual({
      names: [],
      nulls: ['A*24:09N', 'A*24:11N'],
    })
  })

  test('reads categories, unless a name is of none', () => {
    const names = [{ category: 'C' }, { category: 'WD' }]
    const note = { code: 'dated-code', message: 'a date' } as const
    expect(readPossibilities('categories', { names, notes: [note] })).toEqual({
      names: ['C', 'WD'],
      nulls: [],
    })
    for (const code of ['unknown-allele', 'starter'] as const)
      expect(() =>
        readPossibilities('categories', { names, notes: [note, { code, message: 'not listed' }] }),
      ).toThrow(expect.objectContaining({ code, message: 'not listed' }))
  })
})

test('a problem has its place and suggestions, and the cause of an unknown name is short', () => {
  const offending = `A*01:${'1'.repeat(100)}`
  const error = new HlaError('unknown-allele', 'no', {
    offending,
    position: [2, 9],
    suggestions: ['A*01:01'],
    hint: 'use it',
  })
  const record = {
    code: 'unknown-allele',
    message: 'no',
    offending,
    position: [2, 9],
    suggestions: ['A*01:01'],
  }
  expect(problemRecord(error)).toStrictEqual({ ...record, hint: 'use it' })
  const bare = { code: 'no-mac', message: 'no', offending: '', position: [0, 0], suggestions: [] }
  expect(problemRecord(new HlaError('no-mac', 'no'))).toStrictEqual(bare)
  expect(formatCause(error)).toBe(`${offending.slice(0, 60)} is not a valid Allele`)
  expect(formatCause(new HlaError('no-mac', 'no such MAC'))).toBe('no such MAC')
})

describe('the text of an explanation', () => {
  const step = (leaf: string, number: number, title = 'rule'): StepRecord => ({
    leaf,
    step: number,
    title,
    text: `text ${number}`,
  })
  const text = (steps: readonly StepRecord[], more: object = {}) =>
    explanationText({
      gl_string: 'A',
      reduction_method: 'lgx',
      ard: 'B',
      release: '3.58.0',
      steps,
      other: {},
      ...more,
    })

  test('has the steps of each name below it', () => {
    expect(text([step('A', 1, 'read as'), step('A', 2)])).toBe(
      'A -> B   (lgx, IPD-IMGT/HLA 3.58.0)\n  1 read as  text 1\n  2 rule     text 2',
    )
    const steps = [step('A', 1, 'form'), step('A', 2), step('B', 1), step('A+B', 1), step('A/B', 1, 'lift')]
    expect(text(steps, { dataset: 'starter' })).toBe(
      [
        'A -> B   (lgx, built-in starter set of 3.58.0)',
        '  A',
        '    1 form     text 1',
        '    2 rule     text 2',
        '  B',
        '    1 rule     text 1',
        '  put together',
        '    1 rule     text 1',
        '  names of another release',
        '    1 lift     text 1',
      ].join('\n'),
    )
  })

  test('aligns the numbers of ten steps', () => {
    const lines = text(Array.from({ length: 10 }, (_, at) => step('A', at + 1))).split('\n')
    expect([lines[1], lines[10]]).toEqual(['   1 rule     text 1', '  10 rule     text 10'])
  })

  test('shows 240 characters of an answer at most, of whole names', () => {
    const names = Array.from({ length: 31 }, (_, at) => `A*01:${at + 10}`)
    const [all, some] = [names.join('/'), names.slice(0, 30).join('/')]
    expect(some.length).toBe(239)
    for (const ard of [some, `${some}0`])
      expect(text([], { ard })).toBe(`A -> ${ard}   (lgx, IPD-IMGT/HLA 3.58.0)`)
    for (const operator of ['/', '+', '^', '|', '~', '?'])
      expect(text([], { ard: all.replaceAll('/', operator) })).toBe(
        `A -> ${some.replaceAll('/', operator)}${operator}… (31 names)   (lgx, IPD-IMGT/HLA 3.58.0)`,
      )
    expect(text([], { ard: `${some}+A*02:01` })).toBe(
      `A -> ${some}+… (31 names)   (lgx, IPD-IMGT/HLA 3.58.0)`,
    )
  })

  test('shows other levels but those that add nothing, and long lists as their number', () => {
    const list = Array.from({ length: 6 }, (_, at) => `A*01:${at + 10}`).join('/')
    expect(list.length).toBe(47)
    const other = {
      G: 'A*01:01:01G',
      P: `${list}0`,
      W: `${list}00`,
      exon: 'A*01:01:01',
      U2: 'A*01:01',
      S: undefined,
      hats: 'A1',
    }
    const [, line] = text([], { other }).split('\n')
    expect(line).toBe(`  other levels: G A*01:01:01G  P ${list}0  W (6 names)  hats A1`)
    expect(text([], { other: { exon: 'A*01:01:01' } })).not.toContain('other levels')
  })
})
