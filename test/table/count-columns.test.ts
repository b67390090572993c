/** Columns named like typings that hold counts: of copies of an antigen, and decimal numbers. */
import { describe, expect, test } from 'vitest'
import { findCountColumns, type NameForms } from '../../src/table/plan/recognition/count-columns.ts'
import { readLocusHeader } from '../../src/table/words/locus-header.ts'

const FORMS: NameForms = {
  isAntigen: (name) => ['A2', 'A24', 'A2403'].includes(name),
  isFirstField: (family) => ['A*01', 'A*02', 'A*30'].includes(family),
  respell: (name) => ({ 'A*0201': 'A*02:01', 'A*2402': 'A*24:02', 'A*0101': 'A*01:01' })[name] ?? name,
}

/** Names of the columns that are counts. `columns`: name -> its values. */
function countsAmong(
  columns: Readonly<Record<string, string>>,
  { facts }: { readonly facts: NameForms | undefined } = { facts: FORMS },
) {
  const plain = Object.keys(columns)
  const readings = plain.map((name, column) => readLocusHeader(name).map((one) => ({ ...one, column })))
  const names = { plain, readings, believed: readings.flat(), results: new Map(), orphans: new Map() }
  const sampled = (column: number) => (columns[plain[column] ?? ''] ?? '').split(',').filter((one) => one !== '') // prettier-ignore
  const found = findCountColumns({ names, columns: plain.map((_, at) => at), sampled, facts })
  return found.map((column) => plain[column]).join(' ')
}

describe('copies of antigens', () => {
  const COPIES = '0,1,2, 1 '
  test.for([
    [{ A1: COPIES, A2: COPIES, A3: COPIES, A11: COPIES }, 'A1 A2 A3 A11'],
    // a single one beside the typings is not enough
    [{ A1: COPIES, A2: COPIES, A3: COPIES }, ''],
    [{ A1: COPIES, A2: COPIES, B7: COPIES, B8: COPIES }, 'B7 B8'],
    [{ 'HLA-A1': COPIES, 'HLA_A3': COPIES, 'a24': COPIES }, 'HLA-A1 HLA_A3 a24'],
    [{ Cw1: COPIES, Cw4: COPIES, Cw7: COPIES }, 'Cw1 Cw4 Cw7'],
    [{ DR4: COPIES, DR7: COPIES, DQ5: COPIES }, 'DR4 DR7'],
    [{ A3: COPIES, A11: '3' }, ''],
    [{ A3: COPIES, A11: '12' }, ''],
    [{ A3: COPIES, A11: '0,1,x' }, ''],
    [{ A3: COPIES, xA11: COPIES }, ''],
    [{ A3: COPIES, A11x: COPIES }, ''],
    [{ A3: COPIES, A11111: COPIES }, ''],
    [{ E3: COPIES, E11: COPIES }, ''],
  ] as const)('%j: %j', ([columns, counts]) => {
    expect(countsAmong(columns)).toBe(counts)
  }) // prettier-ignore
})

describe('decimal numbers', () => {
  test.for([
    [{ A_1: '1935.0', A_2: '2000.00,17' }, 'A_1'],
    [{ A_1: '1935.0', A_2: '2000.00, 9999.0 ' }, 'A_1 A_2'],
    [{ A_1: '1935' }, ''],
    [{ A_1: '1935.5' }, ''],
    [{ A_1: '' }, ''],
    // antigens, first fields and old names that a spreadsheet has read as numbers
    [{ A_1: '2.0,24.0,2403.0' }, ''],
    [{ A_1: '1.0,30.0' }, ''],
    [{ A_1: '201.0,2402.0,101.0' }, ''],
    // three quarters may be typings, and fewer are counts
    [{ A_1: '2.0,24.0,1.0,99.0' }, ''],
    [{ A_1: '2.0,24.0,99.0' }, 'A_1'],
    // an equal number counts once
    [{ A_1: '2.0,24.0,99.0,2.0,2.0,2.0,2.0' }, 'A_1'],
    // all columns of a person are decided together
    [{ A_1: '2.0,24.0,1.0', A_2: '99.0' }, ''],
    [{ A_1: '2.0,24.0', A_2: '99.0' }, 'A_1 A_2'],
    [{ D_A_1: '2.0,24.0', R_A_1: '99.0' }, 'R_A_1'],
    [{ E: '1935.0' }, ''],
    [{ note: '1935.0' }, ''],
  ] as const)('%j: %j', ([columns, counts]) => {
    expect(countsAmong(columns)).toBe(counts)
  }) // prettier-ignore

  test('are not told from typings without the names of a release', () => {
    const columns = { A_1: '1935.0', A3: '0', A11: '1' }
    expect(countsAmong(columns)).toBe('A3 A11 A_1')
    expect(countsAmong(columns, { facts: undefined })).toBe('A3 A11')
  })
})
