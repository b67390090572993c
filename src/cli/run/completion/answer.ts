/** Answers the completion script of a shell: `hla __complete SHELL …`. */
import type { CommandFacts } from '../../../manual/command-facts.ts'
import {
  type Candidate,
  complete,
  type Completion,
  inList,
  type Lead,
} from '../../../manual/completion/complete.ts'
import { forBash, splitLine } from '../../../manual/completion/shell-words.ts'
import { writeAll } from '../../../io/stdout.ts'
import { commandFirst } from '../../options/options.ts'
import { commandFacts, overviewFacts } from '../../options/program-facts.ts'
import { listValues } from './values.ts'

/** bash hands over its word breaks and the line up to the cursor; others the words, without `hla`. */
export async function answerShell([shell, ...given]: readonly string[]): Promise<void> {
  const [breaks = '', text = ''] = given
  const line = splitLine(text)
  const isBash = shell === 'bash'
  const [before, current] = isBash
    ? [line.before.slice(1), line.current]
    : [given.slice(0, -1), given.at(-1) ?? '']
  const { kind, values } = await answer(before, current)
  const lines = values.map(({ value, description }) =>
    [isBash ? forBash(value, line, breaks) : value, description.replace(/\s+/g, ' ')].join('\t'),
  )
  writeAll(1, [kind, ...lines, ''].join('\n'))
}

interface CompletionAnswer {
  readonly kind: 'words' | 'parts' | 'files' | 'folders'
  readonly values: readonly Candidate[]
}

async function answer(before: readonly string[], current: string): Promise<CompletionAnswer> {
  const overview = overviewFacts()
  const isCommand = (word: string) => overview.commands.some(({ words }) => words[0] === word)
  const [asked = '', ...rest] = commandFirst(before, isCommand)
  if (isCommand(asked)) return answerTo(complete(commandFacts(asked), rest, current), rest)
  if (asked === 'help') return answerTo(complete(HELP, rest, current), rest)
  return answerTo(complete(withHelp(overview), before, current), before)
}

/** commander makes this command itself. */
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

function withHelp(overview: CommandFacts): CommandFacts {
  return { ...overview, commands: [...overview.commands, HELP] }
}

async function answerTo(completion: Completion, before: readonly string[]): Promise<CompletionAnswer> {
  if (completion.kind === 'candidates') {
    const { candidates, lead, goesOn } = completion
    return fitting(candidates, lead, goesOn === true ? 'parts' : 'words')
  }
  const { of, isList, lead, operands } = completion
  const found = await listValues({ of, before, operands, typed: lead.typed })
  if (found === 'files' || found === 'folders') return { kind: found, values: [] }
  if (!isList && !found.isList) return fitting(found.candidates, lead, found.goesOn ? 'parts' : 'words')
  const last = inList(found.candidates, lead)
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
