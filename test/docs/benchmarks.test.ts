/**
 * Runs docs/benchmarks/bench.py with a py-ard stand-in that calls hla: the page has every arm, the same verdicts twice,
 * and reports differing answers.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../support/programs.ts'
import { type Ran, runShell } from '../support/run-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const ROOT = join(import.meta.dirname, '../..')
const hasPython = hasProgram('python3', 'python3', '--version')

/** Slower than hla on any machine, with the same answers except for one typing. */
const STAND_IN = `
import json, os, subprocess, sys, time
from . import exceptions
__version__ = "0.0.0"
class ARD:
    def __init__(self, release):
        self.release = release
        words = [os.environ["NODE"], os.environ["PROGRAM"], "pipe", "-q", "-r", "3.58.0"]
        self.pipe = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    def get_db_version(self):
        return int(self.release)
    def redux(self, text, method):
        time.sleep(0.002)
        if text == os.environ.get("OTHERWISE"):
            return "A*99:98"
        self.pipe.stdin.write(json.dumps({"op": "redux", "gl_string": text, "reduction_method": method}) + "\\n")
        self.pipe.stdin.flush()
        answer = json.loads(self.pipe.stdout.readline())
        if "error" in answer:
            raise exceptions.InvalidAlleleError(answer["error"]["code"])
        return answer["ard"]
def init(release, data_dir=None):
    return ARD(release)
`
const EXCEPTIONS = `
class PyArdError(Exception): pass
class InvalidAlleleError(PyArdError): pass
`
/** Stand-in for py-ard's batch tool: copies a table. */
const TOOL = `#!/usr/bin/env python3
import json, shutil, sys, time
facts = json.load(open(sys.argv[sys.argv.index("-c") + 1]))
assert facts["redux_type"] == "lgx" and facts["locus_column_mapping"]["donor"]["A"] == ["A_1", "A_2"]
time.sleep(0.8)
shutil.copy(facts["in_csv_filename"], facts["out_csv_filename"])
`

mkdirSync(temp('peer/pyard'), { recursive: true })
mkdirSync(temp('tools'), { recursive: true })
writeFileSync(temp('peer/pyard/__init__.py'), STAND_IN)
writeFileSync(temp('peer/pyard/exceptions.py'), EXCEPTIONS)
writeFileSync(temp('tools/pyard-reduce-csv'), TOOL)
chmodSync(temp('tools/pyard-reduce-csv'), 0o755)

interface Results {
  readonly subjects: Readonly<Record<string, readonly { arm: string; wall: readonly number[] }[]>>
  readonly verdicts: Readonly<Record<string, readonly { arm: string; beside: string; verdict: string }[]>>
  readonly answers: { asked: number; rows: Record<string, number>; unexplained: readonly string[] } | null
  readonly missing: readonly string[]
}

function bench(words: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const counts = '--rows 200 --pyard-rows 10 --requests 20 --rounds 2'
  const release = sharedPath('upstream/IMGTHLA')
  return runShell(`python3 '${ROOT}/docs/benchmarks/bench.py' --release '${release}' ${counts} ${words}`, {
    cwd: temp('.'),
    env: {
      PATH: `${temp('tools')}:${process.env['PATH'] ?? ''}`,
      NODE: process.execPath,
      PROGRAM: join(ROOT, 'bin/hla.cjs'),
      ...env,
    },
  })
}

const read = (name: string) => JSON.parse(readFileSync(temp(`${name}/results.json`), 'utf8')) as Results

/** Verdicts that are certain for a table of 200 rows; a start takes only about 1.3 times as long as Node's. */
const verdictsOn = ({ verdicts }: Results) =>
  Object.entries(verdicts).flatMap(([subject, words]) =>
    words
      .filter(({ beside }) => !beside.startsWith('node -e 0'))
      .map(({ arm, beside, verdict }) => [subject, arm, beside, verdict]),
  )

describe.skipIf(!hasShared || !hasPython)('the public benchmark', () => {
  test('makes its page from nothing, twice with the same verdicts', async () => {
    for (const name of ['first', 'second']) {
      const ran = await bench(`--pyard '${temp('peer')}' -o ${name}`)
      expect(ran).toMatchObject({ status: 0, stdout: '' })
    }
    const [first, second] = [read('first'), read('second')]
    expect(Object.keys(first.subjects)).toEqual(['start', 'table of frequent typings', 'table of various typings', 'service']) // prettier-ignore
    expect(first.subjects['table of various typings']?.map(({ arm }) => arm)).toEqual(
      expect.arrayContaining([
        'hla',
        'Python csv, copying only',
        'py-ard, a loop, typings new to it',
        'py-ard, a loop, its cache warm',
        'py-ard, its tool for tables',
      ]),
    )
    const times = Object.values(first.subjects).flat().map(({ wall }) => wall) // prettier-ignore
    expect(times.every((wall) => wall.length >= 2 && wall.every((seconds) => seconds > 0))).toBe(true)
    expect(first.answers).toMatchObject({ rows: {}, unexplained: [] })
    expect(first.answers?.asked).toBeGreaterThan(200)
    const words = verdictsOn(first)
    expect(words).toHaveLength(1 + 2 * 2 * (hasProgram('mlr', 'mlr', '--version') ? 5 : 4))
    expect(words.filter(([, , beside = '']) => beside.startsWith('py-ard')).map((word) => word[3])).toEqual(
      Array(1 + 2 * 2 * 3).fill('faster'),
    )
    expect(verdictsOn(second)).toEqual(words)
    const page = readFileSync(temp('first/README.md'), 'utf8')
    expect(page).toContain('without a known reason, 0 answers differ')
    expect(page).toContain("py-ard's service: start it and give `--pyard-service PORT`")
    for (const [, picture] of page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g))
      expect(readFileSync(temp(`first/${picture ?? ''}`), 'utf8')).toMatch(/^<svg [\s\S]+<\/svg>\n$/)
  })

  test('an answer without a known reason stands first, and makes the exit status 1', async () => {
    writeFileSync(temp('own.csv'), 'id,A_1,A_2\n1,A*01:01,A*02:01\n')
    const words = `--pyard '${temp('peer')}' -i own.csv --rounds 1 -o otherwise`
    expect(await bench(words, { OTHERWISE: 'A*01:01' })).toMatchObject({ status: 1, stdout: '' })
    const { answers, subjects } = read('otherwise')
    expect(answers?.rows).toEqual({ '-': 3 })
    expect(answers?.unexplained).toContain('-\tlgx\tA*01:01\tA*99:98\tA*01:01')
    expect(subjects['table of yours']?.map(({ arm }) => arm)).toContain('hla')
    const page = readFileSync(temp('otherwise/README.md'), 'utf8')
    expect(page).toContain('| **without a row** | 3 |')
  })

  test('a word is said of what is clear, and what is close is measured again', () => {
    const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
import bench
ones = [bench.verdict({"arm": "hla", "typings": 0, "wall": [1] * len(walls)}, {"arm": "x", "typings": 0, "wall": walls}) for walls in json.loads(sys.argv[2])]
start = {"typings": 0, "wall": [1, 2, 3], "processor": [1, 1, 1]}
ones.append(bench.verdict({**start, "arm": "hla", "wall": [3, 2, 1]}, {**start, "arm": "x", "processor": [2, 2, 2]}))
print(json.dumps([[one["verdict"], bench.is_in_doubt(one)] for one in ones]))`
    const rounds = [
      [2, 2, 2, 2, 0.5],
      [1.16, 1.16, 1.16, 1.16, 1.16],
      [1.01, 1.02, 1.03, 1.04, 1.05],
      [0.5, 0.5, 3, 3, 0.5],
      [0.5, 0.4, 0.6, 0.5, 1.1],
      [0.88, 0.88, 0.88, 0.88, 0.88],
    ]
    const words = ['-c', script, join(ROOT, 'docs/benchmarks'), JSON.stringify(rounds)]
    expect(JSON.parse(execFileSync('python3', words, { encoding: 'utf8' }))).toEqual([
      // one round of five was disturbed
      ['faster', false],
      ['faster', true],
      ['too close to call', true],
      // contradictory rounds
      ['too close to call', true],
      ['slower', false],
      ['too close to call', true],
      // a start, by processor time
      ['faster', false],
    ])
  })

  test('what cannot be measured is refused, or named', async () => {
    const refused = await bench(`--pyard '${temp('nowhere')}'`)
    expect(refused.stderr).toContain("py-ard cannot be loaded: ModuleNotFoundError: No module named 'pyard'")
    expect(refused.status).toBe(2)
    const other = await bench('--number 9.99.0')
    expect(other.status).toBe(2)
    expect(other.stderr).toContain('9.99')
  })
})
