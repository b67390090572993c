/** Answers the completion script of a shell: `hla __complete SHELL …`.  [disk] */
import type { CommandFacts } from '../../../manual/command-facts.ts'
import {
  type Candidate,
  type Completion,
  type Lead,
  commandCandidates,
  complete,
  inList,
} from '../../../manual/completion/complete.ts'
import { forBash, splitLine } from '../../../manual/completion/shell-words.ts'
import { writeOut } from '../../../io/stdout.ts'
import type { Program } from '../../options/declare-command.ts'
import { commandFirst } from '../../options/options.ts'
import { commandFacts, overviewFacts } from '../../options/program-facts.ts'
import { COLUMN_LOCI } from '../../../table/words/locus-header.ts'
import { TOPICS } from '../../../manual/topic-names.ts'
import { LENIENCIES } from '../../../engine/accept.ts'
import { DESIGNATION_KINDS } from '../../../engine/options.ts'
import { ALL_METHODS, METHODS } from '../../../engine/reduce/methods.ts'
import { isHlaError } from '../../../errors.ts'
import { FILE_CATALOGUES, fileCatalogueIds } from '../../../reference/catalogues.ts'
import { listInstalled } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { settables, settingKeys } from '../config/settables.ts'
import { isSystemError } from '../../../io/system-error.ts'
import { isRelease } from '../table/concordance/compared-files.ts'
import { toByteText } from '../../../table/input/encoding.ts'
import { findHeader } from '../../../table/plan/find-header.ts'
import { readRequest } from '../../../table/plan/raw-table-options.ts'
import { makeHeader } from '../../../table/plan/header.ts'
import { readTableInput } from '../../../table/input/input.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { readRows, type TableRow } from '../../../table/input/read-table.ts'
import { openLocalInput } from '../../../io/file-port.ts'
import { defined } from '../../../options/option-row.ts'

/** bash passes its word breaks and the line up to the cursor; other shells pass the words without `hla`. */
export async function answerShell(
  [shell, ...words]: readonly string[],
  programs: readonly Program[],
): Promise<void> {
  const [breaks = '', text = ''] = words
  const line = splitLine(text)
  const isBash = shell === 'bash'
  const [before, current] = isBash
    ? [line.before.slice(1), line.current]
    : [words.slice(0, -1), words.at(-1) ?? '']
  const { kind, values } = await answer(before, current, programs)
  const lines = values.map(({ value, description }) =>
    [isBash ? forBash(value, line, breaks) : value, description.replace(/\s+/g, ' ')].join('\t'),
  )
  writeOut([kind, ...lines, ''].join('\n'))
}

interface CompletionAnswer {
  readonly kind: 'words' | 'parts' | 'files' | 'folders'
  readonly values: readonly Candidate[]
}

async function answer(
  before: readonly string[],
  current: string,
  programs: readonly Program[],
): Promise<CompletionAnswer> {
  const overview = overviewFacts(programs)
  const isCommand = (word: string) => overview.commands.some(({ words }) => words[0] === word)
  const [name = '', ...rest] = commandFirst(before, isCommand)
  if (isCommand(name)) return answerTo(complete(commandFacts(name, programs), rest, current), rest, programs)
  if (name === 'help') return answerTo(complete(HELP, rest, current), rest, programs)
  const withHelp = { ...overview, commands: [...overview.commands, HELP] }
  return answerTo(complete(withHelp, before, current), before, programs)
}

/** commander creates this command itself, so the registry lacks it. */
const HELP: CommandFacts = {
  words: ['help'],
  summary: 'Show all options and examples of a command, or a topic of the manual',
  description: '',
  usage: '',
  group: undefined,
  arguments: [{ name: 'page', description: '', isRequired: false, isVariadic: true, choices: undefined }],
  options: [],
  examples: [],
  commands: [],
}

async function answerTo(
  completion: Completion,
  before: readonly string[],
  programs: readonly Program[],
): Promise<CompletionAnswer> {
  if (completion.kind === 'candidates') {
    const { candidates, lead, goesOn } = completion
    return fitting(candidates, lead, goesOn === true ? 'parts' : 'words')
  }
  const { of, isList, lead, operands } = completion
  const values = await listValues({ of, before, operands, typed: lead.typed, programs })
  if (values === 'files' || values === 'folders') return { kind: values, values: [] }
  if (!isList && !values.isList) return fitting(values.candidates, lead, values.goesOn ? 'parts' : 'words')
  const last = inList(values.candidates, lead)
  return fitting(last.candidates, last.lead, 'parts')
}

function fitting(
  candidates: readonly Candidate[],
  { before, typed }: Lead,
  kind: CompletionAnswer['kind'],
): CompletionAnswer {
  const values = candidates
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, description }) => ({ value: before + value, description }))
  return { kind, values }
}

interface CompletionRequest {
  /** Name of the value in the definition. */
  readonly of: string
  /** Words after the command, and the operands among them. */
  readonly before: readonly string[]
  readonly operands: readonly string[]
  readonly typed: string
  readonly programs: readonly Program[]
}

interface Values {
  readonly candidates: readonly Candidate[]
  /** Commas may separate several values. */
  readonly isList: boolean
  /** The value continues without a space. */
  readonly goesOn: boolean
}

type Source = (request: CompletionRequest) => Promise<Values> | Values | 'files' | 'folders'

/** Name of a value in the definitions -> its candidates. Other values are free text. */
const SOURCES: Readonly<Record<string, Source>> = {
  rel: (request) =>
    single([...releases(request), { value: 'starter', description: 'the built-in starter set' }]),
  release: (request) => single(releases(request)),
  from_release: releasesOrFiles,
  to_release: releasesOrFiles,
  file: () => 'files',
  source: () => 'files',
  dir: () => 'folders',
  folder: () => 'folders',
  method: () =>
    single([
      ...Object.entries(METHODS).map(([value, { summary }]) => ({ value, description: summary })),
      { value: ALL_METHODS, description: 'every method that the release has' },
    ]),
  leniencies: () => several([...LENIENCIES, 'lenient', 'all'].map(candidate)),
  kinds: () => several(DESIGNATION_KINDS.map(candidate)),
  columns: async (request) => several((await columns(request)).map(candidate)),
  column: async (request) => single((await columns(request)).map(candidate)),
  'locus=columns': locusColumns,
  catalogue: () =>
    single(fileCatalogueIds().map((value) => ({ value, description: FILE_CATALOGUES[value].name }))),
  page: pages,
  key: ({ programs }) => single(settingKeys(settables(programs)).map(candidate)),
}

/** Names of values with completion. */
export const COMPLETED: readonly string[] = Object.keys(SOURCES)

async function listValues(request: CompletionRequest): Promise<Values | 'files' | 'folders'> {
  const source = Object.hasOwn(SOURCES, request.of) ? SOURCES[request.of] : undefined
  try {
    return (await source?.(request)) ?? single([])
  } catch (error) {
    // an unreadable table has no candidates: errors would disturb the shell
    if (isHlaError(error) || isSystemError(error)) return single([])
    throw error
  }
}

function single(candidates: readonly Candidate[]): Values {
  return { candidates, isList: false, goesOn: false }
}

function several(candidates: readonly Candidate[]): Values {
  return { candidates, isList: true, goesOn: true }
}

function candidate(value: string): Candidate {
  return { value, description: '' }
}

/** Values of hla diff, which compares releases or files. */
function releasesOrFiles(request: CompletionRequest): Values | 'files' {
  const { operands, typed } = request
  const [first] = operands
  const candidates = releases(request)
  const begins = typed === '' || candidates.some(({ value }) => value.startsWith(typed))
  return (first === undefined ? begins : isRelease(first)) ? single(candidates) : 'files'
}

function releases({ before }: CompletionRequest): Candidate[] {
  const installed = listInstalled(locateData(optionValue(before, '--data-dir')))
  return [
    ...installed.map(({ name }) => ({ value: name, description: 'installed' })),
    { value: 'active', description: 'the default release' },
  ]
}

/** Completes a locus, then its columns. */
async function locusColumns(request: CompletionRequest): Promise<Values> {
  const [, locus, columnList = ''] = /^([^=]*=)(.*,)?/s.exec(request.typed) ?? []
  if (locus === undefined) {
    return { ...single(COLUMN_LOCI.map((name) => candidate(`${name}=`))), goesOn: true }
  }
  const names = (await columns(request)).filter((name) => !columnList.split(',').includes(name))
  return { ...single(names.map((name) => candidate(`${locus}${columnList}${name}`))), goesOn: true }
}

/** Completes a command, its subcommand, or a topic. */
function pages({ operands, programs }: CompletionRequest): Values {
  const [first] = operands
  const overview = overviewFacts(programs)
  if (first === undefined) {
    const topics = Object.entries(TOPICS).map(([value, description]) => ({ value, description }))
    return single([...commandCandidates(overview.commands), ...topics])
  }
  const isCommand = overview.commands.some(({ words }) => words[0] === first)
  return single(
    isCommand && operands.length === 1 ? commandCandidates(commandFacts(first, programs).commands) : [],
  )
}

/** Column names of the input; column numbers without a header. @throws {HlaError} as opening and reading do */
async function columns({ before: words }: CompletionRequest): Promise<readonly string[]> {
  const file = optionValue(words, '--input', '-i')
  if (file === undefined || file === '-') return []
  const { name, bytes } = openLocalInput(file)
  const inputFormat = optionValue(words, '--input-format')
  const layout = layoutFor(inputFormat, file)
  const delimiter = optionValue(words, '--delimiter', '-d')
  const header = words.includes('-H') || words.includes('--no-header') ? false : undefined
  const reading = readRequest(defined({ delimiter, header }), layout, [])
  const input = await readTableInput(name, bytes(), { dialect: reading.dialect })
  const { dialect } = input
  const rows: TableRow[] = []
  for await (const block of readRows(toByteText(input.chunks(), dialect), dialect)) {
    rows.push(...block.filter(({ kind }) => kind === 'row'))
    if (rows.length > 1) break
  }
  const hasHeader = header ?? (layout?.header === 'find' ? true : layout?.header)
  const { names } = findHeader(rows, {
    table: file,
    encoding: dialect.encoding,
    said: hasHeader,
  })
  return makeHeader(file, names, rows[0]?.values.length ?? 0).labels
}

/** Value of an option: `--input x`, `--input=x`, `-i x`; undefined when not given. */
function optionValue(words: readonly string[], long: string, short?: string): string | undefined {
  const at = words.findLastIndex((word) => word === long || word === short || word.startsWith(`${long}=`))
  const word = words[at]
  return word?.startsWith(`${long}=`) === true ? word.slice(long.length + 1) : words[at + 1 || words.length]
}
