/**
 * Advice works when typed: each option that a refusal, a plan or an error advises is applied from its data, and has the
 * promised effect.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Advice, adviceSteps, type OptionAdvice } from '../src/advice.ts'
import { type HlaError, isHlaError } from '../src/errors.ts'
import { localExecutor } from '../src/operations/executor.ts'
import { makeKnowledge } from '../src/operations/knowledge.ts'
import { missingOption, collectWords } from '../src/table/plan/recognition/table-notes.ts'
import { undecidedDigits } from '../src/table/plan/open-table.ts'
import type { TablePlan } from '../src/table/plan/plan.ts'
import type { RawTableOptions } from '../src/options/table-options.ts'
import { realMacs, realRelease } from './support/releases.ts'
import { openBytes } from './support/convention-tables.ts'
import { hasShared } from './support/shared.ts'

/** Plan options that take a list of strings. */
const LISTS = new Set(['locus', 'missing', 'subject', 'tableLoci'])
const NUMBERS = new Set(['headerRow'])

function isOption(step: object): step is OptionAdvice {
  return 'option' in step
}

/** The options after a user follows the advice. */
function typed(steps: readonly OptionAdvice[], before: RawTableOptions = {}): RawTableOptions {
  const options: Record<string, unknown> = { ...before }
  for (const { option, value } of steps) {
    const member = option.replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())
    const own = options[member]
    if (LISTS.has(member)) {
      const list = member === 'locus' ? [value] : (value ?? '').split(',')
      options[member] = [...(Array.isArray(own) ? own : []), ...list]
    } else if (NUMBERS.has(member)) options[member] = Number(value)
    else options[member] = typeof own === 'string' ? `${own},${value}` : (value ?? true)
  }
  return options
}

function typeable(advice: Advice | undefined): readonly OptionAdvice[] {
  return adviceSteps(advice)
    .filter(isOption)
    .filter(({ value }) => value !== undefined)
}

async function planOf(text: string, options: RawTableOptions): Promise<TablePlan | HlaError> {
  const opened = await openBytes('t.csv', Buffer.from(text), options)
  if (!(opened instanceof Error))
    return undecidedDigits(opened.plan, { digits: options.bareDigits ?? 'auto' }) ?? opened.plan
  if (isHlaError(opened)) return opened
  throw opened
}

/** Labels of the columns that are read. */
function readIn({ groups, header }: TablePlan): string[] {
  return groups.flatMap(({ columns }) => columns.map((at) => header.labels[at] ?? ''))
}

describe('a table that is refused is read by what its refusal says', () => {
  test.for([
    ['two columns of results', 'id,A_1_lgx\n1,A*01:01\n2,A*02:01\n'],
    [
      'two people of one name each',
      'id,A_1,A_2,A_1,A_2\n1,01:01,02:01,03:01,24:02\n2,01:01,02:01,03:01,24:02\n',
    ],
    ['half of a pair', 'id,A_1,A_2\n1,01:01,02:01\n', { locus: ['A=A_1'] }],
    [
      'titles above the header',
      'Typings of May\nlab 3\n\nid,A_1,A_2,B_1,B_2\n1,01:01,02:01,07:02,08:01\n2,01:01,03:01,07:02,08:01\n',
    ],
    ['digits alone', 'id,A_1,A_2\n1,0101,203\n2,0201,ND\n3,,2402\n'],
  ] as const)('%s', async ([, text, before = {}]) => {
    const refused = await planOf(text, before)
    expect(refused).toBeInstanceOf(Error)
    if (!(refused instanceof Error)) return
    const steps = typeable(refused.hint)
    expect(steps.length).toBeGreaterThan(0)
    // advice on are a pair of one locus or on digits offers alternatives; on persons, every step is needed
    const isChoice = refused.message.includes('are a pair of one locus') || refused.message.includes('digits')
    const tries = isChoice ? steps.map((step) => [step]) : [steps]
    for (const some of tries) {
      const isSame = (given: string) => some.some(({ option }) => option === given)
      const plan = await planOf(text, isSame('locus') ? typed(some) : typed(some, before))
      expect(plan).not.toBeInstanceOf(Error)
      if (!(plan instanceof Error)) expect(readIn(plan)).not.toEqual([])
    }
  })

  test.for([
    ['a lone line of names below words', 'note\nA,B\nsee below\nnothing\n'],
    ['two words', 'x,y\nA_1;B_1\nz,w\n'],
  ] as const)('no line is called the header that gives no typings: %s', async ([, text]) => {
    const refused = await planOf(text, {})
    expect(refused instanceof Error ? refused.message : 'read').not.toContain('looks like the header')
  })
})

describe('what a plan does not read is read, or left out, as it says', () => {
  test.for([
    'id,A_1,A_2,x\n1,01:01,02:01,A*01:01\n2,01:01,03:01,A*02:01\n',
    'id,A_1,A_2,gl\n1,01:01,02:01,B*07:02+B*08:01^C*07:01+C*07:02\n2,01:01,02:01,B*07:02+B*08:01^C*07:01+C*07:02\n',
    'id,A_1,A_2,A_M\n1,01:01,02:01,01:01\n2,01:01,03:01,02:01\n',
    'id,A_P,A_M\n1,01:01,02:01\n2,01:01,03:01\n',
    'id,A_M,B_1,B_2\n1,01:01,07:02,08:01\n2,02:01,07:02,08:01\n',
    'id,A_P,A_M,B_1,B_2\n1,01:01,02:01,07:02,08:01\n2,01:01,02:01,07:02,08:01\n',
    'id,A.1,A.2,A.3\n1,01:01,02:01,03:01\n2,01:01,02:01,03:01\n',
    'id,A_1,A_2,DRB345_1,DRB345_2\n1,01:01,02:01,DRB3*01:01,DRB4*01:03\n',
    'id,A_1_donor,A_2_donor,A_1,A_2\n1,01:01,02:01,03:01,24:02\n2,01:01,02:01,03:01,24:02\n',
    'id,A_1,A_2,HFE_1,HFE_2\n1,01:01,02:01,01:01,02:01\n',
  ])('%s', async (text) => {
    const plan = await planOf(text, {})
    const unread = plan instanceof Error ? [] : plan.unread
    const steps = plan instanceof Error ? typeable(plan.hint) : []
    if (plan instanceof Error) {
      const again = await planOf(text, typed(steps))
      expect(again).not.toBeInstanceOf(Error)
    }
    for (const { columns, option } of unread) {
      if (typeof option === 'string' || option.value === undefined || plan instanceof Error) continue
      const again = await planOf(text, typed([option]))
      expect(again).not.toBeInstanceOf(Error)
      if (again instanceof Error) continue
      const labels = columns.map((at) => plan.header.labels[at] ?? '')
      const left = again.unread.flatMap((one) => one.columns.map((at) => again.header.labels[at] ?? ''))
      expect(left.filter((label) => labels.includes(label))).toEqual([])
      if (option.option !== 'exclude') expect(readIn(again)).toEqual(expect.arrayContaining(labels))
    }
  })

  test('words that are no typings are passed through by the option that is named', async () => {
    const text = 'id,A_1,A_2\n1,01:01,low dna\n2,pending,02:01\n3,01:01,02:01\n4,01:01,02:01\n'
    const plan = await planOf(text, {})
    if (plan instanceof Error) throw plan
    const words = collectWords(plan.groups)
    expect(words.map(([word]) => word).toSorted()).toEqual(['low dna', 'pending'])
    const again = await planOf(text, typed(typeable(missingOption(words))))
    if (again instanceof Error) throw again
    expect(collectWords(again.groups)).toEqual([])
  })
})

describe.skipIf(!hasShared)('a typing that is refused is read with what its error says', () => {
  let executor: ReturnType<typeof localExecutor>
  beforeAll(() => {
    executor = localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))
  })

  test.for([
    'A*01:01 ',
    'A* 01:01',
    'A *01:01',
    'foo bar',
    'low dna',
    'Cw*0102',
    'a*01:01',
    'hLa*01:01',
    'A*01:01g',
    'A*24:329',
    'A*1:01',
    'A*0101',
    'A*01:01+02:01',
    'A*02:01/02:02',
    'MICA*2:01',
    'DRB1*NNNN',
  ])('%j', (text) => {
    const refused = answer(text, {})
    const [accept] = typeable(refused?.hint).filter(({ option }) => option === 'accept')
    const [suffix] = typeable(refused?.hint).filter(({ option }) => option === 'ignore-suffix')
    const given = {
      ...(accept?.value === undefined ? {} : { accept: accept.value.split(',') }),
      ...(suffix?.value === undefined ? {} : { options: { ignoredSuffixes: suffix.value.split(',') } }),
    }
    // ineffective options are not advised
    expect(Object.keys(given).length === 0 || answer(text, given) === undefined).toBe(true)
    if (['foo bar', 'low dna'].includes(text)) expect(given).toEqual({})
  })

  function answer(text: string, more: object): HlaError | undefined {
    try {
      executor.execute('redux', { gl_string: text, ...more })
      return undefined
    } catch (error) {
      if (isHlaError(error)) return error
      throw error
    }
  }
})
