/** Candidates for the end of a command line. */
import { describe, expect, test } from 'vitest'
import { loadPrograms } from '../../../src/cli/commands/programs.ts'
import { COMPLETED } from '../../../src/cli/run/completion/answer.ts'
import { commandFacts, programFacts } from '../../../src/cli/options/program-facts.ts'
import {
  type ArgumentFacts,
  type CommandFacts,
  type OptionFacts,
  withSubcommands,
} from '../../../src/manual/command-facts.ts'
import { complete, inList } from '../../../src/manual/completion/complete.ts'

const PROGRAMS = await loadPrograms()

/** `command | typed words` -> matching candidates, or the kind of value. */
function completed(line: string): string {
  const [asked = '', ...words] = line.split(' ')
  const completion = complete(commandFacts(asked, PROGRAMS), words.slice(0, -1), words.at(-1) ?? '')
  const { lead } = completion
  if (completion.kind === 'values') return `${lead.before}<${completion.of}>${lead.typed}`
  const fitting = completion.candidates.filter(({ value }) => value.startsWith(lead.typed))
  return fitting.map(({ value }) => lead.before + value).join(' ')
}

describe('complete', () => {
  test.for([
    ['redux --acc', '--accept'],
    ['redux --accept ', '<leniencies>'],
    ['redux --accept=', '--accept=<leniencies>'],
    ['redux --input-format wmda --la', ''],
    ['redux --input-format wm', 'wmda wmda-lines'],
    ['redux -m ', '<method>'],
    ['redux -m G -m l', '<method>l'],
    ['redux -qm ', '<method>'],
    ['redux -mG A', '<gl_string>A'],
    ['redux --format j', 'json jsonl'],
    ['redux -f t', 'tsv table'],
    ['redux --format=t', '--format=tsv --format=table'],
    ['redux -r 3.58.0 --relea', ''],
    ['redux --release=3.58.0 --relea', ''],
    ['redux x--format=j', '<gl_string>x--format=j'],
    ['redux -i x -i ', '<file>'],
    ['redux --in', '--input-format --into --input'],
    ['redux --remote --netw', '--network'],
    ['redux -- --la', '<gl_string>--la'],
    ['redux - --lift', '--lift'],
    ['cwd --categories C,', 'C,I C,WD C,R'],
    ['data ', 'install mac catalogue use remove list verify info path'],
    ['data i', 'install info'],
    ['data install ', '<release>'],
    ['data install 3.58.0 --from ', '<source>'],
    ['data --data-dir x u', 'use'],
    ['data list 3', '<>3'],
    ['diff ', '<from_release>'],
    ['diff 3.29.0 ', '<to_release>'],
    ['diff - ', '<to_release>'],
    ['diff 3.29.0 3.58.0 A', '<gl_string>A'],
    ['completion ', 'bash zsh fish'],
    ['man ', '<page>'],
    ['man data ', '<page>'],
    ['version ', '<>'],
  ] as const)('of "%s" is "%s"', ([line, expected]) => expect(completed(line)).toBe(expected))
})

test('the value of an argument is one, that of an option may be a list', () => {
  const redux = commandFacts('redux', PROGRAMS)
  const lead = { before: '', typed: 'A' }
  const value = { kind: 'values', operands: ['x'], lead }
  expect(complete(redux, ['x'], 'A')).toEqual({ ...value, of: 'gl_string', isList: false })
  expect(complete(redux, ['x', '--accept'], 'A')).toEqual({ ...value, of: 'leniencies', isList: true })
})

test('answers are whole: what each candidate is, and what goes before it', () => {
  const option = (long: string, more: Partial<OptionFacts> = {}): OptionFacts => ({
    flags: long,
    short: undefined,
    long,
    description: `says ${long}`,
    value: undefined,
    isValueOptional: false,
    isRepeatable: false,
    isList: false,
    choices: undefined,
    variable: undefined,
    default: undefined,
    group: undefined,
    ...more,
  })
  const argument = (name: string, more: Partial<ArgumentFacts> = {}): ArgumentFacts => ({
    name,
    description: '',
    isRequired: true,
    isVariadic: false,
    choices: undefined,
    ...more,
  })
  const command = (words: readonly string[], more: Partial<CommandFacts> = {}): CommandFacts => ({
    words,
    summary: `runs ${words.join(' ')}`,
    description: '',
    usage: '',
    group: undefined,
    arguments: [],
    options: [],
    examples: [],
    commands: [],
    ...more,
  })
  const list = option('--list', { value: 'one', isList: true, choices: ['a', 'b', 'c'] })
  const way = option('--way', { short: '-w', value: 'way', choices: ['in', 'out'] })
  const often = option('--often', { isRepeatable: true })
  const path = option('--path', { value: 'path', isValueOptional: true })
  const run = command(['group', 'run'], {
    options: [list, way, often, path],
    arguments: [argument('first', { choices: ['x', 'y'] }), argument('rest', { isVariadic: true })],
  })
  const group = command(['group'], { commands: [run, command(['group', 'stop'], { arguments: [argument('only')] })] })
  const named = (...values: string[]) => values.map((value) => ({ value, description: '' }))
  const said = (...values: string[]) => values.map((value) => ({ value, description: `says ${value}` }))
  const help = { value: '--help', description: 'all options, with examples' }
  const at = (...words: string[]) => complete(group, words.slice(0, -1), words.at(-1) ?? '')
  const lead = (typed: string, before = '') => ({ before, typed })

  expect(at('s')).toEqual({
    kind: 'candidates',
    candidates: [{ value: 'run', description: 'runs group run' }, { value: 'stop', description: 'runs group stop' }],
    lead: lead('s'),
  })
  expect(at('--')).toEqual({ kind: 'candidates', candidates: [help], lead: lead('--') })
  expect(at('run', '-')).toEqual({ kind: 'candidates', candidates: [...said('--list', '--way', '--often', '--path'), help], lead: lead('-') })
  expect(at('run', '--often', '-w', 'in', '--list=a', '--p')).toEqual({ kind: 'candidates', candidates: [...said('--often', '--path'), help], lead: lead('--p') })
  expect(at('run', '--way', 'o')).toEqual({ kind: 'candidates', goesOn: false, candidates: named('in', 'out'), lead: lead('o') })
  expect(at('run', '--way=o=p')).toEqual({ kind: 'candidates', goesOn: false, candidates: named('in', 'out'), lead: lead('o=p', '--way=') })
  expect(at('run', '--list=b,')).toEqual({ kind: 'candidates', goesOn: true, candidates: named('a', 'c'), lead: lead('', '--list=b,') })
  expect(at('run', '--path', '')).toEqual({ kind: 'candidates', candidates: named('x', 'y'), lead: lead('') })
  expect(at('run', '--path=x')).toEqual({ kind: 'values', of: 'path', isList: false, operands: [], lead: lead('x', '--path=') })
  for (const words of [['x'], ['x', 'z']])
    expect(at('run', ...words, 'w')).toEqual({ kind: 'values', of: 'rest', isList: false, operands: words, lead: lead('w') })
  expect(at('stop', 'z')).toEqual({ kind: 'values', of: 'only', isList: false, operands: [], lead: lead('z') })
  expect(at('stop', 'z', 'z')).toEqual({ kind: 'values', of: '', isList: false, operands: ['z'], lead: lead('z') })
  // behind "--" there are no options
  expect(at('run', '--', '--w')).toEqual({ kind: 'candidates', candidates: named('x', 'y'), lead: lead('--w') })
}) // prettier-ignore

test('inList completes the last member, and none twice', () => {
  const candidates = ['case', 'space'].map((value) => ({ value, description: '' }))
  expect(inList(candidates, { before: '--accept=', typed: 'case,sp' })).toEqual({
    candidates: [{ value: 'space', description: '' }],
    lead: { before: '--accept=case,', typed: 'sp' },
  })
})

test('every word that is completed is one of the definitions', () => {
  const commands = withSubcommands(programFacts(PROGRAMS))
  const used = commands.flatMap((command) => [
    ...command.options.map(({ value }) => value),
    ...command.arguments.map(({ name }) => name),
  ])
  expect(COMPLETED.filter((word) => !used.includes(word))).toEqual([])
})

test('every option and subcommand of every command is completed', () => {
  const commands = withSubcommands(programFacts(PROGRAMS)).filter(({ words }) => words.length > 0)
  const missing = commands.flatMap(({ words: [asked = '', ...words], options, commands: below }) => {
    const candidates = (typed: string) => {
      const completion = complete(commandFacts(asked, PROGRAMS), words, typed)
      return completion.kind === 'candidates' ? completion.candidates.map(({ value }) => value) : []
    }
    const wanted = options.map(({ long }) => long).filter((long) => !candidates(long).includes(long))
    const known = candidates('')
    const subcommands = below.flatMap((one) => one.words.at(-1) ?? []).filter((word) => !known.includes(word))
    return [...wanted, ...subcommands].map((word) => [asked, ...words, word].join(' '))
  })
  expect(missing).toEqual([])
})
