/**
 * Runs docs/compare/compare_pyard.py with a py-ard stand-in that returns recorded answers: it finds the differences,
 * and names them as the test suite does.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { answerOf, isRecorded, type Question } from '../conformance/comparison.ts'
import { judge } from '../conformance/judge.ts'
import { type CorpusRow, readCorpus } from '../support/corpus.ts'
import { installedData } from '../support/installed-data.ts'
import { hasProgram } from '../support/programs.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { type Ran, runShell } from '../support/run-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const SCRIPT = join(import.meta.dirname, '../../docs/compare/compare_pyard.py')
const hasPython = hasProgram('python3', 'python3', '--version')

/** A package named pyard that answers from a file. */
const STAND_IN = `
import builtins, json, os
from . import exceptions
__version__ = "2.3.1"
print("said by the stand-in")
class ARD:
    def __init__(self, release):
        self.release = release
        with open(os.environ["RECORDED"], encoding="utf-8") as file:
            self.answers = json.load(file)
    def get_db_version(self):
        return int(self.release)
    def redux(self, text, method):
        status, output = self.answers[f"{method} {text}"]
        if status == "ok":
            return output
        raise (getattr(exceptions, output, None) or getattr(builtins, output, None) or RuntimeError)(text)
def init(release, data_dir=None):
    print("Creating a database")
    assert os.environ["PYARD_RC"] == "no"
    return ARD(os.environ.get("OTHER_RELEASE", release))
`
const EXCEPTIONS = `
class PyArdError(Exception): pass
class InvalidAlleleError(PyArdError): pass
class InvalidMACError(PyArdError): pass
class InvalidTypingError(PyArdError): pass
`

mkdirSync(temp('peer/pyard'), { recursive: true })
writeFileSync(temp('peer/pyard/__init__.py'), STAND_IN)
writeFileSync(temp('peer/pyard/exceptions.py'), EXCEPTIONS)

async function compare(
  words: string,
  rows: readonly Pick<CorpusRow, 'method' | 'input' | 'status' | 'output'>[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  // prettier-ignore
  const answers = rows.map(({ method, input, status, output }) => [`${method} ${input}`, [status, output]])
  writeFileSync(temp('recorded.json'), JSON.stringify(Object.fromEntries(answers)))
  const stdin = [...new Set(rows.map(({ input }) => input))].join('\n')
  return runShell(`python3 '${SCRIPT}' ${words}`, {
    cwd: temp('.'),
    env: {
      HLA_DATA_DIR: await installedData(),
      PYTHONPATH: temp('peer'),
      RECORDED: temp('recorded.json'),
      ...env,
    },
    stdin: stdin === '' ? '' : `${stdin}\n`,
  })
}

describe.skipIf(!hasShared || !hasPython)('compare_pyard.py', () => {
  let made: Engine | undefined
  const engine = () => (made ??= makeEngine(realRelease('3580'), realMacs(), DEFAULT_OPTIONS))
  const question = (row: CorpusRow): Question => ({ row, release: '3580', unordered: false })

  test('names recorded differences as they are judged, and finds no other', async () => {
    const rows = ['alleles-3580', 'codes-3580', 'invalid-3580', 'gl-3580'].flatMap((file) => {
      const all = readCorpus(`dev/${file}.tsv.gz`).filter(({ op, input, output }) => op === 'redux' && input.length < 120 && !/[\r\n]/.test(input) && !output.startsWith('sha256:')) // prettier-ignore
      return all.filter((_, at) => at % Math.max(1, Math.floor(all.length / 1500)) === 0)
    })
    const differing = rows.filter((row) => !isRecorded(answerOf(engine(), row), question(row)))
    // typings with a recorded answer for every method, since each method gets each typing
    const methods = [...new Set(rows.map(({ method }) => method))]
    let named = 0
    const wrong: string[] = []
    for (const method of methods) {
      const own = rows.filter((row) => row.method === method)
      const { stdout, status } = await compare(`-r 3.58.0 -m ${method}`, own)
      expect([0, 1]).toContain(status)
      const said = new Map(stdout.trimEnd().split('\n').filter(Boolean).map((line) => [line.split('\t')[2], line.split('\t')[0]])) // prettier-ignore
      for (const row of own) {
        const reasons = differing.includes(row) ? judge(question(row), answerOf(engine(), row)).reasons : []
        const given = said.get(row.input)
        // an exception of py-ard other than Invalid… is a difference of its own
        const isLeak = row.status === 'error' && !row.output.startsWith('Invalid')
        if (reasons.length > 0) named += 1
        if (
          reasons.length > 0
            ? given === undefined || !(reasons.includes(given) || isLeak)
            : given !== undefined && !isLeak
        )
          wrong.push(`${method} ${row.input}: ${given} for ${reasons.join(',')} (${row.output})`)
      }
    }
    expect(named).toBeGreaterThan(100)
    expect(wrong.slice(0, 20), `${wrong.length} of ${named}`).toEqual([])
  })

  test('reads the typings of a table as hla does', async () => {
    writeFileSync(
      temp('donors.csv'),
      'id,A_1,A_2,note\n1,01:01:01,A*02:01:01,"x,y"\n2,01:01:01,99:99,\n3,1,,\n',
    )
    const row = (input: string, output: string) => ({ method: 'lgx', input, status: 'ok' as const, output })
    const answers = [row('A*01:01:01', 'A*01:01'), row('A*02:01:01', 'A*02:05'), row('A1', 'A*01:01')]
    const { stdout, stderr, status } = await compare('-r 3.58.0 -i donors.csv', answers)
    expect(stdout).toContain('-\tlgx\tA*02:01:01\tA*02:05\tA*02:01\n')
    expect(stdout).not.toContain('A*01:01:01\t')
    expect(stderr).toContain('py-ard 2.3.1 and hla over 3.58.0: 3 distinct typings')
    expect(status).toBe(1)
  })

  test('refuses to compare different releases, and says what is missing', async () => {
    const other = await compare('-r 3.58.0', [], { OTHER_RELEASE: '3570' })
    expect([other.status, other.stdout]).toEqual([2, ''])
    expect(other.stderr).toContain('py-ard answers from 3570, not from 3.58.0')
    const none = await compare('-r 3.58.0', [], { PYTHONPATH: temp('nowhere') })
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('py-ard is not installed here')])
  })
})

test('every name it gives is a row of the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/divergences.md'), 'utf8')
  const ids = new Set([...page.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id]) => id))
  const script = readFileSync(SCRIPT, 'utf8')
  const named = [...script.matchAll(/return .*?(?=\n)|: "[a-z0-9-]+"/g)].flatMap(([text]) => [...text.matchAll(/"([a-z][a-z0-9]*(?:-[a-z0-9]+)+|limit|malformed)"/g)].map(([, id]) => id)) // prettier-ignore
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((id) => !ids.has(id))).toEqual([])
})
