/** Guesses the command for a line without one, or for a line of py-ard.  [disk] */
import { existsSync } from 'node:fs'
import type { Advice } from '../../advice.ts'
import { assured, HlaError, isHlaError } from '../../errors.ts'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { findLettersLocus, parseAntigen } from '../../nomenclature/antigen.ts'
import { localExecutor } from '../../operations/executor.ts'
import { operationNamed } from '../../operations/registry.ts'
import { reduxOperation } from '../../operations/questions/redux.ts'
import { recognizeShape } from '../../table/words/typing-shape.ts'
import { openKnowledge } from '../run/open-knowledge.ts'
import { matchesFiles } from '../run/table/input-files.ts'
import { mayBePyard, pyardLine } from './pyard.ts'
import { withReading } from './respell.ts'
import { parsesAsTyping } from './typing-words.ts'

/** Suggested words; undefined when no guess is needed. `argv` excludes node and script. */
export function guessCommand(
  argv: readonly string[],
  isCommand: (word: string) => boolean,
): readonly string[] | undefined {
  const [program = '', ...rest] = argv
  // other programs of py-ard, which install data or write files
  if (program.startsWith('pyard-')) return undefined
  if (/^py-?ard$/.test(program))
    return isCommand(rest[0] ?? '') ? (guessCommand(rest, isCommand) ?? rest) : pyardLine(rest)
  const commandWord = argv.find((word, at) => isCommand(word) && !isValue(argv, at))
  const line = mayBePyard(argv) ? pyardLine(argv.filter((word) => word !== commandWord)) : undefined
  // a command of hla has its own default method
  if (line !== undefined)
    return commandWord === undefined ? line : [commandWord, ...withoutAll(line.slice(1))]
  if (commandWord !== undefined) return undefined
  if (argv.some((word) => word === '-i' || word === '--input' || word.startsWith('--input=')))
    return ['redux', ...argv]
  // a misspelt command
  if (isOperand(argv, 0) && !isTypingOrFile(program)) return undefined
  const operand = argv.find((word, at) => isOperand(argv, at) && isTypingOrFile(word))
  return operand === undefined ? undefined : ['redux', ...argv]
}

function withoutAll(words: readonly string[]): string[] {
  return words[0] === '-m' && words[1] === 'all' ? words.slice(2) : [...words]
}

function isOperand(words: readonly string[], at: number): boolean {
  return !/^-./.test(words[at] ?? '') && !isValue(words, at)
}

/** True after a short option: without the command, which options take values is unknown. */
function isValue(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? ''
  return /^-[a-zA-Z]$/.test(before) && !/^-[qv]$/.test(before)
}

/**
 * A typing has precedence over a file of the same name. A word without `*` is a typing only if the release has the
 * antigen.
 */
function isTypingOrFile(word: string): boolean {
  if (parsesAsTyping(word))
    return (
      word.includes('*') || word.startsWith('hla#') || listLeaves(word).every((leaf) => isAntigen(leaf.text))
    )
  return word === '-' || existsSync(word) || recognizeShape(word) === 'named' || matchesFiles(word)
}

/** A typing that an unknown command may have meant, as its command line; undefined where no reading is valid. */
export async function guessTyping(word: string): Promise<Advice | undefined> {
  if (!/\d/.test(word) || word.startsWith('-')) return undefined
  const { knowledge } = openKnowledge('active', process.env['HLA_DATA_DIR'])
  const attempt = {
    operation: assured(operationNamed('redux'), 'an operation'),
    executor: localExecutor(knowledge),
    input: { reduction_method: DEFAULT_METHOD },
    words: ['redux', word],
  }
  const refused = new HlaError('bad-syntax', 'not read')
  return (await withReading(refused, word, attempt)).hint
}

function isAntigen(text: string): boolean {
  const antigen = parseAntigen(withoutPrefix(text))
  // forms valid in any release; the release decides the rest
  if (antigen === undefined || !/^[1-9]\d{0,3}$/.test(antigen.number)) return false
  const { letters } = antigen
  if (letters !== 'A' && letters !== 'B' && findLettersLocus(letters) === letters) return false
  try {
    const { knowledge } = openKnowledge('active', process.env['HLA_DATA_DIR'])
    reduxOperation.run({ gl_string: text, reduction_method: DEFAULT_METHOD }, knowledge)
    return true
  } catch (error) {
    // the starter set is too small to decide
    return isHlaError(error) && error.code !== 'unknown-antigen'
  }
}
