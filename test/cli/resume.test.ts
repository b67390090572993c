/** Conversions that are killed, and resumed: the same bytes, report and summary as of one that was not. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomNumbers } from '../support/random-numbers.ts'
import { type Ran, runHla, runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const ROUNDS = process.env['HLA_LONG'] ? 40 : 4
const temp = tempFolder()
const TYPINGS = ['A*01:01:01', 'A*02:01', 'A*03:01', 'A*99:99', 'NNNN', '01:01', '*02:01', 'A*24:02'] as const

/** With failures, quoted lines and a row that is too short. */
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
  /** Default redux. */
  readonly operation?: string | undefined
}

/** Often enough that most kills come behind a checkpoint. */
const OFTEN = ['--checkpoint', '2000']

function convert(
  { cwd, input, output, more = [], operation = 'redux' }: Conversion,
  options: { readonly resume?: boolean; readonly signal?: NodeJS.Signals; readonly after?: number } = {},
): Promise<Ran> {
  const { resume = false, ...kill } = options
  const table = [operation, '-r', 'starter', '-i', input, '-o', output, '--summary', 'json=summary.json']
  return runHla([...table, ...more, ...(resume ? ['--resume'] : [])], { cwd, stdin: '', ...kill })
}

/** All that a conversion leaves behind, the input apart. */
function left({ cwd, input }: Conversion): Record<string, string> {
  const names = readdirSync(cwd).filter((name) => name !== input)
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(cwd, name), 'latin1')]))
}

describe.concurrent('a killed conversion', () => {
  const rows = 40_000
  const seed = Number(process.env['HLA_TEST_SEED'] ?? Date.now() % 1_000_000)
  const table = tableText(rows)

  test.for([
    ['csv', 'out.csv', '1'],
    ['csv', 'out.csv.gz', '2'],
    ['csv.gz', 'out.csv.gz', '1'],
    ['csv.gz', 'out.csv', '2'],
  ] as const)(
    `of %s into %s with %s jobs is resumed (HLA_TEST_SEED=${seed})`,
    { timeout: 240_000 },
    async ([suffix, output, jobs], { expect }) => {
      const random = randomNumbers(seed + Number(jobs) * 7 + output.length + suffix.length)
      const cwd = folder(`kill-${suffix}-${output}`)
      const input = `in.${suffix}`
      writeFileSync(join(cwd, input), suffix === 'csv' ? table : gzipSync(table))
      const conversion = { cwd, input, output, more: ['-q', '-j', jobs, ...OFTEN] }
      const began = performance.now()
      expect(await convert(conversion)).toMatchObject({ status: 1 })
      const took = performance.now() - began
      const whole = left(conversion)
      expect(Object.keys(whole).sort()).toEqual([output, `${output}.errors.csv`, 'summary.json'])
      for (let moment = 0; moment < 5; moment += 1) {
        for (const name of Object.keys(whole)) rmSync(join(cwd, name))
        await killAndResume(conversion, random, { took, whole: whole[output] })
        expect(left(conversion)).toEqual(whole)
      }
    },
  )
})

const SIGNALS = ['SIGKILL', 'SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Up to three runs are killed; the last one is left alone. */
async function killAndResume(
  conversion: Conversion,
  random: () => number,
  { took, whole }: { readonly took: number; readonly whole: string | undefined },
): Promise<void> {
  for (let run = 0; ; run += 1) {
    const isLast = run === 3 || random() < run / 3
    const signal = SIGNALS[Math.floor(random() * SIGNALS.length)] ?? 'SIGKILL'
    const kill = isLast ? {} : { signal, after: took * (0.1 + random()) }
    const { status, stderr } = await convert(conversion, { resume: run > 0, ...kill })
    // it may have been faster
    if (status === 1) return
    expect({ isLast, status, stderr }).toMatchObject({ isLast: false })
    expect([129, 130, 137, 143]).toContain(status)
    // complete, or not there
    expect([undefined, whole]).toContain(left(conversion)[conversion.output])
    // a signal that comes very early or late meets nobody who listens
    if (status !== 137 && stderr !== '' && left(conversion)[conversion.output] === undefined)
      expect(stderr).toMatch(/hla: interrupted after [\d,]+ rows; resume with: hla redux .* --resume\n$/)
  }
}

describe('an interrupted conversion', () => {
  test.for([
    ['of UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['with carriage returns alone', (text: string) => Buffer.from(text.replaceAll('\n', '\r'))],
    ['of Latin-1', (text: string) => Buffer.from(text.replaceAll('x', '\u00e9'), 'latin1')],
    ['by another operation', (text: string) => Buffer.from(text), 'validate'],
  ] as const)('%s is resumed', { timeout: 60_000 }, async ([name, bytesOf, operation]) => {
    const conversion = { cwd: folder(name), input: 'in.csv', output: 'out.csv', more: OFTEN, operation }
    writeFileSync(join(conversion.cwd, 'in.csv'), bytesOf(tableText(60_000)))
    await convert(conversion)
    const whole = left(conversion)
    for (const file of Object.keys(whole)) rmSync(join(conversion.cwd, file))
    const { status, stderr } = await convert(conversion, { signal: 'SIGINT' })
    expect(status).toBe(130)
    const [, rows] = /hla: interrupted after ([\d,]+) rows; resume with: (hla .*)\n$/.exec(stderr) ?? []
    expect(await convert(conversion, { resume: true })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`hla: note: going on after ${rows} rows [resume]\n`),
    })
    expect(left(conversion)).toEqual(whole)
  })

  test('with a wrong bit in what it had written is not gone on with', { timeout: 60_000 }, async () => {
    const conversion = { cwd: folder('bits'), input: 'in.csv', output: 'out.csv', more: OFTEN }
    writeFileSync(join(conversion.cwd, 'in.csv'), tableText(60_000))
    expect(await convert(conversion, { signal: 'SIGINT' })).toMatchObject({ status: 130 })
    const before = left(conversion)
    const random = randomNumbers(11)
    for (const name of ['.out.csv.part', '.out.csv.errors.csv.part', 'out.csv.hla-state.json']) {
      const bytes = Buffer.from(before[name] ?? '', 'latin1')
      for (let round = 0; round < ROUNDS; round += 1) {
        const damaged = Buffer.from(bytes)
        const at = Math.floor(random() * bytes.length)
        damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        writeFileSync(join(conversion.cwd, name), damaged)
        const { status, stderr } = await convert(conversion, { resume: true })
        expect({ name, at, stderr, isRefused: [4, 6].includes(status) }).toMatchObject({ isRefused: true })
      }
      writeFileSync(join(conversion.cwd, name), bytes)
    }
    expect(await convert(conversion, { resume: true })).toMatchObject({ status: 1 })
  })

  test('says the command that resumes it, whatever its words are', { timeout: 60_000 }, async () => {
    const cwd = folder('words')
    const input = "it's a table.csv"
    writeFileSync(join(cwd, input), tableText(60_000))
    const { stderr } = await convert({ cwd, input, output: 'a b.csv' }, { signal: 'SIGTERM' })
    const [, command = ''] = /resume with: (.*)\n$/.exec(stderr) ?? []
    expect(command).toContain(`-i 'it'\\''s a table.csv' -o 'a b.csv'`)
    expect(readdirSync(cwd).sort()).toEqual([
      '.a b.csv.errors.csv.part',
      '.a b.csv.part',
      'a b.csv.hla-state.json',
      input,
    ])
    expect(await runShell(command, { cwd })).toMatchObject({ status: 1 })
    expect(readdirSync(cwd).sort()).toEqual(['a b.csv', 'a b.csv.errors.csv', input, 'summary.json'])
  })
})

describe('--resume', () => {
  /** Interrupted once; each test gets a copy. */
  const made: Conversion = { cwd: temp('made'), input: 'in.csv', output: 'out.csv' }
  beforeAll(async () => {
    folder('made')
    writeFileSync(join(made.cwd, 'in.csv'), tableText(60_000))
    await convert(made, { signal: 'SIGINT' })
  })

  function copy(name: string): Conversion {
    execFileSync('cp', ['-a', made.cwd, temp(name)])
    return { ...made, cwd: temp(name) }
  }

  test.for([
    [
      'another input',
      ({ cwd }: Conversion) => writeFileSync(join(cwd, 'in.csv'), 'id,A_1\n1,A*01:01\n'),
      'has 17',
    ],
    [
      'a touched input',
      ({ cwd }: Conversion) => utimesSync(join(cwd, 'in.csv'), 0, 0),
      'was changed at 1970-01-01',
    ],
    [
      'a part that is cut',
      ({ cwd }: Conversion) => writeFileSync(join(cwd, '.out.csv.part'), 'id'),
      'has 2 bytes',
    ],
    [
      'a damaged state',
      ({ cwd }: Conversion) => writeFileSync(join(cwd, 'out.csv.hla-state.json'), '{}'),
      'damaged',
    ],
  ] as const)('refuses %s', async ([name, change, message]) => {
    const conversion = copy(name)
    change(conversion)
    const before = left(conversion)
    const { status, stderr } = await convert(conversion, { resume: true })
    expect({ status, stderr }).toMatchObject({ status: 6, stderr: expect.stringContaining(message) })
    expect(stderr).toContain('[pin]')
    expect(left(conversion)).toEqual(before)
  })

  test.for([
    [['-m', 'G'], 'option writing.results was ["lgx"], is ["G"]'],
    [['--into', 'append'], 'option writing.into was after, is append'],
    [['--accept', 'case'], 'option engine.accept was not given, is ["case"]'],
    [['--errors', 'e.csv'], 'option report was out.csv.errors.csv, is e.csv'],
  ] as const)('refuses other options: %s', async ([more, message]) => {
    const { status, stderr } = await convert({ ...made, more }, { resume: true })
    expect(status).toBe(6)
    expect(stderr).toContain(message)
  })

  test('does not mind how many workers there are', async () => {
    const conversion = copy('jobs')
    expect(await convert({ ...conversion, more: ['-j', '2'] }, { resume: true })).toMatchObject({ status: 1 })
  })

  test('begins anew, and says so, when there is nothing to resume', async () => {
    const conversion = copy('anew')
    rmSync(join(conversion.cwd, 'out.csv.hla-state.json'))
    const { status, stderr } = await convert(conversion, { resume: true })
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'hla: note: there is nothing to resume beside out.csv: it is begun anew',
      ),
    })
  })

  test('is what a run without it gives up', async () => {
    const conversion = copy('given-up')
    const { stderr } = await convert({ ...conversion, more: ['--max-errors', '3'] })
    expect(stderr).toContain('hla: note: an interrupted run of out.csv is dropped; --resume would have')
    expect(readdirSync(conversion.cwd).sort()).toEqual(['in.csv', 'out.csv.errors.csv'])
  })

  test.for([
    [['-i', 'in.csv', '--resume'], 'standard output cannot be continued'],
    [['--csv', '-i', '-', '-o', 'x.csv', '--resume'], 'standard input cannot be read again'],
    [['-i', 'in.csv', '-o', 'pipe', '--resume'], 'what went to pipe cannot be continued'],
    [['--csv', '-i', 'pipe', '-o', 'x.csv', '--checkpoint', '5'], 'not a file that can be read again'],
  ] as const)('%s cannot be', async ([args, message]) => {
    const cwd = folder('pipe')
    await runShell('mkfifo -m 600 pipe || test -p pipe', { cwd })
    writeFileSync(join(cwd, 'in.csv'), tableText(1))
    const { status, stderr } = await runHla(['redux', ...args], { cwd })
    // a usage error comes alone
    expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 2, lines: 1 })
    expect(stderr).toContain(message)
  })
})

test('two conversions into one file: one of them fails', { timeout: 60_000 }, async () => {
  const cwd = folder('two')
  writeFileSync(join(cwd, 'one.csv'), tableText(8000))
  writeFileSync(join(cwd, 'two.csv'), tableText(3000))
  const hla = 'hla redux -q -r starter --csv -o out.csv'
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

  test('keeps what was converted', { timeout: 60_000 }, async () => {
    const conversion = { cwd: folder('limited'), input: 'in.csv', output: 'out.csv', more: ['-q'] }
    const { cwd } = conversion
    writeFileSync(join(cwd, 'in.csv'), tableText(60_000))
    await convert(conversion)
    const whole = left(conversion)
    for (const file of Object.keys(whole)) rmSync(join(cwd, file))
    // a limit on the size of files fails as a full disk does, and needs no rights
    const { status, stderr } = await runShell(`${limited} -i in.csv -o out.csv --checkpoint 5000`, { cwd })
    expect(status).toBe(4)
    expect(stderr).toMatch(
      /hla: error: cannot write out.csv: file too large\n  [\d,]+ rows are kept; resume with: hla redux .*\n$/,
    )
    expect(readdirSync(cwd)).not.toContain('out.csv')
    expect(await convert(conversion, { resume: true })).toMatchObject({ status: 1 })
    expect(left(conversion)).toEqual(whole)
  })

  test('before anything could be kept leaves nothing', async () => {
    const cwd = folder('full')
    writeFileSync(join(cwd, 'in.csv'), tableText(60_000))
    const { status } = await runShell(`${limited} -i in.csv -o out.csv --checkpoint 0 2>/dev/null`, { cwd })
    expect(status).toBe(4)
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
