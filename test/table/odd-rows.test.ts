/** Rows that are not persons: a repeated header, another table's header, totals; and persons with two rows. */
import { describe, expect, test } from 'vitest'
import { convertRecords } from '../support/record-tables.ts'
import { planText } from '../support/convention-tables.ts'

async function notes(text: string): Promise<unknown> {
  const plan = await planText(text)
  return plan instanceof Error ? plan.message : plan.rowNotes.map(({ code, message }) => [code, message])
}

const AGAIN = 'repeats the header: it is kept, and not counted as a person'
const TWO = 'which are read as two persons; put typings of one person in one row (A_1, A_2)'

describe('rows of the sample', () => {
  test.for([
    // another table below the first
    [
      'id,A_1,A_2\n1,01:01,24:02\n\nid,B_1,B_2\n1,07:02,08:01\n',
      'line 4 of t.csv looks like the header of another table (id, B_1, B_2)',
    ],
    [
      'id,HLA-A\n1,A*01:01+A*24:02\nid,HLA-B\n1,B*07:02\n',
      'line 3 of t.csv looks like the header of another table (id, HLA-B)',
    ],
    // pages of the same table
    ['id,A_1,A_2\n1,01:01,24:02\nid,A_1,A_2\n2,01:01,24:02\n', [['repeated-header', `line 3 ${AGAIN}`]]],
    [
      'id,A_1,A_2\n1,01:01,24:02\nid,A_1,A_2\nid,A_1,A_2\n',
      [['repeated-header', 'lines 3, 4 repeat the header: they are kept, and not counted as persons']],
    ],
    // the header may look like antigens, start with a byte order mark, or use other quotes
    ['id,A1,A2\n1,01:01,24:02\nid,A1,A2\n', [['repeated-header', `line 3 ${AGAIN}`]]],
    ['id,A1,A2\nid,A1,A2\n1,01:01,24:02\n', [['repeated-header', `line 2 ${AGAIN}`]]],
    ['id,A1,A2\n1,01:01,24:02\n\ufeff"id",A1, A2\n', [['repeated-header', `line 3 ${AGAIN}`]]],
    [
      'ID,HLA-A,\n,1,2\n1,01:01,24:02\nID,HLA-A,\n,1,2\n2,01:01,24:02\n',
      [['repeated-header', 'lines 4, 5 repeat the header: they are kept, and not counted as persons']],
    ],
    // a person may have A1 and A2
    ['A1,A2\nA1,A24\nA1,A2\n', []],
    // another table without an empty line before it
    [
      'id,A1,A2\n1,01:01,24:02\nid,C1,C2\n1,03:03,07:02\n',
      'line 3 of t.csv looks like the header of another table (id, C1, C2)',
    ],
    [
      'Prüfling,A1,A2\n1,01:01,24:02\nPrüfling,B1,B2\n1,07:02,08:01\n',
      'line 3 of t.csv looks like the header of another table (Prüfling, B1, B2)',
    ],
    // a single cell in a wrong column does not make a header
    ['id,A_1,A_2\n1,01:01,24:02\n2,B_1,\n', []],
    // totals
    [
      'id,A1,A2\n1,1,24\n2,3,24\nTotal,2,2\n',
      [['sum-rows', 'line 4 (Total) looks like a totals row; its numbers are read as typings']],
    ],
    [
      'id;A1;A2\n1;1;24\nInsgesamt:;2;2\n',
      [['sum-rows', 'line 3 (Insgesamt:) looks like a totals row; its numbers are read as typings']],
    ],
    [
      'id,A1,A2\n1,1,24\n  Total : ,2,2\n',
      [['sum-rows', 'line 3 (Total :) looks like a totals row; its numbers are read as typings']],
    ],
    // the longest accepted spelling of the word
    [
      'id,A1,A2\n1,1,24\n            TOTAL   ,2,2\n',
      [['sum-rows', 'line 3 (TOTAL) looks like a totals row; its numbers are read as typings']],
    ],
    ['id,A1,A2\n1,1,24\n            TOTAL    ,2,2\n', []],
    ['id,A_1,A_2\n1,01:01,24:02\nTotal,,\n', []],
    // a person in two rows
    [
      'person,A,B\nm,01:01,07:02\nm,24:02,08:01\nf,03:01,44:02\nf,02:01,51:01\n',
      [['two-rows', `each person has two rows, ${TWO}`]],
    ],
    [
      'id,A,B\n1,01:01,07:02\n,24:02,08:01\n2,03:01,44:02\n,02:01,51:01\n',
      [['two-rows', `each id has two rows, ${TWO}`]],
    ],
    [
      'id,A,B\n1,01:01,07:02\n1 ,24:02,08:01\n2,03:01,44:02\n  ,02:01,51:01\n',
      [['two-rows', `each id has two rows, ${TWO}`]],
    ],
    ['id,A_1,A_2\n1,01:01,24:02\n1,01:01,24:02\n2,01:01,24:02\n2,01:01,24:02\n', []],
    ['id,A\n1,A*01:01+A*24:02\n1,A*01:01+A*24:02\n2,A*01:01+A*24:02\n2,A*01:01+A*24:02\n', []],
    ['id,A,B\n1,01:01,07:02\n2,24:02,08:01\n3,03:01,44:02\n4,02:01,51:01\n', []],
    // columns separated only by spaces
    [
      'id   A_1    A_2\n1    01:01  24:02\n',
      'the columns of t.csv are separated by several spaces, and were not recognised',
    ],
  ] as const)('%j', async ([text, expected]) => {
    expect(await notes(text)).toEqual(expected)
  })

  test.for([
    ['id|A_1|A_2\n1|01:01|24:02\n2|03:01|24:02\n', ['A']],
    ['Sample ID|HLA-A 1|HLA-A 2\nS 1|01:01|24:02\n', ['A']],
    // in a GL String the pipe separates genotypes
    ['gl\nA*01:01+A*02:01|A*01:02+A*02:02\nA*01:01+A*02:01|A*01:02+A*02:02\n', [undefined]],
  ] as const)('%j: is the pipe a delimiter?', async ([text, loci]) => {
    const plan = await planText(text)
    if (plan instanceof Error) throw plan
    expect(plan.groups.map(({ locus }) => locus)).toEqual(loci)
  })
})

describe('an open quote that takes in the lines below it', () => {
  test.for([
    ['id,note,A_1,A_2\nP,"open,01:01,02:01\nQ,x",03:01\nR,y,03:01,24:02\n', {}],
    ['id,note,A_1,A_2\nP,"open,01:01,02:01\nQ,x",03:01\nR,y,03:01,24:02\n', { ragged: 'pad' }],
    ['id,note,A_1,A_2\nP,"open,01:01,02:01\nQ,x,03:01,24:02\nR,"y",03:01,24:02\n', {}],
  ] as const)(
    '%j: only the advice to read quotes as text is given, and it reads the lines',
    async ([text, more]) => {
      const { failures } = await convertRecords({ 't.csv': text }, more)
      expect(failures).not.toEqual([])
      for (const failure of failures) expect(failure).toContain('; --quote none treats all quotes as text')
      expect(failures.join()).not.toMatch(/ragged pad|quote lazy/)
      const { output } = await convertRecords({ 't.csv': text }, { ...more, quote: 'none' })
      expect(output).toContain('\nP,"open,01:01,A*01:01,02:01,A*02:01\n')
    },
  )
})
