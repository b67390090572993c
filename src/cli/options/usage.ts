/** Rewrites commander's usage errors in this program's words, with the correct command line. */
import type { Command, CommanderError } from 'commander'
import { existsSync } from 'node:fs'
import { type Advice, advice, command, shellWord } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { adviceOn } from '../../options/command-aliases.ts'
import { closest } from './closest.ts'
import { everyOptionIn } from './declare/sparse-command.ts'
import { removedCommand, removedOption } from './removed-options.ts'

/** `words` are the command line, the command first. */
export function explainUsage(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  words: readonly string[],
  program: Command,
): HlaError {
  const command = findCommand(words, program)
  const text = message.replace(/^error: /, '').replace(/\.$/, '')
  const quoted = /'([^']*)'/.exec(text)?.[1] ?? ''
  if (code === 'commander.unknownCommand')
    return unknownCommand(quoted, listNames(command), fullName(command))
  if (code === 'commander.unknownOption') return unknownOption(quoted, words, command)
  const meant = meantValue(code, words)
  if (meant !== undefined) return new HlaError('usage', text, { hint: meant })
  const sentence = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return new HlaError('usage', sentence, { hint: `Run ${fullName(command)} --help for all options.` })
}

/** `within` is the command whose subcommands `names` are. */
export function unknownCommand(asked: string, names: readonly string[], within = 'hla'): HlaError {
  const removed = removedCommand(`${within} ${asked}`)
  if (removed !== undefined) return removed
  const usual = usualCommand(within, asked)
  if (usual !== undefined) return new HlaError('usage', `unknown command "${asked}"`, { hint: usual })
  return new HlaError('usage', `unknown command "${asked}"`, {
    hint: adviceOn(asked) ?? `${didYouMean(closest(asked, names, 1))}Run ${within} --help for all commands.`,
  })
}

function unknownOption(option: string, words: readonly string[], command: Command): HlaError {
  if (option === '-g') return typingsAreArguments(fullName(command), words)
  const known = everyOptionIn(command).flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)]))
  const asked = option.replace(/^--?/, '').replace(/=.*$/, '')
  const removed = removedOption(asked, `--${asked}`)
  if (removed !== undefined) return removed
  const usual = usualOption(option, words, known)
  if (usual !== undefined) return new HlaError('usage', `unknown option "${option}"`, { hint: usual })
  const shown = everyOptionIn(command).flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? [])))
  const near = option.startsWith('--') ? closest(asked, [...shown, 'help'], 1).map((name) => `--${name}`) : []
  if (known.includes(asked)) return new HlaError('usage', `${option} goes after "${fullName(command)}"`)
  return new HlaError('usage', `unknown option "${option}"`, {
    hint: `${didYouMean(near)}Run ${fullName(command)} --help for all options.`,
  })
}

/** Suggested command line for an invalid value or a surplus operand. */
function meantValue(code: string, words: readonly string[]): Advice | undefined {
  const [name = '', ...args] = words
  if (code === 'commander.invalidArgument') {
    // the value of -f is an existing file: -f is the format of results
    const at = args.findIndex(
      (word, place) => /^(?:-f|--format)$/.test(args[place - 1] ?? '') && existsSync(word),
    )
    return at < 0
      ? undefined
      : advice`a file is read with -i: ${command(name, { args: args.with(at - 1, '-i') })}`
  }
  if (code !== 'commander.excessArguments') return undefined
  const [operand = ''] = args.filter((word) => !word.startsWith('-'))
  if (name === 'serve' && /^\d{2,5}$/.test(operand))
    return advice`did you mean ${command(name, { args: ['--port', ...args] })}?`
  if (name !== 'pipe' || operand.includes('*')) return undefined
  return [`requests are read from standard input: `, { shell: `hla pipe < ${shellWord(operand)}` }]
}

function didYouMean([near]: readonly string[]): string {
  return near === undefined ? '' : `Did you mean "${near}"?   `
}

/** Explains `-g`, which takes a typing in py-ard. */
function typingsAreArguments(command: string, words: readonly string[]): HlaError {
  const typing = words[words.indexOf('-g') + 1] ?? 'A*01:01'
  return new HlaError(
    'usage',
    `-g names GL-string columns of a table. Typings are arguments: ${command} '${typing}'`,
  )
}

/** Innermost command named by the words. */
function findCommand(words: readonly string[], program: Command): Command {
  const outer = program.commands.find((command) => command.name() === words[0]) ?? program
  return outer.commands.find((command) => words.slice(1).includes(command.name())) ?? outer
}

function listNames(command: Command): string[] {
  return command.commands.map((one) => one.name())
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}

/** Option of hla -> names of it in other programs; an option with a value replaces the whole option. */
const OPTIONS: readonly (readonly [words: string, names: string])[] = [
  ['--input', 'file infile in input-file filename csv-file in-file'],
  ['--output', 'out outfile out-file output-file save to-file'],
  ['--method', 'redux-type reduction reduction-method reduction-type redux type level reduce-to to-level resolution'],
  ['--release', 'imgt-version imgt db db-version release-version imgt-release version-imgt hla-version'],
  ['--delimiter', 'sep separator delim field-separator'],
  ['--jobs', 'threads cores workers processes cpus nproc parallel'],
  ['--plan', 'dry-run preview check-only dryrun'],
  ['--quiet', 'silent no-progress'],
  ['--locus', 'loci gene genes'],
  ['--columns', 'cols column col'],
  ['--id-column', 'id sample-id id-col index-col'],
  ['--format jsonl', 'ndjson json-lines'],
  ['--no-strict', 'non-strict'],
  ['--color never', 'no-color no-colour'],
  ['--on-error keep', 'ignore-errors skip-errors keep-going continue'],
  ['--no-header', 'noheader without-header'],
  ['--missing', 'na na-values na-value null'],
  ['--into replace', 'replace inplace in-place overwrite'],
  ['--data-dir', 'data datadir data-directory cache-dir'],
  ['--accept lenient', 'fix correct relaxed tolerant fuzzy'],
  ['--sheet', 'sheet-name worksheet tab'],
] // prettier-ignore

const OURS: ReadonlyMap<string, readonly string[]> = new Map(
  OPTIONS.flatMap(([words, names]) => names.split(' ').map((name) => [name, words.split(' ')])),
)

/**
 * Suggests the command line with hla's name of the option. `option` is as typed: `--threads`, `--out=x`; `known` are
 * the command's options, without dashes.
 */
function usualOption(option: string, words: readonly string[], known: readonly string[]): Advice | undefined {
  const [name = '', value] = option.replace(/^--?/, '').split(/=(.*)/s)
  const [ours, ...rest] = OURS.get(name) ?? []
  if (ours === undefined || !(known.includes(ours.slice(2)) || ours.startsWith('--no-'))) return undefined
  const typed = words.flatMap((word) => {
    if (word !== option) return [word]
    return [ours, ...rest, ...(value === undefined || rest.length > 0 ? [] : [value])]
  })
  return typedLine(typed)
}

/** Suggests a command for an unknown word after `hla data`, `hla` and others. */
function usualCommand(within: string, asked: string): Advice | undefined {
  const release = /^(?:v?\d\.\d{1,2}(?:\.\d)?|\d{4}|latest)$/.test(asked) ? asked : undefined
  if (within === 'hla data' && release !== undefined) return typedLine(['data', 'install', release])
  const meant = COMMANDS.get(`${within} ${asked}`)
  return meant === undefined ? undefined : typedLine(meant.split(' '))
}

const COMMANDS: ReadonlyMap<string, string> = new Map([
  ...['update', 'upgrade', 'download', 'add', 'fetch', 'get', 'import', 'init', 'setup'].map((word) => [`hla data ${word}`, 'data install latest'] as const),
  ...['download', 'fetch', 'import', 'init', 'setup', 'pyard-import'].map((word) => [`hla ${word}`, 'data install latest'] as const),
  ...['status', 'releases', 'versions', 'databases', 'pyard-status'].map((word) => [`hla ${word}`, 'data list'] as const),
  ...['status', 'ls', 'show', 'releases'].map((word) => [`hla data ${word}`, 'data list'] as const),
  ...['delete', 'rm', 'uninstall'].map((word) => [`hla data ${word}`, 'data remove --help'] as const),
  ...['server', 'start', 'web', 'http', 'gui', 'ui', 'service', 'api'].map((word) => [`hla ${word}`, 'serve --help'] as const),
  ...['formats', 'errors', 'tables', 'exit-codes'].map((word) => [`hla ${word}`, `help ${word}`] as const),
  ...['docs', 'examples', 'manual', 'usage', 'tutorial'].map((word) => [`hla ${word}`, 'help'] as const),
  ...['settings', 'options'].map((word) => [`hla ${word}`, 'config list'] as const),
  ...['reduce-csv', 'pyard-reduce-csv', 'csv', 'table'].map((word) => [`hla ${word}`, 'help tables'] as const),
]) // prettier-ignore

function typedLine([name = '', ...args]: readonly string[]): Advice {
  return advice`did you mean ${command(name, { args })}?`
}
