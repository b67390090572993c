/**
 * Command lines of new users: each is read as meant, with the whole command line on stderr, or its advised line works.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { adviceSteps, adviceText, type CommandAdvice } from '../../src/advice.ts'
import { meantOperands } from '../../src/cli/guess/operands.ts'
import { withReading } from '../../src/cli/guess/respell.ts'
import { DECLARATIONS } from '../../src/cli/options/declare/programs.ts'
import { buildProgram } from '../../src/cli/options/program.ts'
import { explainUsage } from '../../src/cli/options/usage.ts'
import { assured, HlaError, isHlaError } from '../../src/errors.ts'
import { openData } from '../../src/open.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { runHla } from '../support/run-hla.ts'
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
  writeFileSync(join(cwd, 'codes.txt'), 'A*02:AB\n')
  mkdirSync(join(cwd, 'A*02:01'))
  mkdirSync(join(cwd, 'files'))
  writeFileSync(join(cwd, 'files/a.csv'), `${header}1,A*01:01,A*02:01\n`)
  writeFileSync(join(cwd, 'tabs.txt'), 'id\tA_1\tA_2\n1\tA*01:01\tA*02:01\n')
})

const run = (args: readonly string[]) => runHla(args, { cwd })

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
    const error = thrown(() => meantOperands({ operation, operands, options, words: typed }))
    process.chdir(back)
    await expectWorking(typed, error)
  })
})

describe('options, commands and values of other programs', () => {
  test.for([
    [['redux', 'A*01:01', '--redux-type', 'G'], 'unknownOption', "unknown option '--redux-type'"],
    [['redux', 'A*01:01', '--type=G'], 'unknownOption', "unknown option '--type=G'"],
    [['redux', '--threads', '1', '-i', 'donors.csv'], 'unknownOption', "unknown option '--threads'"],
    [['redux', '-i', 'donors.csv', '--sep', ','], 'unknownOption', "unknown option '--sep'"],
    [['redux', '--file', 'donors.csv'], 'unknownOption', "unknown option '--file'"],
    [['redux', '-i', 'donors.csv', '--outfile=o.csv'], 'unknownOption', "unknown option '--outfile=o.csv'"],
    [['redux', '-i', 'donors.csv', '--dry-run'], 'unknownOption', "unknown option '--dry-run'"],
    [['redux', '-i', 'donors.csv', '--na', 'x'], 'unknownOption', "unknown option '--na'"],
    [['redux', '-i', 'donors.csv', '--in-place'], 'unknownOption', "unknown option '--in-place'"],
    [['redux', '-i', 'donors.csv', '--ignore-errors'], 'unknownOption', "unknown option '--ignore-errors'"],
    [['redux', 'A*01:01', '--no-color'], 'unknownOption', "unknown option '--no-color'"],
    [['redux', 'A*01:01', '--ndjson'], 'unknownOption', "unknown option '--ndjson'"],
    [['redux', '-i', 'donors.csv', '--report', 'r.csv'], 'unknownOption', "unknown option '--report'"],
    [
      ['redux', '-i', 'donors.csv', '--output-csv', 'o.csv'],
      'unknownOption',
      "unknown option '--output-csv'",
    ],
    [['redux', '-@', '1', '-i', 'donors.csv'], 'unknownOption', "unknown option '-@'"],
    [['redux', '-t', '1', '-i', 'donors.csv'], 'unknownOption', "unknown option '-t'"],
    [['redux', '--tabs', '-i', 'tabs.txt'], 'unknownOption', "unknown option '--tabs'"],
    [['redux', '-i', 'donors.csv', '--select', 'A_1,A_2'], 'unknownOption', "unknown option '--select'"],
    [['redux', '-i', 'donors.csv', '--ignore', 'id'], 'unknownOption', "unknown option '--ignore'"],
    [['redux', '-i', 'donors.csv', '--melt'], 'unknownOption', "unknown option '--melt'"],
    [['redux', '-i', 'donors.csv', '--fail-fast'], 'unknownOption', "unknown option '--fail-fast'"],
    [
      ['redux', '-i', 'donors.csv', '--max-failures', '3'],
      'unknownOption',
      "unknown option '--max-failures'",
    ],
    [['redux', '-i', 'donors.csv', '--charset', 'utf8'], 'unknownOption', "unknown option '--charset'"],
    [['redux', '-i', 'donors.csv', '--debug'], 'unknownOption', "unknown option '--debug'"],
    [
      ['redux', '--file', 'donors.csv', '--sep', ',', '--threads=1'],
      'unknownOption',
      "unknown option '--file'",
    ],
    [['redux', 'A*01:01', '--output-type', 'json'], 'unknownOption', "unknown option '--output-type'"],
    [['redux', 'A*01:01', '-O', 'json'], 'unknownOption', "unknown option '-O'"],
    [['redux', '-f', 'donors.csv'], 'invalidArgument', "option '-f' argument 'donors.csv' is invalid"],
    [['status'], 'unknownCommand', "unknown command 'status'"],
    [['releases'], 'unknownCommand', "unknown command 'releases'"],
    [['data', 'ls'], 'unknownCommand', "unknown command 'ls'"],
    [['formats'], 'unknownCommand', "unknown command 'formats'"],
    [['server'], 'unknownCommand', "unknown command 'server'"],
  ] as const)('%o', async ([typed, code, message]) => {
    const back = process.cwd()
    process.chdir(cwd)
    const program = buildProgram(typed, DECLARATIONS)
    const error = explainUsage({ code: `commander.${code}`, message: `error: ${message}` }, typed, program)
    process.chdir(back)
    await expectWorking(typed, error)
  })

  test.for([
    [
      ['data', '3.58.0'],
      ['data', 'install', '3.58.0'],
    ],
    [
      ['data', 'update'],
      ['data', 'install', 'latest'],
    ],
    [['download'], ['data', 'install', 'latest']],
  ] as const)('what installs is advised, and not run here: %o', async ([typed, argv]) => {
    const [outer = ''] = typed
    const program = buildProgram(typed, DECLARATIONS)
    const quoted = typed.at(-1) ?? ''
    const error = explainUsage({ code: 'commander.unknownCommand', message: `error: unknown command '${quoted}'` }, typed, program) // prettier-ignore
    expect(stepOf(error).argv).toEqual(argv)
    expect((await run([outer, ...typed.slice(1)])).stderr).toContain(argv.join(' '))
  })

  const ANSWERED = [
    ['pyard', 'help migrate'],
    ['py-ard', 'help migrate'],
    ['pyard -v', 'version'],
    ['pyard redux A*01:01', 'redux A*01:01'],
    ['pyard-status', 'data list'],
    ['pyard-reduce-csv', 'help tables'],
    ['import donors.csv', 'redux -i donors.csv'],
    ['merge d1.csv d2.csv', 'redux -i d1.csv -i d2.csv'],
    ['cat d1.csv d2.csv -q', 'redux -i d1.csv -i d2.csv -q'],
    ['cohort files/', 'redux -i files/'],
    ['stats donors.csv', 'redux --plan -i donors.csv'],
    ['head donors.csv', 'redux --plan -i donors.csv'],
    ['process donors.csv', 'redux -i donors.csv'],
    ['export donors.csv -o o.tsv', 'redux -i donors.csv -o o.tsv'],
    ['lint donors.csv', 'validate -i donors.csv'],
    ['info A*01:01', 'explain A*01:01'],
    ['query A*01:01', 'explain A*01:01'],
    ['resolve A*01:AB', 'mac A*01:AB'],
    ['expand-mac A*01:AB', 'mac A*01:AB'],
    ['encode A*01:01/A*01:02', 'mac A*01:01/A*01:02'],
    ['g-group A*01:01', 'redux -m G A*01:01'],
    ['antigen A*01:01', 'redux -m S A*01:01'],
    ['lgx donors.csv', 'redux -m lgx -i donors.csv'],
    ['doctor', 'version'],
    ['config ls', 'config list'],
    ['config edit', 'config path'],
    ['help py-ard', 'help migrate'],
    ['help lgx', 'help methods'],
    ['help csv', 'help tables'],
    ['help quickstart', 'help'],
    ['completions bash', 'completion bash'],
    ['ls --help', 'drive ls --help'],
    ['drive server', 'drive serve --help'],
  ] as const
  test.for(ANSWERED)('hla %s: hla %s', async ([typed, advised]) => {
    const [wrong, right] = [await run(typed.split(' ')), await run(advised.split(' '))]
    const [name = '', ...args] = advised.split(' ')
    expect(wrong.status).toBe(2)
    expect(wrong.stderr).toContain(`did you mean ${adviceText([{ command: name, args }], 'command-line') ?? ''}?`) // prettier-ignore
    expect(right.status).toBe(0)
  })

  // these lines need data, a certificate or a store
  test.for([
    ['pyard-import', 'data install latest'],
    ['pyard-import -i 3580 --re-install --skip-mac', 'data install 3580 --force --no-mac'],
    ['pyard-import --list', 'data list --available'],
    ['pyard-import --refresh-mac', 'data mac'],
    ['pyard-reduce-csv -c conf.json', 'redux --pyard-config conf.json'],
    ['3.58.0', 'data install 3.58.0'],
    ['use 3.58.0', 'data use 3.58.0'],
    ['find A10', 'similar A10'],
    ['translate A*24:329', "lift 'A*24:329'"],
    ['compare d1.csv d2.csv', 'diff d1.csv d2.csv'],
    ['serve --listen 0.0.0.0', 'serve --host 0.0.0.0'],
    ['serve --cert a.pem --key b.pem', 'serve --tls-cert a.pem --tls-key b.pem'],
    ['serve -p 8081', 'serve --port 8081'],
    ['serve -w 2', 'serve --workers 2'],
    ['serve --tokens f', 'serve --token-file f'],
    ['redux A*01:01 --url http://localhost:1', "redux 'A*01:01' --remote http://localhost:1"],
    ['drive serve lab', 'drive serve --data lab'],
    ['drive serve --dir lab --listen ::1', 'drive serve --data lab --host ::1'],
    ['drive put -r folder /x', 'drive sync folder /x'],
    ['drive get -r /x folder', 'drive sync folder /x'],
    ['drive rm -r /x', 'drive rm --recursive /x'],
    ['drive sync -n a /x', 'drive sync --dry-run a /x'],
    ['drive token rm x', 'drive token revoke x'],
    ['drive user new a@b', 'drive user add a@b'],
    ['drive share /a --permission writer', 'drive share /a --role writer'],
  ] as const)('hla %s: hla %s, which is not run here', async ([typed, advised]) => {
    const { status, stderr } = await run(typed.split(' '))
    expect(status).toBe(2)
    expect(stderr).toContain(`did you mean hla ${advised}?`)
  })

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

  test('a name without its asterisk is advised once', async () => {
    for (const typed of [['redux', 'A01:01'], ['redux', 'A01:01+B07:02'], ['A01:01']])
      expect((await run(typed)).stderr.match(/did you mean/g)).toHaveLength(1)
  })

  test('a port and a file of requests', async () => {
    expect((await run(['serve', '8080'])).stderr).toContain('hla serve --port 8080')
    expect((await run(['pipe', 'requests.jsonl'])).stderr).toContain('hla pipe < requests.jsonl')
  })
})
