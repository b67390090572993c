/** Guesses the command for a line without one, or for a line of py-ard.  [disk] */
import { existsSync, statSync } from 'node:fs'
import { isHlaError } from '../../errors.ts'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { findLettersLocus, parseAntigen } from '../../nomenclature/antigen.ts'
import { reduxOperation } from '../../operations/questions/redux.ts'
import { recognizeShape } from '../../table/plan/typing-shape.ts'
import { openKnowledge } from '../run/open-knowledge.ts'
import { matchesFiles } from '../run/table/input-files.ts'
import { isMethodName, parsesAsTyping, PYARD_TYPING } from './typing-words.ts'

/** Options of py-ard that are commands in hla. */
const COMMAND_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '--splits': ['splits'],
  '--similar': ['similar'],
  '--cwd': ['cwd'],
  '--validate': ['validate'],
  '--redux': ['redux'],
  '--mac': ['mac'],
  '--expand-mac': ['mac'],
  '--lookup-mac': ['mac'],
  '--expand-xx': ['mac', '--xx'],
  '--expand': ['mac', '--xx'],
  '--expand-mac-hats': ['mac', '--hats'],
}

/** Options of py-ard with another name in hla. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  '--non-strict': '--no-strict',
  '--redux-type': '-m',
  '--imgt-version': '-r',
}

/** Suggested words; undefined when no guess is needed. `argv` excludes node and script. */
export function meantCommand(
  argv: readonly string[],
  isCommand: (word: string) => boolean,
): readonly string[] | undefined {
  const [program, ...behind] = argv
  // other programs of py-ard, with options of their own
  if (program?.startsWith('pyard-') === true) return undefined
  const words = program === 'pyard' ? behind : argv
  const named = (all: readonly string[]) => all.find((word, at) => isCommand(word) && !isValue(all, at))
  // in hla `-g` names a column of tables
  const option = words.findIndex(
    (word, at) => PYARD_TYPING.includes(word) && recognizeShape(words[at + 1] ?? '') === 'named',
  )
  if (option >= 0) {
    const others = words.toSpliced(option, 2)
    return fromPyard(others, named(others), words[option + 1] ?? '')
  }
  if (named(words) !== undefined) return undefined
  const asked = words.find((word) => COMMAND_OPTIONS[word] !== undefined)
  if (asked !== undefined)
    return [...(COMMAND_OPTIONS[asked] ?? []), ...respelled(words.filter((word) => word !== asked))]
  if (words.some((word) => word === '-i' || word === '--input' || word.startsWith('--input=')))
    return ['redux', ...words]
  const [first = ''] = words
  // a misspelt command
  if (isOperand(words, 0) && !isTypingOrFile(first)) return undefined
  const operand = words.find((word, at) => isOperand(words, at) && isTypingOrFile(word))
  return operand === undefined ? undefined : ['redux', ...words]
}

/** `others` are the words besides the typing and its option; `named` is the command among them. */
function fromPyard(others: readonly string[], named: string | undefined, typing: string): readonly string[] {
  const asked = others.find((word) => COMMAND_OPTIONS[word] !== undefined)
  const command = named === undefined ? (COMMAND_OPTIONS[asked ?? ''] ?? ['redux']) : [named]
  return [...command, ...respelled(others.filter((word) => word !== named && word !== asked)), typing]
}

/** Translates `-r lgx` to `-m lgx`, `-d FOLDER` to `--data-dir`, and `-i 3290` to a release when no such file exists. */
function respelled(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === '-r' && isMethodName(next)) return '-m'
    if (word === '-d' && statSync(next, { throwIfNoEntry: false })?.isDirectory() === true)
      return '--data-dir'
    if (word === '-i' && /^\d{3,4}$/.test(next) && !existsSync(next)) return '-r'
    return OPTION_NAMES[word] ?? word
  })
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
