/** `--plan-from`: a part is read with the plan of the whole table. */
import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const redux = (...args: string[]) => callHla(['redux', '-q', '-r', 'starter', ...args], { cwd: temp('.') })

beforeAll(() => {
  // alone, the part is one column without a locus in Latin-1, and 0101 is ambiguous
  writeFileSync(temp('whole.txt'), 'id;x;A_1;A_2\n1;ü;0201;0101\n2;é;0301;24:02\n3;;0101;\n')
  writeFileSync(temp('part.txt'), 'id;x;A_1;A_2\n3;;0101;\n')
  writeFileSync(temp('other.txt'), 'id;y;A_1;A_2\n3;;0101;\n')
  writeFileSync(temp('titled.txt'), 'Laboratory\nMay 2026\nid;x;A_1;A_2\n1;ü;0201;0101\n2;é;0301;24:02\n')
  writeFileSync(temp('titled-part.txt'), 'Laboratory\nid;x;A_1;A_2\n3;;0101;\n')
  writeFileSync(temp('bare.txt'), '3;;0101;\n')
})

describe('--plan-from', () => {
  test('reads rows as the whole is read', async () => {
    const expected = 'id;x;A_1;A_1_lgx;A_2;A_2_lgx\n3;;0101;A*01:01;;\n'
    const ran = await redux('-i', 'part.txt', '--plan-from', 'whole.txt')
    expect(ran).toEqual({ stdout: expected, stderr: '', status: 0 })
  })

  test.for<readonly [part: string, titles: string]>([
    ['part.txt', ''],
    ['titled-part.txt', 'Laboratory\n'],
  ])('reads %s whose titles are not those of the whole', async ([part, titles]) => {
    const ran = await redux('-i', part, '--plan-from', 'titled.txt')
    expect(ran).toEqual({
      stdout: `${titles}id;x;A_1;A_1_lgx;A_2;A_2_lgx\n3;;0101;A*01:01;;\n`,
      stderr: '',
      status: 0,
    })
  })

  test('shows the plan of the whole for the part', async () => {
    const { stdout } = await redux('-i', 'part.txt', '--plan-from', 'whole.txt', '--plan')
    expect(stdout).toMatch(/^input +part\.txt +;-separated, header/)
    expect(stdout).toMatch(/^A +A_1 A_2 +bare digits -> v2 names/m)
  })

  test.for<readonly [what: string, args: readonly string[], status: number, said: RegExp]>([
    ['a part without the header', ['-i', 'bare.txt', '--plan-from', 'whole.txt'], 2, /bare\.txt does not begin with the header of whole\.txt/],
    ['another header', ['-i', 'other.txt', '--plan-from', 'whole.txt'], 2, /does not begin with the header/],
    ['a table that is not there', ['-i', 'part.txt', '--plan-from', 'none.txt', '-o', 'out.txt'], 4, /there is no file none\.txt/],
    ['standard input', ['-i', 'part.txt', '--plan-from', '-', '-o', 'out.txt'], 2, /names a file/],
  ])('refuses %s', async ([, args, status, said]) => {
    const ran = await redux(...args)
    expect(ran).toMatchObject({ status, stdout: '' })
    expect(ran.stderr).toMatch(said)
  }) // prettier-ignore

  test('stands in the provenance, and holds when it is verified by another run', async () => {
    await redux('-i', 'part.txt', '--plan-from', 'whole.txt', '-o', 'done.txt', '--provenance')
    const ran = await callHla(['provenance', 'verify', '--rerun', 'done.txt.hla.json'], { cwd: temp('.') })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^rerun\tok\t/m)
  })
})
