/** A table with only ambiguous digits is refused before anything is written. Whole programs. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

const REFUSAL =
  'hla: error: A_1 A_2 of t.csv contain only digits without ":"; they may be antigens, first fields or old names (v2 fits 3 of 4, antigen 2 in the first rows)\n' +
  '  say which: --bare-digits v2 or antigen; --bare-digits error reports each cell\n'

/** Columns for which neither antigens nor old names explain both `0101` and `203`. */
const TABLES = {
  't.csv': 'id,A_1,A_2\n1,0101,203\n2,0201,ND\n3,,2402\n',
  'some.csv': 'id,A_1,A_2,DRB1_1,DRB1_2\n1,0101,203,15:01,03:01\n',
  'one.csv': 'id,A_1,A_2\n1,0101,203\n2,01:01,2402\n',
  'none.csv': 'id,A_1,A_2\n1,ND,\n',
}

describe('digits that may be several things', () => {
  const cwd = temp('.')
  const run = (...args: string[]) => runHla([...args], { cwd, env: { HLA_RELEASE: 'starter' } })

  beforeAll(() => {
    for (const [name, text] of Object.entries(TABLES)) writeFileSync(join(cwd, name), text)
  })

  test.for([
    ['redux'],
    ['redux', '--exit-zero'],
    ['validate'],
    ['mac'],
    ['redux', '--on-error', 'fail'],
    ['redux', '--plan-from', 't.csv'],
  ])(
    // prettier-ignore
    'alone are refused by %j, and nothing is written',
    async (args) => {
      const { status, stdout, stderr } = await run(...args, '-i', 't.csv', '-o', 'o.csv', '--provenance', 'p.json') // prettier-ignore
      expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(REFUSAL) }) // prettier-ignore
      expect(readdirSync(cwd).toSorted()).toEqual(Object.keys(TABLES).toSorted())
    },
  )

  test('are shown by the plan, which ends as the conversion would', async () => {
    const { status, stdout, stderr } = await run('redux', '-i', 't.csv', '--plan')
    expect([status, stderr]).toEqual([2, REFUSAL])
    expect(stdout).toContain('A_1 A_2          bare digits -> undecided')
  })

  test.for([
    [['-i', 't.csv', '--bare-digits', 'v2'], 'read as v2'],
    [['-i', 't.csv', '--bare-digits', 'error'], '4 ambiguous-digits'],
    [['-i', 'some.csv'], '2 ambiguous-digits'],
    [['-i', 'one.csv'], '3 ambiguous-digits'],
    [['-i', 'none.csv'], '2 untyped'],
  ] as const)('are told cell by cell where something else is read, or as asked: %j', async ([args, said]) => {
    const { status, stderr } = await run('redux', ...args)
    expect(status).toBeLessThan(2)
    expect(stderr).toContain(said)
  })
})
