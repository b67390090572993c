/** Devices, pipes and redirected outputs are written directly, without files beside them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runShell } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

function folder(name: string): string {
  mkdirSync(temp(name))
  writeFileSync(temp(`${name}/in.csv`), 'id,A_1,A_2\n1,zz,02:01\n')
  return temp(name)
}

const REDUCED = 'id,A_1,A_1_lgx,A_2,A_2_lgx\n1,zz,,02:01,A*02:01\n'
const HLA = 'hla redux -q -r starter -i in.csv'

describe.concurrent('a table with a failing cell', () => {
  test.for([
    ['null', `${HLA} -o /dev/null; cat out 2>/dev/null`, ''],
    ['a pipe', `${HLA} -o /dev/stdout | cat > out`, REDUCED],
    ['a redirection', `${HLA} -o /dev/stdout > out`, REDUCED],
    ['an appended one', `echo before > out; ${HLA} -o /dev/stdout >> out`, `before\n${REDUCED}`],
    ['a descriptor', `${HLA} -o /dev/fd/7 7> out`, REDUCED],
    ['a named pipe', `mkfifo p; cat p > out & ${HLA} -o p; wait; rm p`, REDUCED],
  ] as const)('goes into %s', async ([name, command, written]) => {
    const cwd = folder(name.replace(' ', '-'))
    const { stderr } = await runShell(`${command}; ls -A /dev`, { cwd }).then((ran) => {
      expect(ran.stdout).not.toContain('.errors.csv')
      return ran
    })
    expect(stderr).toContain('in.csv:2:A_1')
    if (written !== '') expect(readFileSync(`${cwd}/out`, 'utf8')).toBe(written)
    // a report may be written beside a named pipe
    const report = name === 'a named pipe' ? ['p.errors.csv'] : []
    expect(readdirSync(cwd).filter((file) => file !== 'out')).toEqual(['in.csv', ...report])
  })

  test('has its report where it is asked for', async () => {
    const cwd = folder('asked')
    await runShell(`${HLA} -o /dev/null --errors e.csv`, { cwd })
    expect(readFileSync(`${cwd}/e.csv`, 'utf8')).toContain('locus,value,code')
  })
})

describe('a line of more than 64 MiB', () => {
  const begin = 'id,A_1,A_2\n1,01:01,02:01\n'
  const endless = Buffer.alloc(66 * 1024 * 1024, 'A')

  test.for([
    ['', '', 'line 3: a row of more than 64 MiB'],
    ['', '--quote none', 'line 3: a row of more than 64 MiB'],
    ['"', '', 'line 3: a quoted field that starts there is never closed'],
    ['"', '--quote none', 'line 3: a row of more than 64 MiB'],
  ] as const)('that begins with %j is said to be what it is %s', async ([quote, options, message]) => {
    const cwd = temp('.')
    writeFileSync(`${cwd}/long.csv`, Buffer.concat([Buffer.from(begin + quote), endless]))
    const ran = await runShell(`hla redux -q -r starter -i long.csv -o out.csv ${options}`, { cwd })
    expect(ran).toMatchObject({ status: 4, stderr: expect.stringContaining(message) })
  })
})
