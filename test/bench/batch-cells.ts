/** Measures the cost of unusual cells: failing cells, codes with long lists, joined genotypes.  [disk, process] */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { peakMemory, processorTime, timed } from './batch.ts'
import { generateTable, prepareTables } from './batch-tables.ts'
import { atLeast, atMost, type BenchRow, reported } from './bench-row.ts'
import { benchEnvironment, CLI, installForBench } from './installation.ts'
import { median, medianRatio, timesInTurn } from './statistics.ts'

const ROUNDS = 5
const FAILING_ROWS = 20_000
const ROWS = 200_000
/** Names of all lengths; one cell in four is an XX code or antigen. The output is about 20 times the input. */
const LONG_LISTS = ['--mix', '70,0,0,0,0,20,10', '--seed', '1', '--layout', 'wide']

/** The generator's default mix, with XX codes and antigens: 384 MB of output. */
const MIXED = ['--seed', '77', '--layout', 'gl', '--quoted', '0']
const MIXED_ROWS = 100_000

/** A different failing name in each row, then the same name in every row. */
const FAILING: Readonly<Record<string, (row: number) => string>> = {
  'an unknown allele': (row) => `A*24:${20_000 + row}`,
  'no syntax': (row) => `A*24:0${row}x:`,
  'an unknown code': (row) => `A*24:Q${letters(row)}Q`,
  'an unknown locus': (row) => `QX${row}*01:01`,
  'an unknown antigen': (row) => `A${1000 + row}`,
  'the same unknown allele again': () => 'A*24:20000',
}

interface Bench {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

export async function benchCells(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-'))
  const dataDir = installForBench()
  try {
    const choiceOf = await prepareTables(folder)
    const bench = { folder, env: benchEnvironment(dataDir) }
    const rows = failingRows(bench)
    generateTable(join(folder, 'wide.csv'), ROWS, choiceOf('reg', 'wide'))
    rows.push(...joinedRows(bench))
    const release = choiceOf('reg', 'wide').slice(choiceOf('reg', 'wide').indexOf('--release'))
    generateTable(join(folder, 'lists.csv'), ROWS, [...release.slice(0, -2), ...LONG_LISTS])
    rows.push(...longListRows(bench))
    generateTable(join(folder, 'mixed.csv'), MIXED_ROWS, [...release.slice(0, -2), ...MIXED])
    return [...rows, ...mixedRows(bench)]
  } finally {
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Compared with a table of the same length whose typings are readable. */
function failingRows({ folder, env }: Bench): BenchRow[] {
  const write = (name: string, typing: (row: number) => string) => {
    const lines = Array.from({ length: FAILING_ROWS }, (_, row) => `S${row},${typing(row)}\n`)
    writeFileSync(join(folder, `${name}.csv`), `id,A\n${lines.join('')}`)
    return name
  }
  const names = [
    write('read', () => 'A*24:02'),
    ...Object.entries(FAILING).map(([name, typing]) => write(name, typing)),
  ]
  const cost = (name: string) => () =>
    processorTime(
      process.execPath,
      [...reduction(join(folder, `${name}.csv`), join(folder, 'out.csv')), '-l', 'A=A', '--exit-zero'],
      env,
    )
  const [read = [], ...failing] = timesInTurn(ROUNDS, names.map(cost))
  return failing.map((times, at) => {
    const name = names[at + 1] ?? ''
    const micros = ((median(times) - median(read)) * 1000) / FAILING_ROWS
    return atMost(`cells: ${name}, processor time`, [micros, 'µs'], name.endsWith('again') ? 20 : 60)
  })
}

function joinedRows({ folder, env }: Bench): BenchRow[] {
  const convert =
    (...more: readonly string[]) =>
    () =>
      processorTime(
        process.execPath,
        [...reduction(join(folder, 'wide.csv'), join(folder, 'out.csv')), ...more],
        env,
      )
  const [plain = [], joined = []] = timesInTurn(ROUNDS, [convert(), convert('--gl-out', 'gl')])
  return [
    reported('cells: reg wide, with --gl-out to without, processor time', [medianRatio(joined, plain), '×']),
  ]
}

function longListRows({ folder, env }: Bench): BenchRow[] {
  const [table, output, copy] = ['lists.csv', 'out.csv', 'copy.csv'].map((name) => join(folder, name))
  if (table === undefined || output === undefined || copy === undefined) return []
  const words = reduction(table, output)
  timed(process.execPath, words, env)
  const source = join(folder, 'source.csv')
  writeFileSync(source, readFileSync(output))
  const fresh = (path: string, run: () => number) => () => {
    rmSync(path, { force: true })
    return run()
  }
  const shell = (line: string) => fresh(copy, () => timed('bash', ['-c', line, source, copy], env))
  const [ours = [], cat = [], kept = []] = timesInTurn(ROUNDS, [
    fresh(output, () => timed(process.execPath, words, env)),
    shell('cat "$0" > "$1"'),
    shell('cat "$0" > "$1" && sync "$1"'),
  ])
  const grown = statSync(output).size / statSync(table).size
  return [
    reported('cells: output of a table of XX codes and antigens to its input', [grown, '×']),
    atLeast('cells: … speed to that of cat writing the same', [medianRatio(cat, ours), '×'], 0.6),
    reported('cells: … to that of cat and a sync, which ours has too', [medianRatio(kept, ours), '×']),
  ]
}

function mixedRows({ folder, env }: Bench): BenchRow[] {
  const words = reduction(join(folder, 'mixed.csv'), join(folder, 'out.csv'))
  return [atMost('cells: codes XX and antigens, peak memory', [peakMemory(words, env), 'MiB'], 250)]
}

/** By method lgx. */
function reduction(table: string, output: string): string[] {
  return [CLI, 'redux', '-m', 'lgx', '-q', '-i', table, '-o', output]
}

/** A different word for each number. */
function letters(number: number): string {
  let text = ''
  for (let rest = number; text === '' || rest > 0; rest = Math.floor(rest / 26))
    text += String.fromCodePoint(65 + (rest % 26))
  return text
}
