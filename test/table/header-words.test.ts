/** The table of header words is complete: each word is read as its row says, and each kind of row is used. */
import { describe, expect, test } from 'vitest'
import { findLongColumns } from '../../src/table/sources/long-columns.ts'
import { findIdColumn, isIdName, makeHeader } from '../../src/table/plan/header.ts'
import {
  HEADER_WORDS,
  type HeaderWords,
  type WordKind,
  listWords,
} from '../../src/table/words/header-words.ts'
import { readLocusHeader } from '../../src/table/words/locus-header.ts'
import { areClockTimes } from '../../src/table/words/typing-shape.ts'
import { planText } from '../support/convention-tables.ts'

const spelled = (word: string, sign = ' ') => word.replaceAll('_', sign)

/** Locus and slot of the most certain reading. */
function read(name: string): string {
  const [found] = readLocusHeader(name)
  return found === undefined ? 'none' : `${found.subject}${found.locus} ${found.slot ?? ''}`
}

/** Columns of a long table, one typing a row: sample, locus, alleles, slot. */
function longColumns(names: readonly string[], rows: readonly (readonly string[])[]): unknown[] {
  const header = makeHeader('t', names, names.length)
  const isLocus = (name: string) => listWords('locus').includes(name)
  const found = findLongColumns({ header, rows, request: {}, isLocus, isTyping: () => true }, false)
  return [found?.sample, found?.locus, found?.alleles, found?.slot]
}

const ROWS = [
  ['S1', 'A', '01:01', '1'],
  ['S1', 'A', '02:01', '2'],
  ['S2', 'A', '01:01', '1'],
  ['S2', 'A', '24:02', '2'],
]

/** The effect of a word, which is the same for every word of a row. */
const USES: Record<WordKind, (word: string, row: HeaderWords) => unknown> = {
  locus: (word) => [read(word), read(`${word}_1`), read(`HLA-${word}_2`), read(`donor_${word}_1`)],
  slot: (word) => [read(`DRB1_${word}`), read(`A ${word}`), readLocusHeader(`A_${word}`)[0]?.style],
  typing: (word) => [read(`A ${word} 1`), read(`DRB1_${word}2`)],
  person: (word, { meaning }) =>
    meaning === 'long' ? longColumns([word, 'locus', 'allele', 'no'], ROWS) : isIdName(word),
  identifier: (word) => isIdName(`sample_${word}`),
  group: (word) => ['', ' ', '_'].map((sign) => findIdColumn([0, 1], makeHeader('t', [spelled(word, sign), 'x'], 2), () => ['1', '1'])), // prettier-ignore
  column: (word, { meaning }) => {
    if (meaning === 'time') return areClockTimes(word, ['10:30', '11:15'])
    if (meaning === 'of_two') return longColumns(['sample', 'locus', `${word}1`, `${word}_2`], ROWS.map((row) => [...row.slice(0, 3), '02:01'])) // prettier-ignore
    // another column contains typings too, so the name decides
    const own = ['sample', 'locus', 'x', 'y']
    own[['locus', 'allele', 'slot'].indexOf(meaning) + 1] = word
    return meaning === 'locus'
      ? longColumns(own, ROWS.map(([sample = '', ...rest]) => [sample, ...rest])) // prettier-ignore
      : longColumns(own, ROWS)
  },
  row: (word) => word.length > 0,
}

const YES = [true]
/** Results by kind and meaning, where they differ from the meaning. */
const EXPECTED: Readonly<Record<string, readonly unknown[]>> = {
  person: YES,
  identifier: YES,
  group: [[1, 1, 1]],
  row: YES,
  'column time': YES,
  'column of_two': [[0, 1, [2, 3], undefined]],
  'person long': [[0, 1, [2], undefined]],
  'column locus': [[0, 1, [2], undefined]],
  'column allele': [[0, 1, [2], undefined]],
  'column slot': [[0, 1, [2], 3]],
  typing: [['A 1', 'DRB1 2']],
}

function expectedOf({ kind, meaning, words }: HeaderWords): readonly unknown[] {
  if (kind === 'locus') return [[`${meaning} `, `${meaning} 1`, `${meaning} 2`, `donor${meaning} 1`]]
  return EXPECTED[`${kind} ${meaning}`] ?? EXPECTED[kind] ?? words
}

describe('each word', () => {
  const rows = HEADER_WORDS.filter(({ kind }) => kind !== 'slot')
  test.for(rows.map((row) => [`${row.kind} ${row.meaning}: ${row.words.join(' ')}`, row] as const))('%s', ([, row]) => {
    const uses = row.words.map((word) => USES[row.kind](word, row))
    expect(uses).toEqual(row.words.map(() => expectedOf(row)[0]))
  }) // prettier-ignore

  const slots = HEADER_WORDS.filter(({ kind }) => kind === 'slot')
  test.for(slots.map((row) => [`${row.kind} ${row.meaning}: ${row.words.join(' ')}`, row] as const))(
    '%s: the first and the second typing in turn, of one style',
    ([, { words, meaning }]) => {
      for (const [at, word] of words.entries()) {
        expect([read(`DRB1_${word}`), read(`A ${word}`)]).toEqual([
          `DRB1 ${1 + (at % 2)}`,
          `A ${1 + (at % 2)}`,
        ])
        expect(readLocusHeader(`DRB1_${word}`)[0]?.style).toBe(`4_${meaning}`)
      }
    },
  )

  test.for(listWords('row', 'sum'))('a row of %s is a sum', async (word) => {
    const plan = await planText(`id,A_1,A_2\n1,1,2\n2,24,3\n${spelled(word)},25,5\n`, { delimiter: ',' })
    expect(plan instanceof Error ? plan : plan.rowNotes.map(({ code }) => code)).toEqual(['sum-rows'])
  })

  test('has the address of a file', () => {
    const addresses = HEADER_WORDS.map(({ address }) => new URL(address))
    expect(
      addresses.filter(({ protocol, hostname }) => protocol !== 'https:' || !hostname.includes('.')),
    ).toEqual([])
    expect(
      HEADER_WORDS.filter(({ words }) => words.length === 0 || words.some((word) => word.includes('/'))),
    ).toEqual([])
  })

  test('stands once among those of its kind', () => {
    for (const kind of new Set(HEADER_WORDS.map((row) => row.kind))) {
      const rows = HEADER_WORDS.filter((row) => row.kind === kind)
      for (const meaning of new Set(rows.map((row) => row.meaning))) {
        const own = rows.filter((row) => row.meaning === meaning && kind !== 'slot')
        const words = own.flatMap((row) => row.words)
        expect(words).toEqual([...new Set(words)])
      }
    }
  })
})

test.for([
  ['_id', true],
  ['Sample ID', true],
  ['SAMPLE.NO', true],
  ['donor - code', true],
  ['sample', true],
  ['1_id', false],
  ['id_A', false],
  ['no1', false],
] as const)('%s names persons: %s', ([name, isId]) => {
  expect(isIdName(name)).toBe(isId)
})
