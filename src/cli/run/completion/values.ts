/** Values that only the machine knows: installed releases, the columns of a table, pages of the manual.  [disk] */
import { COLUMN_LOCI } from '../../../table/plan/locus-header.ts'
import type { Candidate } from '../../../manual/completion/complete.ts'
import { TOPICS } from '../../../manual/topic-names.ts'
import { LENIENCIES } from '../../../engine/accept.ts'
import { DESIGNATION_KINDS } from '../../../engine/options.ts'
import { ALL_METHODS, METHODS } from '../../../engine/reduce/methods.ts'
import { isHlaError } from '../../../errors.ts'
import { listInstalled } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { readConfigFile } from '../config/config-file.ts'
import { settingKeys } from '../config/settables.ts'
import { isSystemError } from '../../../io/system-error.ts'
import { commandFacts, overviewFacts } from '../../options/program-facts.ts'
import { settingFiles } from '../setting-files.ts'
import { isRelease } from '../table/concordance/compared-files.ts'
import { columnsIn } from './columns.ts'
import { optionValue } from './option-value.ts'

export interface CompletionRequest {
  /** As the definition calls the value. */
  readonly of: string
  /** The words behind the command, and of them the operands. */
  readonly before: readonly string[]
  readonly operands: readonly string[]
  readonly typed: string
}

export interface Values {
  readonly candidates: readonly Candidate[]
  /** Several may stand with commas between. */
  readonly isList: boolean
  /** Something follows without a space. */
  readonly goesOn: boolean
}

type Source = (asked: CompletionRequest) => Promise<Values> | Values | 'files' | 'folders'

/** Definition's word for the value -> where its candidates are. Any other is free text. */
const SOURCES: Readonly<Record<string, Source>> = {
  rel: (asked) => one([...releases(asked), { value: 'starter', description: 'the built-in starter set' }]),
  release: (asked) => one(releases(asked)),
  from_release: releasesOrFiles,
  to_release: releasesOrFiles,
  file: () => 'files',
  source: () => 'files',
  dir: () => 'folders',
  folder: () => 'folders',
  method: () =>
    one([...described(METHODS), { value: ALL_METHODS, description: 'every method that the release has' }]),
  leniencies: () => many([...LENIENCIES, 'lenient', 'all'].map(named)),
  kinds: () => many(DESIGNATION_KINDS.map(named)),
  columns: async (asked) => many((await columns(asked)).map(named)),
  column: async (asked) => one((await columns(asked)).map(named)),
  'locus=columns': locusColumns,
  catalogue: () => one([{ value: 'ciwd3', description: 'CIWD 3.0.0' }]),
  page: pages,
  key: () => one(settingKeys().map(named)),
  profile: profiles,
}

/** Words of definitions that are completed. */
export const COMPLETED: readonly string[] = Object.keys(SOURCES)

export async function listValues(asked: CompletionRequest): Promise<Values | 'files' | 'folders'> {
  const source = Object.hasOwn(SOURCES, asked.of) ? SOURCES[asked.of] : undefined
  try {
    return (await source?.(asked)) ?? one([])
  } catch (error) {
    // a shell must not be disturbed by a table that cannot be read: it has nothing to offer
    if (isHlaError(error) || isSystemError(error)) return one([])
    throw error
  }
}

function one(candidates: readonly Candidate[]): Values {
  return { candidates, isList: false, goesOn: false }
}

function many(candidates: readonly Candidate[]): Values {
  return { candidates, isList: true, goesOn: true }
}

function named(value: string): Candidate {
  return { value, description: '' }
}

function described(list: Readonly<Record<string, { readonly summary: string }>>): Candidate[] {
  return Object.entries(list).map(([value, { summary }]) => ({ value, description: summary }))
}

/** Of hla diff, which compares either. */
function releasesOrFiles(asked: CompletionRequest): Values | 'files' {
  const { operands, typed } = asked
  const [first] = operands
  const found = releases(asked)
  const begins = typed === '' || found.some(({ value }) => value.startsWith(typed))
  return (first === undefined ? begins : isRelease(first)) ? one(found) : 'files'
}

function releases({ before }: CompletionRequest): Candidate[] {
  const installed = listInstalled(locateData(optionValue(before, '--data-dir')))
  return [
    ...installed.map(({ name }) => ({ value: name, description: 'installed' })),
    { value: 'active', description: 'the release that is used when none is named' },
  ]
}

async function columns({ before }: CompletionRequest): Promise<readonly string[]> {
  const file = optionValue(before, '--input', '-i')
  return file === undefined || file === '-' ? [] : columnsIn(file, before)
}

/** A locus, then its columns. */
async function locusColumns(asked: CompletionRequest): Promise<Values> {
  const [, locus, given = ''] = /^([^=]*=)(.*,)?/s.exec(asked.typed) ?? []
  if (locus === undefined) {
    return { ...one(COLUMN_LOCI.map((name) => named(`${name}=`))), goesOn: true }
  }
  const names = (await columns(asked)).filter((name) => !given.split(',').includes(name))
  return { ...one(names.map((name) => named(`${locus}${given}${name}`))), goesOn: true }
}

/** Of the files that the command would read. */
function profiles({ before }: CompletionRequest): Values {
  const config = optionValue(before, '--config') ?? process.env['HLA_CONFIG']
  const files = settingFiles(config === undefined ? {} : { config }).map((file) => readConfigFile(file))
  return one([...new Set(files.flatMap((file) => Object.keys(file.profiles)))].map(named))
}

/** A command, its subcommand, or a topic. */
function pages({ operands }: CompletionRequest): Values {
  const [first] = operands
  const overview = overviewFacts()
  if (first === undefined) {
    const topics = Object.entries(TOPICS).map(([value, description]) => ({ value, description }))
    return one([...overview.commands.map(commandCandidate), ...topics])
  }
  const isCommand = overview.commands.some(({ words }) => words[0] === first)
  return one(isCommand && operands.length === 1 ? commandFacts(first).commands.map(commandCandidate) : [])
}

function commandCandidate({ words, summary }: { words: readonly string[]; summary: string }): Candidate {
  return { value: words.at(-1) ?? '', description: summary }
}
