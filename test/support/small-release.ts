/** A release of some ninety alleles, compiled from text in the published form; its content is as in 3.58.0. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ReleaseTexts, compileRelease, groupBy } from '../../src/reference/compile/compile.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { type MacTable, encodeMacTable, readMacTable } from '../../src/reference/mac-table.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { parseNumer } from '../../src/reference/sources/numer.ts'
import type { ReleaseTables } from '../../src/reference/compile/tables.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')

export function smallRelease(): Release {
  return readRelease(encodeRelease(compileTexts(smallTexts())))
}

export function compileTexts(texts: ReleaseTexts): ReleaseTables {
  return compileRelease(
    texts,
    { label: '3.58.0', compact: '3580', date: '2024-10-09', sources: [] },
    readFixedTables(),
  )
}

/** Columns of a TSV file in test/fixtures, by name; lines that begin with `#` are comments. */
export function readFixture(name: string): Record<string, string>[] {
  const lines = readFileSync(join(FIXTURES, name), 'utf8').split('\n')
  const [head = '', ...rows] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const columns = head.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
  })
}

export function smallTexts(): ReleaseTexts {
  const rows = readFixture('small-release.tsv')
  const names = rows.map(({ allele = '' }) => allele)
  const dna = rows.map((row) => [
    ...locusAndFields(row['allele']),
    row['antigen'],
    row['possible'],
    row['assumed'],
    '',
  ])
  return {
    alleleList: `AlleleID,Allele\n${names.map((name, at) => `HLA${at},${name}`).join('\n')}\n`,
    nomenclature: names.map((name) => `${locusAndFields(name).join(';')};20100401;;;`).join('\n'),
    gGroups: groupText(rows, 'g'),
    pGroups: groupText(rows, 'p'),
    dnaSerology: dna.map((row) => row.join(';')).join('\n'),
    serology: SEROLOGY.join('\n'),
    tce: ['Allele,Protein,V1_Assignment,V2_Assignment,Comments', ...TCE].join('\n'),
  }
}

const SEROLOGY = [
  'A;2;;203/210',
  'A;9;23/24;',
  'A;10;25/26/34/66;',
  'A;19;29/30/31/32/33/74;',
  'A;24;;2403',
  'A;28;68/69;',
  'B;15;62/63/75/76/77;',
  'B;27;;2708',
  'Cw;3;9/10;',
  'DQ;1;5/6;',
  'DR;2;15/16;',
  'DR;3;17/18;',
  'DR;6;13/14;',
]

function groupText(rows: readonly Record<string, string>[], column: string): string {
  const groups = groupBy(rows, (row) => row[column] ?? '')
  return [...groups]
    .flatMap(([group, members]) => {
      const fields = members.map(({ allele }) => locusAndFields(allele))
      if (group === '') return fields.map(([locus, name]) => `${locus};${name};`)
      const [locus, name] = locusAndFields(group)
      return [`${locus};${fields.map(([, member]) => member).join('/')};${name}`]
    })
    .join('\n')
}

function locusAndFields(name = ''): [locus: string, fields: string] {
  const end = name.indexOf('*') + 1
  return [name.slice(0, end), name.slice(end)]
}

const TCE = [
  'DPB1*01:01:01:01,DPB1*01:01,3,3,',
  'DPB1*04:02:01:01,DPB1*04:02,3,3,',
  'DPB1*105:01:01:01,DPB1*105:01,3$,2a$,',
]

const NUMER = `"LAST UPDATED: 11/04/24"
CODE\tSUBTYPE

ABC\t01/02
AB\t01/02
MN\t01/02/03
CFFGM\t32:15/69:01/69:02
NZZG\t27/105
`

export function smallMacs(): MacTable {
  return readMacTable(encodeMacTable(parseNumer(NUMER), '0'.repeat(64)))
}
