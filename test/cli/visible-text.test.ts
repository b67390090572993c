/** Text from outside is printed as text: it cannot control the terminal, or imitate a message of the program. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { visibleLine, visibleText } from '../../src/io/visible-text.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('')
const EVIL = '\u001b[2J\u009b1m\u202eevil'
const FORGED = `${EVIL}\nhla: error: forged`

test.for([
  ['A*01:01\tA*02:01', 'A*01:01\tA*02:01', 'A*01:01\tA*02:01'],
  ['\u001b[2J\u007f\u009b', '\\x1b[2J\\x7f\\x9b', '\\x1b[2J\\x7f\\x9b'],
  ['a\u202eb\u2066', 'a\\u202eb\\u2066', 'a\\u202eb\\u2066'],
  ['\u0001\u0007 \u200e\u2069', '\\x01\\x07 \\u200e\\u2069', '\\x01\\x07 \\u200e\\u2069'],
  ['a\n\nb', 'a\n\nb', 'a\\n\\nb'],
  ['a\r\nb', 'a\\x0d\nb', 'a\\x0d\\nb'],
  ['Müller 山', 'Müller 山', 'Müller 山'],
] as const)('%j', ([text, several, one]) => {
  expect(visibleText(text)).toBe(several)
  expect(visibleLine(text)).toBe(one)
})

describe('the program', () => {
  beforeAll(() => {
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(cwd, 'in.csv'), `id,A_1,A_2,"${FORGED}"\n1,01:01,99:99,"${FORGED}"\n`)
    writeFileSync(join(cwd, FORGED), `id,A_1,A_2\n1,01:01,99:99\n`)
    writeFileSync(join(cwd, `${FORGED}.txt`), 'A*99:99\n')
  })

  test.for([
    [
      'a plan with such a column',
      ['redux', '-i', 'in.csv', '--plan', '--into', 'replace', '-l', `A=A_1,A_2`, '-c', FORGED],
    ],
    ['a plan', ['redux', '-i', 'in.csv', '--plan']],
    ['a column that is not there', ['redux', '-i', 'in.csv', '-c', FORGED]],
    ['columns that are there', ['redux', '-i', 'in.csv', '-c', 'none']],
    ['an option value', ['redux', '-m', FORGED, 'A*01:01']],
    ['a release', ['redux', '-r', FORGED, 'A*01:01']],
    ['an option', [`--${FORGED}`]],
    ['a command', [FORGED]],
    ['a file that is not there', ['redux', '-i', `${FORGED}/none`]],
    ['a file of a table', ['redux', '-d', ',', '-i', FORGED, '-o', 'out.csv', '--force']],
    ['a file of typings', ['redux', '-i', `${FORGED}.txt`]],
    ['a typing', ['redux', FORGED]],
    ['a report', ['redux', '-i', 'in.csv', '-o', `${FORGED}.csv`]],
  ] as const)('%s', async ([, args]: readonly [string, readonly string[]]) => {
    const { stdout, stderr } = await callHla(args, { cwd, env: { HLA_DATA_DIR: cwd } })
    const said = args.includes('--plan') ? stdout + stderr : stderr
    expect(said).not.toMatch(/^hla: error: forged/m)
    // eslint-disable-next-line no-control-regex
    expect(said).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(said).not.toBe('')
  })
})
