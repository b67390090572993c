/**
 * Command lines of new users: each is read as meant, with the whole command line on stderr, or its advised line works.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { adviceSteps, type CommandAdvice } from '../../src/advice.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { guessCommand } from '../../src/cli/guess/command.ts'
import { guessOperands } from '../../src/cli/guess/operands.ts'
import { withReading } from '../../src/cli/guess/respell.ts'
import { commandNames, loadPrograms } from '../../src/cli/commands/programs.ts'
import { rowOf } from '../../src/cli/options/option-of.ts'
import { buildProgram } from '../../src/cli/options/program.ts'
import { explainUsage } from '../../src/cli/options/usage.ts'
import { assured, HlaError, isHlaError } from '../../src/errors.ts'
import { QUESTIONS } from '../../src/manual/migration.ts'
import { openData } from '../../src/open.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('')

beforeAll(() => {
  const header = 'id,A_1,A_2\n'
  for (const name of ['donors.csv', 'd1.csv', 'd2.csv', 'A*01:01', 'A2', '3580.csv'])
    writeFileSync(
      join(cwd, name),
      `${header}${name.slice(0, 2)},A*01:01,A*02:01
2,A*24:02,
`,
    )
  writeFileSync(join(cwd, 'conf.json'), '{}')
  writeFileSync(join(cwd, 'codes.txt'), 'A*02:AB\n')
  mkdirSync(join(cwd, 'A*02:01'))
  mkdirSync(join(cwd, 'files'))
  writeFileSync(join(cwd, 'files/a.csv'), `${header}1,A*01:01,A*02:01\n`)
  writeFileSync(join(cwd, 'tabs.txt'), 'id\tA_1\tA_2\n1\tA*01:01\tA*02:01\n')
})

const run = (args: readonly string[]) => callHla(args, { cwd })

describe('a guess is answered as what it means, which is said in one line', () => {
  test.for([
    [['A*01:01'], ['redux', 'A*01:01']],
    [['A*02:01'], ['redux', 'A*02:01']],
    [
      ['-m', 'G', 'A*01:01'],
      ['redux', '-m', 'G', 'A*01:01'],
    ],
    [
      ['A*01:01', '-m', 'G'],
      ['redux', 'A*01:01', '-m', 'G'],
    ],
    [['HLA-A*01:01+HLA-A*02:01'], ['redux', 'HLA-A*01:01+HLA-A*02:01']],
    [
      ['A*01:01', 'B*07:02'],
      ['redux', 'A*01:01', 'B*07:02'],
    ],
    [['donors.csv'], ['redux', '-i', 'donors.csv']],
    [
      ['donors.csv', '-m', 'G'],
      ['redux', '-i', 'donors.csv', '-m', 'G'],
    ],
    [['./donors.csv'], ['redux', '-i', './donors.csv']],
    [
      ['-i', 'donors.csv'],
      ['redux', '-i', 'donors.csv'],
    ],
    [
      ['redux', 'donors.csv'],
      ['redux', '-i', 'donors.csv'],
    ],
    [
      ['redux', '--into', 'replace', 'donors.csv'],
      ['redux', '--into', 'replace', '-i', 'donors.csv'],
    ],
    [
      ['validate', 'donors.csv'],
      ['validate', '-i', 'donors.csv'],
    ],
    [
      ['mac', 'codes.txt'],
      ['mac', '-i', 'codes.txt'],
    ],
    [
      ['ard', 'codes.txt'],
      ['ard', '-i', 'codes.txt'],
    ],
    [
      ['redux', '-g', 'A*02:AB', '-r', 'lgx'],
      ['redux', '-m', 'lgx', 'A*02:AB'],
    ],
    [
      ['-g', 'A*02:AB', '-r', 'lgx'],
      ['redux', '-m', 'lgx', 'A*02:AB'],
    ],
    [
      ['--gl', 'A*02:AB', '-r', 'G'],
      ['redux', '-m', 'G', 'A*02:AB'],
    ],
    [
      ['pyard', '-g', 'A*02:AB', '-r', 'lgx'],
      ['redux', '-m', 'lgx', 'A*02:AB'],
    ],
    [
      ['--validate', '-g', 'A*01:01'],
      ['validate', 'A*01:01'],
    ],
    [
      ['--expand-mac', 'A*02:AB'],
      ['mac', 'A*02:AB'],
    ],
    [
      ['redux', '-r', 'lgx', 'A*02:AB'],
      ['redux', '-m', 'lgx', 'A*02:AB'],
    ],
    [
      ['blend', 'DRB1*03:01+DRB1*04:01', 'DRB3*01:01'],
      ['blend', 'DRB1*03:01+DRB1*04:01', '--drb3', 'DRB3*01:01'],
    ],
    [
      ['blend', 'DRB1*03:01', 'DRB1*04:01', 'DRB3*01:01', 'DRB4*01:03'],
      ['blend', 'DRB1*03:01+DRB1*04:01', '--drb3', 'DRB3*01:01', '--drb4', 'DRB4*01:03'],
    ],
  ] as const)('%o', async ([typed, meant]) => {
    const [guess, full] = [await run(typed), await run(meant)]
    expect(full.status).toBe(0)
    expect({ stdout: guess.stdout, status: guess.status }).toEqual({
      stdout: full.stdout,
      status: full.status,
    })
    const line = adviceText([{ command: assured(meant[0], 'a command'), args: meant.slice(1) }], 'command-line') // prettier-ignore
    expect(guess.stderr.split('\n')).toContainEqual(expect.stringContaining(`read as ${line ?? ''}`))
    expect(full.stderr).not.toContain('read as')
  })

  test('the formats csv and tsv of a table are its delimiter', async () => {
    const guess = await run(['redux', '-i', 'donors.csv', '--format', 'tsv'])
    const full = await run(['redux', '-i', 'donors.csv', '-D', 'tab'])
    expect(guess.stdout).toBe(full.stdout)
    expect(guess.stderr).toContain('read as -D tab')
  })

  test('the releases of lift are read in front of the names', async () => {
    const { stderr } = await run(['lift', '3.29.0', 'A*24:329'])
    expect(stderr).toContain(`read as hla lift --from 3.29.0 'A*24:329'`)
  })

  test('what is no more than a word stays an unknown command', async () => {
    for (const word of ['foo', 'A0201', 'B', 'nofile.csv', 'A99999', '--foo']) {
      const { status, stdout, stderr } = await run([word])
      expect({ word, status, stdout }).toEqual({ word, status: 2, stdout: '' })
      expect(stderr).toContain('unknown')
    }
  })

  test('a typing is one, whatever files are in the folder', async () => {
    expect((await run(['redux', 'A*02:01'])).stdout).toBe('A*02:01\n')
    const { stderr } = await run(['redux', 'A2'])
    expect(stderr).not.toContain('read as')
  })
})

function stepOf(error: HlaError): { readonly argv: readonly string[]; readonly text: string } {
  const steps = adviceSteps(error.hint).filter((one): one is CommandAdvice => 'command' in one)
  const step = assured(steps.at(-1), `advice of ${error.message}`)
  const text = adviceText(error.hint, 'command-line') ?? ''
  return { argv: [...step.command.split(' '), ...(step.args ?? [])], text }
}

function stepsText({ hint }: HlaError): string {
  return adviceText(hint, 'command-line') ?? ''
}

function thrown(work: () => unknown): HlaError {
  try {
    work()
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** The wrong line prints the advice, and the advised line works. */
async function expectWorking(typed: readonly string[], error: HlaError, stdout?: string): Promise<void> {
  const { argv, text } = stepOf(error)
  const [wrong, right] = [await run(typed), await run(argv)]
  expect(wrong.status).toBeGreaterThan(0)
  expect(wrong.stderr).toContain(text.split('\n').at(-1))
  expect({ argv, status: right.status, stderr: right.status === 0 ? '' : right.stderr }).toMatchObject({ status: 0, stderr: '' }) // prettier-ignore
  if (stdout !== undefined) expect(right.stdout).toBe(`${stdout}\n`)
}

describe('a typing that cannot be read is advised as the one that can', () => {
  const knowledge = openData('starter', undefined)
  test.for([
    ['redux', 'DRB1_15_01', 'DRB1*15:01'],
    ['redux', 'hla-a*01:01', 'A*01:01', 'case'],
    ['redux', 'DQA1*05:01-DQB1*02:01', 'DQA1*05:01~DQB1*02:01'],
    ['redux', 'HLA-DQA10501-DQB10201', 'DQA1*05:01~DQB1*02:01'],
    ['redux', 'A0201', 'A*02:01'],
    ['redux', 'HLA-A02:01', 'A*02:01'],
    ['redux', 'A-02:01', 'A*02:01'],
    ['redux', 'A*02.01', 'A*02:01'],
    ['redux', 'A*02;01', 'A*02:01'],
    ['redux', 'A 02:01', 'A*02:01'],
    ['redux', '"A*02:01"', 'A*02:01'],
    ['redux', 'A*02:01+', 'A*02:01'],
    ['redux', 'A*1:1', 'A*01:01', 'zero'],
    ['redux', 'A*O1:01', 'A*01:01'],
    ['redux', 'A*01:01,A*02:01', 'A*01:01+A*02:01'],
    ['redux', 'A*01:01 A*02:01', 'A*01:01+A*02:01'],
    ['redux', 'A*01:01; B*07:02', 'A*01:01^B*07:02'],
    ['redux', 'A*02:01/02:02', 'A*02:01/A*02:02'],
    ['redux', 'A*02:01/02', 'A*02:01/A*02:02'],
    ['validate', 'DRB1_15_01', 'valid'],
    ['mac', 'A*02:ab', 'A*02:01/A*02:02', 'case'],
    ['mac', 'AB', 'A*01:01/A*01:02'],
  ] as const)('%s %s', async ([name, text, stdout, accept]) => {
    const operation = assured(operationNamed(name), 'an operation')
    const executor = localExecutor(knowledge)
    const input = name === 'redux' ? { reduction_method: 'lgx' } : {}
    const asked = { ...input, [operation.subject ?? '']: text }
    const found = operation.isNegative === undefined ? thrown(() => executor.execute(name, asked)) : undefined
    const first = found ?? new HlaError('bad-syntax', 'not read')
    const error = await withReading(first, text, { operation, executor, input, words: [name, text] })
    if (found !== undefined) await expectWorking([name, text], error, stdout)
    else expect((await run(stepOf(error).argv)).stdout).toBe(`${stdout}\n`)
    if (accept === undefined) return
    expect(stepsText(error)).toContain(`--accept ${accept}`)
    const lenient = await run([name, text, '--accept', accept])
    expect(lenient.stdout).toMatch(new RegExp(`^(?:HLA-)?${stdout.replaceAll('*', '\\*')}\n$`))
  })

  test('an antigen is not taken for a name that lost its asterisk', async () => {
    const operation = assured(operationNamed('splits'), 'an operation')
    const refused = new HlaError('starter', 'A10 is not covered')
    const asked = { operation, executor: localExecutor(knowledge), input: {}, words: ['splits', 'A10'] }
    expect(await withReading(refused, 'A10', asked)).toBe(refused)
  })
})

describe('operands that are no typings', () => {
  test.for([
    [['redux', 'dnoors.csv'], ['dnoors.csv']],
    [['validate', 'donor.csv'], ['donor.csv']],
    [
      ['redux', 'donors.csv', 'out.csv'],
      ['donors.csv', 'out.csv'],
    ],
    [['redux', '-i', 'donors.csv', 'new.csv'], ['new.csv'], ['donors.csv']],
    [
      ['redux', 'A*01:01', 'donors.csv'],
      ['A*01:01', 'donors.csv'],
    ],
  ] as const)('%o', async ([typed, operands, input]) => {
    const [name = ''] = typed
    const operation = assured(operationNamed(name), 'an operation')
    const options = { release: 'active', ...(input === undefined ? {} : { input }) }
    const back = process.cwd()
    process.chdir(cwd)
    const error = thrown(() => guessOperands({ operation, operands, options, words: typed }))
    process.chdir(back)
    await expectWorking(typed, error)
  })
})

/** Words of a shell line without expansions. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
}

const PROGRAMS = await loadPrograms()
const isCommand = (word: string) => commandNames().includes(word)

describe("py-ard's words", () => {
  test.for(QUESTIONS.map(({ peer, ours }) => [peer, ours] as const))('%s: %s', ([peer, ours]) => {
    const meant = guessCommand(shellWords(peer), isCommand)
    expect(meant?.join(' ').replace('-r 3290', '-r 3.29.0')).toBe(shellWords(ours).slice(1).join(' '))
  })

  test.for([
    ["-g 'A*01:AB' -r lgx", "redux -m lgx 'A*01:AB'"],
    ['--gl=A*01:AB', "redux -m all 'A*01:AB'"],
    ["redux -g 'A*02:AB' -r lgx", "redux -m lgx 'A*02:AB'"],
    ["redux -g 'A*02:AB'", "redux 'A*02:AB'"],
    ["validate -g 'A*01:01'", "validate 'A*01:01'"],
    ['pyard -i 3580 -g A1 -r lgx', 'redux -r 3580 -m lgx A1'],
    ["pyard redux 'A*01:01'", "redux 'A*01:01'"],
    ["--cwd 'A*02:AB'", "cwd 'A*02:AB'"],
  ] as const)('%s: %s', ([typed, meant]) => {
    expect(guessCommand(shellWords(typed), isCommand)).toEqual(shellWords(meant))
  })

  test.for([
    // -g and -i of hla: a column, a file
    ['redux -i donors.csv -g A*'],
    ["redux -i donors.csv -g 'A*01:01'"],
    ['redux -i donors.csv -g gl'],
  ] as const)('%s is a line of hla', ([typed]) => {
    expect(guessCommand(shellWords(typed), isCommand)).toBeUndefined()
  })

  test.for([
    ['pyard', 'help migrate'],
    ['py-ard', 'help migrate'],
    ['pyard-import', 'data install latest'],
    ['pyard-import -i 3580 --re-install --skip-mac -d here', 'data install 3580 --force --no-mac --data-dir here'],
    ['pyard-import --list', 'data list --available'],
    ['pyard-import --refresh-mac', 'data mac'],
    ['pyard-status', 'data list'],
    ['pyard-reduce-csv', 'help tables'],
    ['pyard-reduce-csv -c conf.json', 'redux --pyard-config conf.json'],
    ['pyard-csv-reduce -c conf.json -i 3580 -q', 'redux --pyard-config conf.json -r 3580 -q'],
  ] as const)('hla %s: hla %s, which is not run here', async ([typed, advised]) => {
    const { status, stdout, stderr } = await run(typed.split(' '))
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`did you mean hla ${advised}?`)
  }) // prettier-ignore
})

test('a settings file of py-ard that is not there is not advised', async () => {
  const { status, stderr } = await run(['pyard-csv-reduce', '-c', 'x'])
  expect(status).toBe(2)
  expect(stderr).toBe('hla: error: unknown command "pyard-csv-reduce"\n  there is no file x\n')
})

test('data import is advised as data install, with all of its words', async () => {
  const { stderr } = await run(['data', 'import', '3.58.0', '--from', 'folder'])
  expect(stderr).toContain('did you mean hla data install 3.58.0 --from folder?')
})

test('a value without its required option is advised with it', async () => {
  const { stderr } = await run(['drive', 'token', 'create', 'a@example.org'])
  expect(stderr).toContain('did you mean hla drive token create --user a@example.org?')
})

describe('names that an option has in other programs', () => {
  const COMMANDS = ['redux', 'validate', 'mac', 'lift']
  const rowsOf = (name: string) =>
    (buildProgram([name], PROGRAMS).commands.find((one) => one.name() === name)?.options ?? []).map(rowOf)

  test.for(COMMANDS)('%s: none is a name of another option, and each names one', (name) => {
    const rows = rowsOf(name)
    const all = [...rows.map((row) => row.name), ...rows.flatMap(({ synonyms = [] }) => synonyms)]
    expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([])
  })

  test('each is advised with its value, in the whole line', () => {
    const rows = rowsOf('redux').filter(({ synonyms }) => synonyms !== undefined)
    expect(rows.length).toBeGreaterThan(15)
    for (const { name, value, choices = ['x'], reading, synonyms = [] } of rows)
      for (const synonym of synonyms) {
        const given = value === undefined ? '' : `=${reading === 'number' ? '1' : name === 'method' ? 'G' : choices[0]}`
        const words = ['redux', '-i', 'donors.csv', `--${synonym}${given}`]
        const error = explainUsage({ code: 'commander.unknownOption', message: `error: unknown option '--${synonym}${given}'` }, words, PROGRAMS)
        expect(stepOf(error).argv).toEqual(['redux', '-i', 'donors.csv', `--${name}${given}`])
      }
  }) // prettier-ignore

  test.for([
    [['redux', '-i', 'donors.csv', '--sep', ',']],
    [['redux', '--file', 'donors.csv', '--sep', ',', '--redux-type=G']],
    [['redux', 'A*01:01', '--redux-type', 'G']],
    [['redux', '-i', 'donors.csv', '--dry-run']],
  ] as const)('%o: the advised line works', async ([typed]) => {
    const error = explainUsage({ code: 'commander.unknownOption', message: `error: unknown option '${typed.find((word) => word.startsWith('--'))}'` }, typed, PROGRAMS) // prettier-ignore
    await expectWorking(typed, error)
  })

  test('a line that the parser does not accept is not advised', async () => {
    const { stderr } = await run(['redux', '-i', 'donors.csv', '--threads'])
    expect(stderr).not.toContain('did you mean hla')
    expect((await run(['redux', '-i', 'donors.csv', '--sep', ',', '--nonsense'])).stderr).not.toContain('did you mean hla') // prettier-ignore
  })
})

describe('other wrong lines', () => {
  test.for([
    [['drive', 'user', 'remove'], 'hla drive user remove [options] <email>'],
    [['diff', '', '3.58.0', 'A*01:01'], 'the argument from_release is empty'],
    [['diff', '', ''], 'the argument from_release is empty'],
    [['data', 'use', ''], 'the argument release is empty'],
  ] as const)('%o: %s', async ([typed, said]) => {
    const { status, stderr } = await run(typed)
    expect(status).toBe(2)
    expect(stderr).toContain(said)
  })

  test.for([['-t', '2'], ['-n', '5'], ['--overwrite']])(
    'words of other programs that mean something else here advise nothing: %o',
    async (option) => {
      const { status, stderr } = await run(['redux', '-i', 'donors.csv', ...option])
      expect([status, stderr]).toEqual([
        2,
        `hla: error: unknown option "${option[0]}"\n  Run hla redux --help for all options.\n`,
      ])
    },
  )

  test('a name without its asterisk is advised once', async () => {
    for (const typed of [['redux', 'A01:01'], ['redux', 'A01:01+B07:02'], ['A01:01']])
      expect((await run(typed)).stderr.match(/did you mean/g)).toHaveLength(1)
  })
})
