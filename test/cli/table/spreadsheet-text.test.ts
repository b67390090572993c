/** Text that spreadsheets write around typings and above tables: read, and passed through unchanged. */
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { splitRow } from '../../../src/table/input/split-row.ts'
import { sniffDialect } from '../../../src/table/input/dialect.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
beforeAll(() => {
  mkdirSync(cwd)
})

const redux = (args: readonly string[], stdin: string) =>
  callHla(['redux', '-r', 'starter', ...args], { cwd, stdin })

describe('a first line sep=', () => {
  const table = 'sep=;\r\nid;A_1;A_2\r\n1;01:01;02:01\r\n'

  test('names the delimiter, and stays', async () => {
    const { stdout, stderr } = await redux(['-q', '-d', 'auto', '--into', 'replace'], table)
    expect(stderr).toBe('')
    expect(stdout).toBe('sep=;\r\nid;A_1;A_2\r\n1;A*01:01;A*02:01\r\n')
  })

  test('says what the output is written with', async () => {
    const args = ['-q', '-d', 'auto', '-D', 'tab', '--into', 'replace']
    const { stdout } = await redux(args, table)
    expect(stdout).toBe('sep=\t\r\nid\tA_1\tA_2\r\n1\tA*01:01\tA*02:01\r\n')
  })

  test.for([
    ['sep=|\nA|B\n1|2\n', '|', 1],
    ['"sep=,"\nA,B\n1,2\n', ',', 1],
    ['SEP=\t\r\nA\tB\r\n1\t2\r\n', '\t', 1],
    ['sep,id\n1,2\n', ',', 0],
    ['sep=;;\nid;;A\n1;;2\n', ';', 0],
  ] as const)('%j', ([text, delimiter, preamble]) => {
    expect(sniffDialect('t.csv', Buffer.from(text), {})).toMatchObject({ delimiter, preamble })
  })
})

describe('marks that keep a text a text', () => {
  test('are left out when it is read, and noted', async () => {
    const table = 'id,A_1,A_2\n1,="01:01",\'02:01\n2,"=""01:01""",03:01\'\n'
    const { stdout, stderr, status } = await redux(['-d', ','], table)
    expect(status).toBe(0)
    expect(stdout).toBe(
      'id,A_1,A_1_lgx,A_2,A_2_lgx\n1,="01:01",A*01:01,\'02:01,A*02:01\n2,"=""01:01""",A*01:01,03:01\',A*03:01\n',
    )
    expect(stderr).toContain('4 typings read without spreadsheet quoting')
  })

  test.for([
    ['="01:01"', false],
    ['="01:01', true],
    ['="01:01"x', true],
    ['=""', false],
    ['=="a"', true],
    ['a="b"', true],
    ['="a""b"', true],
  ] as const)('%s', ([field, isMisquoted]) => {
    expect(splitRow(`${field},2`, 2, { delimiter: ',', quote: '"' }).isMisquoted).toBe(isMisquoted)
  })
})
