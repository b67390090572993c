/** The command line that is meant by one without a command, or by one of py-ard's.  [disk] */
import { existsSync } from 'node:fs'
import { isHlaError } from '../../errors.ts'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import { listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { findLettersLocus, parseAntigen } from '../../nomenclature/antigen.ts'
import { reduxOperation } from '../../operations/questions/redux.ts'
import { recognizeShape } from '../../table/plan/typing-shape.ts'
import { openKnowledge } from '../run/open-knowledge.ts'
import { matchesFiles } from '../run/table/input-files.ts'
import { isMethodName, parsesAsTyping } from './typing-words.ts'

/** Options of py-ard that are commands here. */
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
  '--expand-mac-hats': ['mac', '--hats'],
}

/** Options of py-ard that have another name here. */
const OPTION_NAMES: Readonly<Record<string, string>> = {
  '--non-strict': '--no-strict',
  '--redux-type': '-m',
  '--imgt-version': '-r',
}

const TYPING_OPTIONS = ['-g', '--gl', '--gl-string']

/** `argv` is without node and script. Undefined: it means what it says. */
export function meantCommand(
  argv: readonly string[],
  isCommand: (word: string) => boolean,
): readonly string[] | undefined {
  const [program, ...behind] = argv
  const words = program === 'pyard' ? behind : argv
  const isNamed = words.some((word, at) => isCommand(word) && !isValue(words, at))
  if (namesTyping(words)) return fromPyard(words, isNamed, isCommand)
  if (isNamed) return undefined
  const asked = words.find((word) => COMMAND_OPTIONS[word] !== undefined)
  if (asked !== undefined)
    return [...(COMMAND_OPTIONS[asked] ?? []), ...respelled(words.filter((word) => word !== asked))]
  if (words.some((word) => word === '-i' || word === '--input' || word.startsWith('--input=')))
    return ['redux', ...words]
  const [first = ''] = words
  // a command that is misspelt
  if (isOperand(words, 0) && !isTypingOrFile(first)) return undefined
  const operand = words.find((word, at) => isOperand(words, at) && isTypingOrFile(word))
  return operand === undefined ? undefined : ['redux', ...words]
}

/** `-g A*01:01`, which names a column of tables here. */
export function namesTyping(words: readonly string[]): boolean {
  return words.some(
    (word, at) => TYPING_OPTIONS.includes(word) && recognizeShape(words[at + 1] ?? '') === 'named',
  )
}

function fromPyard(
  words: readonly string[],
  isNamed: boolean,
  isCommand: (word: string) => boolean,
): readonly string[] {
  const at = words.findIndex((word) => TYPING_OPTIONS.includes(word))
  const typing = words[at + 1] ?? ''
  const others = [...words.slice(0, at), ...words.slice(at + 2)]
  const named = others.find((word, place) => isCommand(word) && !isValue(others, place))
  const asked = others.find((word) => COMMAND_OPTIONS[word] !== undefined)
  const command = isNamed && named !== undefined ? [named] : (COMMAND_OPTIONS[asked ?? ''] ?? ['redux'])
  return [...command, ...respelled(others.filter((word) => word !== named && word !== asked)), typing]
}

/** `-r lgx` is `-m lgx`; `-i 3290` is a release where no file is called so. */
function respelled(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === '-r' && isMethodName(next)) return '-m'
    if (word === '-i' && /^\d{3,4}$/.test(next) && !existsSync(next)) return '-r'
    return OPTION_NAMES[word] ?? word
  })
}

function isOperand(words: readonly string[], at: number): boolean {
  return !/^-./.test(words[at] ?? '') && !isValue(words, at)
}

/** An option stands before it; which options take values is not known without the command. */
function isValue(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? ''
  return /^-[a-zA-Z]$/.test(before) && !/^-[qv]$/.test(before)
}

/** A typing goes before a file of its name, and a word without `*` is one only where the release has the antigen. */
function isTypingOrFile(word: string): boolean {
  if (parsesAsTyping(word)) return word.includes('*') || word.startsWith('hla#') || areAntigens(word)
  return word === '-' || existsSync(word) || recognizeShape(word) === 'named' || matchesFiles(word)
}

function areAntigens(text: string): boolean {
  const leaves = listTypings(parseGlString(text)).flatMap(listDesignations)
  return leaves.every((leaf) => isAntigen(leaf.text))
}

function isAntigen(text: string): boolean {
  const antigen = parseAntigen(withoutPrefix(text))
  // the forms that any release has; the release itself says the rest
  if (antigen === undefined || !/^[1-9]\d{0,3}$/.test(antigen.number)) return false
  const { letters } = antigen
  if (letters !== 'A' && letters !== 'B' && findLettersLocus(letters) === letters) return false
  try {
    const { knowledge } = openKnowledge('active', process.env['HLA_DATA_DIR'])
    reduxOperation.run({ gl_string: text, reduction_method: DEFAULT_METHOD }, knowledge)
    return true
  } catch (error) {
    // the starter set knows too little to say
    return isHlaError(error) && error.code !== 'unknown-antigen'
  }
}
