/** Labels and quotes of a table stay unchanged in the output, even with patterns of String.replace. */
import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { unquoteField } from '../../../src/table/input/split-row.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
beforeAll(() => {
  mkdirSync(cwd)
})

const redux = (args: readonly string[], stdin: string) =>
  callHla(['redux', '-q', '-r', 'starter', '-d', ',', ...args], { cwd, stdin })

describe('text from outside', () => {
  test.for(['$&', '$`', "$'", '$$', 'x{method}', '{col}'])(
    'a column may be called %s, and its results after it',
    async (label) => {
      const columns = ['-l', `A=${label},A_2`, '--name', '<{col}|{method}>']
      const { stdout, stderr } = await redux(columns, `id,${label},A_2\n1,01:01,02:01\n`)
      expect(stderr).toBe('')
      expect(stdout).toBe(`id,${label},<${label}|lgx>,A_2,<A_2|lgx>\n1,01:01,A*01:01,02:01,A*02:01\n`)
    },
  )

  test('a dollar sign may be the quote: one in a result is doubled', () => {
    expect(unquoteField('a$b,c', { delimiter: ',', quote: '$' })).toBe('$a$$b,c$')
  })
})

describe('names from before 2002', () => {
  test('of five digits are two fields and a silent change', async () => {
    const { stdout } = await redux(['--accept', 'lenient'], 'id,C_1,C_2\n1,07011,0702\n')
    expect(stdout).toBe('id,C_1,C_1_lgx,C_2,C_2_lgx\n1,07011,C*07:01,0702,C*07:02\n')
  })

  test.for([
    ['C', '07011', '0702', 'C*07:01:01'],
    ['DPA1', '02011', '0103', 'DPA1*02:01:01'],
  ] as const)('a plan shows what %s*%s is read as', async ([locus, first, second, name]) => {
    const table = `id,${locus}_1,${locus}_2\n1,${first},${second}\n`
    const { stdout } = await redux(['--accept', 'lenient', '--plan'], table)
    expect(stdout).toMatch(new RegExp(`${first} -> ${name.replaceAll('*', () => '\\*')}$`, 'm'))
  })
})
