/** Options that every command shares, and their parsers. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { LENIENCIES } from '../../engine/accept.ts'
import { HlaError } from '../../errors.ts'
import { type DriveFlags, driveConnectionOptions } from '../../client/drive/cli/options/connection-options.ts'
import { type RemoteFlags, remoteOptions } from './remote-options.ts'
import { withBriefs } from './brief.ts'
import { FORMATS, type Format } from '../../operations/answers/records.ts'

/** Values as commander parses them. */
export interface GlobalOptions extends RemoteFlags, DriveFlags {
  readonly release: string
  readonly dataDir?: string
  readonly expectData?: string
  readonly input?: readonly string[]
  readonly output: string
  readonly format: Format
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly from?: string
  readonly lift?: boolean
  readonly accept?: readonly string[]
  readonly lenient?: boolean
  readonly quiet?: boolean
  readonly verbose: number
  readonly color: 'auto' | 'always' | 'never'
  readonly withInput?: boolean
  /** false: `--no-age-note` was given */
  readonly ageNote?: boolean
}

export function globalOptions(): Option[] {
  return withBriefs(declaredGlobals(), BRIEFS)
}

/** Short descriptions for `--help`. */
const BRIEFS = {
  release: 'release: 3.58.0, 3580, active or starter',
  'data-dir': 'folder of the installed releases',
  'expect-data': 'fail unless the data have this id (hla version)',
  input: 'file to read; -, drive:/…; repeatable',
  output: 'file to write; .gz compresses; drive:/…',
  'with-input': 'plain: print the input before the result',
  from: 'release of the names in the input',
  lift: 'translate names of any earlier release',
  accept: 'leniencies, lenient or all (hla help tables)',
  quiet: 'print only errors',
  color: 'colours of messages and tables',
  remote: 'ask a service instead of the data here',
  'header-file': 'with --remote: file of HTTP headers to send',
  'drive-token-file': 'file with the access token of the store',
  'drive-url': 'address of the file store',
}

function declaredGlobals(): Option[] {
  return [
    new Option('-r, --release <rel>', 'IPD-IMGT/HLA release to use: 3.58.0, 3580, active or starter')
      .env('HLA_RELEASE')
      .default('active'),
    new Option('--data-dir <dir>', 'folder in which releases are installed').env('HLA_DATA_DIR'),
    new Option(
      '--expect-data <id>',
      'fail unless the installed data match this data id, or part of one, as printed by hla version',
    ),
    new Option(
      '-i, --input <file>',
      'read typings from a file, one per line; - is standard input, drive:/… a file in a file store (repeatable)',
    ).argParser(collect),
    new Option(
      '-o, --output <file>',
      'write results to a file, which appears only when complete; .gz compresses, drive:/… is a file in a file store',
    ).default('-'),
    new Option('-f, --format <fmt>', 'output format').choices(FORMATS).env('HLA_FORMAT').default('plain'),
    // until 2.2.0
    new Option('--json', 'the name of -f json before 2.0.0').hideHelp(),
    new Option('--jsonl', 'the name of -f jsonl before 2.0.0').hideHelp(),
    new Option('--with-input', 'in plain format, print the input before the result'),
    new Option('--from <rel>', 'the names in the input come from this release: translate them first'),
    new Option(
      '--lift',
      'the names may come from any earlier release: translate them where that is unambiguous',
    ),
    new Option(
      '--accept <leniencies>',
      `leniencies to apply and report: ${LENIENCIES.join(',')}, lenient (all but v2 and excel) or all`,
    )
      .argParser(commaList)
      .env('HLA_ACCEPT'),
    new Option('--lenient', 'the name of --accept lenient before 2.0.0').hideHelp(),
    new Option('-q, --quiet', 'print no notes, progress or summary, only errors').env('HLA_QUIET'),
    new Option('-v, --verbose', 'print more: details of answers, timings')
      .argParser((_, before: number) => before + 1)
      .default(0),
    // meant for settings files: hla config set no-age-note true
    new Option('--no-age-note', 'do not note that the release is over a year old').hideHelp(),
    new Option('--color <when>', 'when to colour messages and tables')
      .choices(['auto', 'always', 'never'])
      .default('auto'),
    ...remoteOptions(),
    ...driveConnectionOptions(),
  ]
}

export const GLOBAL_TITLE = 'Global options:'

/**
 * Adds the global options. `reads` tells which ways of reading the command knows; options that it would ignore are
 * left out.
 */
export function addGlobalOptions(command: Command, reads: (property: string) => boolean): Command {
  for (const option of globalOptions()) {
    const property = READING.get(option.attributeName())
    if (property === undefined || reads(property)) command.addOption(option.helpGroup(GLOBAL_TITLE))
  }
  return command
}

/** Option that changes how typings are read -> the operation property that it fills. */
const READING: ReadonlyMap<string, string> = new Map([
  ['from', 'from'],
  ['lift', 'lift'],
  ['accept', 'accept'],
  ['lenient', 'accept'],
])

export function chooseFormat({ format, json, jsonl }: GlobalOptions): Format {
  if (json && jsonl) throw new HlaError('usage', '--json and --jsonl cannot be combined')
  return json ? 'json' : jsonl ? 'jsonl' : format
}

/**
 * Moves options that precede the command behind it. `argv` excludes node and script.
 * The options of a command are known only once the command is, so a word after an option counts as its value unless it
 * is a command.
 */
export function commandFirst(argv: readonly string[], isCommand: (word: string) => boolean): string[] {
  // fast path for the usual order: the options need not be built
  if (isCommand(argv[0] ?? '')) return [...argv]
  const global = globalOptions().filter((option) => option.required)
  const taking = new Set(global.flatMap(({ short, long }) => [short, long]))
  let candidate = -1
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word.startsWith('-') && word !== '-') {
      if (awaitsValue(word, taking)) at += 1
      continue
    }
    const mayBeValue = (argv[at - 1] ?? '').startsWith('-')
    if (isCommand(word) || !mayBeValue) return moved(argv, at)
    if (candidate < 0) candidate = at
  }
  return candidate < 0 ? [...argv] : moved(argv, candidate)
}

function moved(argv: readonly string[], at: number): string[] {
  return [argv[at] ?? '', ...argv.slice(0, at), ...argv.slice(at + 1)]
}

/**
 * True when the next word is the option's value: `-r`, `--release`, `-qr`. `-r3.58.0` and `--release=3.58.0` contain
 * theirs.
 */
function awaitsValue(word: string, taking: ReadonlySet<string | undefined>): boolean {
  if (word.startsWith('--')) return taking.has(word)
  const letters = word.slice(1).split('')
  return letters.findIndex((letter) => taking.has(`-${letter}`)) === letters.length - 1
}

export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value]
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('Ports go up to 65535.')
  return port
}

/** Parses a list. A repeated option adds to its list, as with all list options. */
export function commaList(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/[ ,]+/).filter((one) => one !== '')]
}

/** Parses methods; a single one is kept as typed, as in a request. */
export function methodList(text: string, before?: readonly string[]): string[] {
  return text.includes(',') ? commaList(text, before) : collect(text, before)
}

/** True for parsers of comma-separated lists. */
export function isListParser(parse: Option['parseArg']): boolean {
  return parse === commaList || parse === methodList
}

/** Parses a list whose first occurrence replaces the default. */
export function listInPlaceOf(defaults: readonly string[]) {
  return (text: string, before: readonly string[]) => commaList(text, before === defaults ? [] : before)
}

/** Parses comma-separated words; they may contain spaces. */
export function wordList(text: string, before: readonly string[] = []): string[] {
  const words = text.split(',').map((one) => one.trim())
  return [...before, ...words.filter((one) => one !== '')]
}

/** Joins columns to one text: names may contain spaces, so the table splits it. */
export function columnList(text: string, before?: string): string {
  return before === undefined ? text : `${before},${text}`
}

/** Drops undefined properties, so that the reader's defaults apply. */
export function defined(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
