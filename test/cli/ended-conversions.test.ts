/**
 * Conversions that are killed, meet a full disk or a concurrent run: the output is complete or absent, and the same
 * command starts over.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { randomNumbers } from '../support/random-numbers.ts'
import { rounds } from '../support/rounds.ts'
import { type Ran, runHla, runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

const TYPINGS = ['A*01:01:01', 'A*02:01', 'A*03:01', 'A*99:99', 'NNNN', '01:01', '*02:01', 'A*24:02'] as const

/** A table with failures, quoted lines and a short row. */
function tableText(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const typing = at % 61 === 0 ? 'A*99:99' : TYPINGS[(at * 7) % (at % 3 === 0 ? 3 : 8)]
    if (at % 4999 === 0) return `D${at},short`
    return `D${at},${at % 97 === 0 ? '"two\nlines"' : 'x'},${typing},${TYPINGS[at % 3]}`
  })
  return `id,note,A_1,A_2\n${lines.join('\n')}\n`
}

function folder(name: string): string {
  mkdirSync(temp(name), { recursive: true })
  return temp(name)
}

interface Conversion {
  readonly cwd: string
  readonly input: string
  readonly output: string
  readonly more?: readonly string[]
}

function convert(
  { cwd, input, output, more = [] }: Conversion,
  kill: { readonly signal?: NodeJS.Signals; readonly after?: number } = {},
): Promise<Ran> {
  return runHla(['redux', '-q', '-r', 'starter', '-i', input, '-o', output, ...more], {
    cwd,
    stdin: '',
    ...kill,
  })
}

/** All files that a conversion leaves, except the input. */
function left({ cwd, input }: Conversion): Record<string, string> {
  const names = readdirSync(cwd).filter((name) => name !== input)
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(cwd, name), 'latin1')]))
}

describe.concurrent('a killed conversion', () => {
  const seed = Number(process.env['HLA_TEST_SEED'] ?? Date.now() % 1_000_000)
  const table = tableText(40_000)

  test.for([
    ['csv', 'out.csv'],
    ['csv.gz', 'out.csv.gz'],
  ] as const)(
    `of %s into %s leaves no output, and the same command gives all of it (HLA_TEST_SEED=${seed})`,
    async ([suffix, output], { expect }) => {
      const random = randomNumbers(seed + suffix.length)
      const cwd = folder(`kill-${suffix}`)
      const input = `in.${suffix}`
      writeFileSync(join(cwd, input), suffix === 'csv' ? table : gzipSync(table))
      const conversion = { cwd, input, output }
      const began = performance.now()
      expect(await convert(conversion)).toMatchObject({ status: 1 })
      const took = performance.now() - began
      const whole = left(conversion)
      expect(Object.keys(whole).sort()).toEqual([output, `${output}.errors.csv`])
      for (let round = 0; round < rounds(20, 2); round += 1) {
        for (const name of Object.keys(whole)) rmSync(join(cwd, name))
        for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
          const { status } = await convert(conversion, { signal, after: took * (0.1 + random()) })
          expect([1, 129, 130, 137, 143]).toContain(status)
          const found = left(conversion)
          // complete or absent
          expect([undefined, whole[output]]).toContain(found[output])
        }
        expect(await convert(conversion)).toMatchObject({ status: 1 })
        // the next run cleans up after SIGKILL
        expect(left(conversion)).toEqual(whole)
      }
    },
  )

  test('leaves nothing at all where the signal can be heard', async ({ expect }) => {
    const conversion = {
      cwd: folder('heard'),
      input: 'in.csv',
      output: 'out.csv',
      more: ['--progress', 'jsonl'],
    }
    writeFileSync(join(conversion.cwd, 'in.csv'), tableText(400_000))
    // the first failures appear while the table is being converted
    expect(await convert(conversion, { signal: 'SIGINT' })).toMatchObject({ status: 130 })
    expect(left(conversion)).toEqual({})
  })
})

test('two conversions into one file: one of them fails', async () => {
  const cwd = folder('two')
  writeFileSync(join(cwd, 'one.csv'), tableText(8000))
  writeFileSync(join(cwd, 'two.csv'), tableText(3000))
  const hla = 'hla redux -q -r starter -d , -o out.csv'
  const { stdout } = await runShell(
    [
      `mkfifo pipe; ${hla} -i pipe 2>one.err & exec 3>pipe; cat one.csv >&3`,
      'until test -s .out.csv.part; do sleep 0.05; done',
      `${hla} -i two.csv 2>two.err; echo $?`,
      'exec 3>&-; wait %1; echo $?; tail -1 one.err',
      `${hla.replace('out.csv', 'alone.csv')} -i two.csv 2>two.err; cmp alone.csv out.csv; ls .*.part`,
    ].join('\n'),
    { cwd },
  )
  expect(stdout).toBe('1\n4\nhla: error: cannot write out.csv: another run is writing it too\n')
})

describe('a full disk', () => {
  const limited = "trap '' XFSZ; ulimit -f 1500; exec hla redux -r starter -q"

  test('leaves nothing', async () => {
    const cwd = folder('full')
    writeFileSync(join(cwd, 'in.csv'), tableText(60_000))
    // a limit on file sizes fails like a full disk, and needs no privileges
    const { status, stderr } = await runShell(`${limited} -i in.csv -o out.csv`, { cwd })
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: expect.stringMatching(/hla: error: cannot write out.csv: file too large\n$/),
    })
    expect(readdirSync(cwd)).toEqual(['in.csv'])
  })

  test('which is a device is written to, and stays one', async () => {
    const cwd = folder('device')
    writeFileSync(join(cwd, 'in.csv'), tableText(100))
    const conversion = 'hla redux -r starter -i in.csv -o pipe'
    const { stdout } = await runShell(`mkfifo pipe; ${conversion} & cat pipe | wc -l`, { cwd })
    expect(stdout.trim()).toBe(String(101 + 1))
    expect(readdirSync(cwd).sort()).toEqual(['in.csv', 'pipe', 'pipe.errors.csv'])
  })

  test('which is a device stays one for the provenance too', async () => {
    const cwd = folder('device-provenance')
    writeFileSync(join(cwd, 'in.csv'), tableText(3))
    const conversion = 'hla redux -q -r starter -i in.csv -o out.csv --provenance pipe'
    const { stdout } = await runShell(
      `mkfifo pipe; ${conversion} & cat pipe; wait; test -p pipe && echo pipe`,
      {
        cwd,
      },
    )
    expect(stdout).toMatch(/^\{[^]*\}\npipe\n$/)
  })

  test('behind standard output is said', async () => {
    const cwd = folder('dev-full')
    writeFileSync(join(cwd, 'in.csv'), tableText(100))
    const ran = await runShell('hla redux -r starter -i in.csv -q > /dev/full', { cwd })
    expect(ran.status).toBe(4)
    expect(ran.stderr).toContain('hla: error: cannot write the output: no space left on device\n')
  })
})

test('a file of a program that fails leaves no persons in the temporary folder', async () => {
  const [cwd, TMPDIR] = [folder('spooled'), folder('spool')]
  const rows = Array.from({ length: 20_000 }, (_, at) => `D${at},A*01:01,A*02:01\n`).join('')
  writeFileSync(join(cwd, 'in.csv'), `id,A_1,A_2\n${rows}last,A*99:99,A*02:01\n`)
  const format = ['--output-format', 'arlequin', '--on-error', 'fail']
  const { status } = await runHla(['redux', '-r', 'starter', '-i', 'in.csv', '-o', 'out.arp', ...format], {
    cwd,
    stdin: '',
    env: { TMPDIR },
  })
  expect(status).not.toBe(0)
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(readdirSync(cwd)).toEqual(['in.csv'])
})
