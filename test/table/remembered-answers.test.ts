/** What a comparison of tables remembers: each cell and each statement is read once, until too many are kept. */
import { describe, expect, test } from 'vitest'
import { type Reductions, newReductions } from '../../src/table/answers/reductions.ts'
import { ABSENT, UNKNOWN, faultStatement, newStatements } from '../../src/table/answers/statements.ts'
import { rememberCells } from '../../src/table/run/read-rows.ts'
import { HlaError } from '../../src/errors.ts'

const MAX_KEPT = 32 * 1024 * 1024

function remembered(text = 'A*01:01') {
  const statements = newStatements()
  const asked: unknown[] = []
  const copies = [[{ names: 'A*01:01', expressed: 'A*01:01', nulls: '' }]]
  const executor = {
    execute(operation: string, input: unknown) {
      asked.push([operation, input])
      return { ard: text, copies }
    },
  }
  const request = { statements: () => statements, input: { method: 'G' }, release: '3.58.0', names: new Map<string, number>() } // prettier-ignore
  const reductions = newReductions(request)
  return { statements, asked, reductions, get: (id: number) => reductions.get(id, executor) }
}

const typing = (glString: string, release?: string) => ({ kind: 'typing', glString, release }) as const
const idsAsked = (reductions: Reductions, ids: readonly number[]) =>
  reductions.questions(ids).map(({ input }) => (input as { readonly gl_string: string }).gl_string)

describe('statements', () => {
  test('are asked about once, and only those that say a typing', () => {
    const { statements, asked, reductions, get } = remembered()
    const [one, two] = [statements.add(typing('A*01:01')), statements.add(typing('A*02:01'))]
    const fault = statements.add(faultStatement('x', new HlaError('bad-syntax', 'no name')))
    expect(idsAsked(reductions, [one, two, one, fault, ABSENT, UNKNOWN])).toEqual(['A*01:01', 'A*02:01'])
    expect(get(one)).toMatchObject({ kind: 'typing', text: 'A*01:01' })
    expect(get(one)).toBe(get(one))
    expect(idsAsked(reductions, [one, two])).toEqual(['A*02:01'])
    expect(get(fault)).toMatchObject({ kind: 'fault', error: { message: 'no name' } })
    expect(asked).toEqual([['redux', { method: 'G', gl_string: 'A*01:01', copies: true }]])
  })

  test('of a code are asked about in its release', () => {
    const { statements, reductions } = remembered()
    const ids = ['3.58.0', '3.25.0'].map((release) => statements.add(typing('A*01:01', release)))
    expect(reductions.questions(ids).map(({ input }) => input)).toEqual([
      { method: 'G', gl_string: 'A*01:01', copies: true },
      { method: 'G', gl_string: 'A*01:01', copies: true, from: '3.25.0' },
    ])
  })

  test('are forgotten where the numbers have changed, or too many characters are kept', () => {
    const { statements, asked, reductions, get } = remembered('x'.repeat(MAX_KEPT / 2))
    const [one, two] = [statements.add(typing('A*01:01')), statements.add(typing('A*02:01'))]
    const count = (isChanged: boolean, ids: readonly number[]) => {
      reductions.forget(isChanged)
      asked.length = 0
      for (const id of ids) get(id)
      return asked.length
    }
    expect(count(false, [one])).toBe(1)
    expect(count(false, [one])).toBe(0)
    expect(count(true, [one])).toBe(1)
    expect(count(false, [one, two])).toBe(1)
    // both are as long as all that may be kept
    expect(count(false, [one])).toBe(1)
    expect(count(false, [one])).toBe(0)
  })

  test('have the same number until another text', () => {
    const statements = newStatements()
    const id = statements.add(typing('A*01:01'))
    expect(statements.add(typing('A*01:01'))).toBe(id)
    expect(statements.characters()).toBe(7)
    expect(statements.add(typing('A*01:01', '3.25.0'))).toBe(id + 1)
    expect(statements.get(id + 1)).toEqual(typing('A*01:01', '3.25.0'))
    expect(() => statements.get(id + 2)).toThrow(`there is no statement ${id + 2}`)
  })
})

test('a cell is read once by each of its contexts, up to 200,000 cells', () => {
  const reads: string[] = []
  type Cell = Parameters<ReturnType<typeof rememberCells>['of']>[0]
  const cells = rememberCells(({ value }: Cell) => reads.push(value))
  const cell = (value: string, contextKey = 'a') => ({ value, group: { contextKey } }) as Cell
  const first = cells.of(cell('0'))
  expect(cells.of(cell('0'))).toBe(first)
  expect(cells.of(cell('0', 'b'))).toBe(first + 1)
  for (let at = 2; at < 200_000; at += 1) cells.of(cell(String(at)))
  expect([cells.of(cell('0')), reads.length]).toEqual([first, 200_000])
  cells.of(cell('more'))
  expect([cells.of(cell('more')), reads.length]).toEqual([200_001, 200_001])
  expect(cells.of(cell('0'))).toBe(200_002)
  cells.forget()
  expect(cells.of(cell('0'))).toBe(200_003)
})
