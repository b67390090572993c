/**
 * Warnings on rows that are unlikely to be of one person: against a second implementation, on both conversion paths,
 * and switched off.
 */
import { describe, expect, test } from 'vitest'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { convertTable } from '../support/random-tables.ts'
import { DRB1, expectedCodes, OTHERS } from '../support/independent/plausibility.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { convertRecords } from '../support/record-tables.ts'
import { realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

const HEAD = 'id,DRB1_1,DRB1_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2,DRB5_1,DRB5_2'

interface Row {
  readonly line: string
  readonly expected: readonly string[]
}

function randomRows(count: number): readonly Row[] {
  const random = randomNumbers(4646)
  const any = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const drb1 = random() < 0.1 ? [any(DRB1)] : [any(DRB1), any(DRB1)]
    const typed = Object.values(OTHERS).map((names) =>
      Array.from({ length: Math.floor(random() * 3) }, () => any(names)),
    )
    // some names in the old spelling, and some with the gene
    const shown = (name: string) =>
      random() < 0.1 ? name : random() < 0.1 ? name.replace(':', '') : name.slice(5)
    const cells = [drb1, ...typed].flatMap(([first = '', second = '']) => [shown(first), shown(second)])
    return { line: `P${at},${cells.join(',')}`, expected: expectedCodes(drb1, typed.filter((copies) => copies.length > 0)) } // prettier-ignore
  })
}

describe.skipIf(!hasShared)('rows of a table', () => {
  test('of 10,000 persons are as a second implementation has them', async () => {
    const rows = randomRows(10_000)
    const table = [HEAD, ...rows.map(({ line }) => line), ''].join('\n')
    const { output, record, failures } = await convertRecords(
      { 't.csv': table },
      { isValidated: true, details: true, release: realRelease('3580') },
    )
    expect(failures).toEqual([])
    const [, ...lines] = output.trimEnd().split('\n')
    const found = lines.map((line) => line.match(/drb1-mismatch|three-copies/g)?.sort().join(' ') ?? '') // prettier-ignore
    const others = rows.filter(({ expected }, at) => found[at] !== expected.join(' '))
    expect(others.map(({ line }) => line)).toEqual([])
    const count = (code: string) =>
      rows.flatMap(({ expected }) => expected).filter((one) => one === code).length
    expect(record?.notes).toMatchObject({ 'drb1-mismatch': count('drb1-mismatch'), 'three-copies': count('three-copies') }) // prettier-ignore
    expect(record?.status['error']).toBe(0)
  })
})

const MISFIT =
  'id,DRB1_1,DRB1_2,DRB4_1\n1,03:01,15:01,01:03\n2,03:01,04:01,01:03\n3,03:01,,01:03\n4,99:99,03:01,01:03\n'

describe('validate of a table', () => {
  test.for([
    [MISFIT, {}, { 'drb1-mismatch': 1 }],
    [MISFIT, { no_plausibility: true }, {}],
    [MISFIT, { level: 'grammar' }, {}],
    // two persons in a row, each with their own genes
    [
      'id,PAT_DRB1_1,PAT_DRB1_2,DON_DRB1_1,DON_DRB1_2,PAT_DRB4,DON_DRB4\n1,03:01,15:01,04:01,04:01,01:03,01:03\n',
      {},
      { 'drb1-mismatch': 1 },
    ],
    // both genes in one column
    [
      'id,DRB1_1,DRB1_2,DRB345_1,DRB345_2\n1,03:01,15:01,DRB3*01:01,DRB4*01:03\n2,03:01,15:01,DRB3*01:01,\n',
      {},
      { 'drb1-mismatch': 1 },
    ],
    // without DRB1
    ['id,DRB3_1,DRB3_2,DRB4_1\n1,01:01,02:171,01:03\n2,01:01,01:01,01:03\n', {}, { 'three-copies': 1 }],
    // in one cell
    ['id,DRB1,DRB4\n1,03:01+15:01,01:03\n', {}, { 'drb1-mismatch': 1 }],
    ['id,gl\n1,DRB1*03:01+DRB1*15:01^DRB4*01:03\n', {}, { 'drb1-mismatch': 1 }],
  ] as const)('%j with %j: %j', async ([table, more, notes]) => {
    const { record } = await convertRecords({ 't.csv': table }, { isValidated: true, more })
    const { 'drb1-mismatch': unfit, 'three-copies': three } = record?.notes ?? {}
    expect(JSON.parse(JSON.stringify({ 'drb1-mismatch': unfit, 'three-copies': three }))).toEqual(notes)
  })

  test('the warning stands at the gene, with its reason; it is no failure', async () => {
    const { output, record } = await convertRecords({ 't.csv': MISFIT }, { isValidated: true, details: true })
    expect(output.split('\n')[1]).toBe(
      '1,03:01,valid,,,,15:01,valid,,,,01:03,valid,drb1-mismatch,"DRB1*03 carries DRB3, DRB1*15 carries DRB5: neither chromosome carries DRB4",',
    )
    expect(record?.codes).toEqual({ 'unknown-allele': 1 })
  })

  test('a reduction does not look', async () => {
    const { record } = await convertRecords({ 't.csv': MISFIT })
    expect(record?.notes).toEqual({})
  })

  // a message with a comma, written by the fast path
  test('a message is quoted', async () => {
    const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
    const body = 'D1,A*01:01:01:01+A*01:01:01:01+A*01:01:01:01\n'
    const table = { head: 'id,gl\n', body, delimiter: ',', cuts: [], reading: { choice: { gl: 'gl' } }, writing: {}, operation: 'validate', inputs: [{}], details: true } as const // prettier-ignore
    const { output } = await convertTable(table, knowledge, true)
    expect(output.split('\n')[1]).toBe(
      'D1,A*01:01:01:01+A*01:01:01:01+A*01:01:01:01,valid,three-copies,"""+"" joins 3 copies; a person has two of each locus",',
    )
  })

  test('bytes and rows are answered alike', async () => {
    const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
    const [head = '', ...lines] = MISFIT.split(/(?<=\n)/)
    const table = { head, body: lines.join('').repeat(3), delimiter: ',', cuts: [], reading: {}, writing: {}, operation: 'validate', inputs: [{}], details: true } as const // prettier-ignore
    const fast = await convertTable(table, knowledge, true)
    expect(fast).toEqual(await convertTable(table, knowledge, false))
    expect(fast.summary.notes).toEqual({ 'drb1-mismatch': 3 })
  })
})
