/**
 * Answers the plainest command line without the rest of the program, whose commands, options and messages take longer to start than
 * the answer (docs/adr/start.md#the-plainest-command-line). Whatever is not plain is left to the program, which begins again: here nothing was said or changed.  [disk]
 */
import { writeSync } from 'node:fs'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import type { Note } from '../../errors.ts'
import { reduxOperation } from '../../operations/questions/redux.ts'
import { noteAnsweringData, openKnowledge } from '../run/open-knowledge.ts'
import { settingFiles } from '../run/setting-files.ts'
import { PLAIN_VARIABLES, type PlainWords, readPlainWords } from './plain-words.ts'

/** `words` are the command line, the command first. What is still to be written, mostly nothing; undefined: the program has to answer. */
export function answerQuickly(words: readonly string[]): Uint8Array | undefined {
  const text = findAnswer(words)
  return text === undefined ? undefined : writeOnce(Buffer.from(text, 'utf8'))
}

/** What the program would print, which has nothing else to say. */
export function findAnswer(words: readonly string[]): string | undefined {
  const asked = readPlainWords(words, process.env)
  if (asked === undefined || Object.keys(process.env).some(isSetting)) return undefined
  try {
    return settingFiles({}, true).length > 0 ? undefined : answer(asked)
  } catch {
    // an error, or something to be noted: the program finds it again, and says it
    return undefined
  }
}

/** Those that say no more than where something is, and those that were read with the words. */
const KNOWN: readonly string[] = [
  'HLA_DATA_DIR',
  'HLA_SYSTEM_CONFIG',
  'HLA_SYSTEM_DATA_DIR',
  ...Object.values(PLAIN_VARIABLES),
]

function isSetting(variable: string): boolean {
  return variable.startsWith('HLA_') && !KNOWN.includes(variable)
}

/** @throws whatever else there is to say */
function answer({ method = DEFAULT_METHOD, release = 'active', isQuiet, typings }: PlainWords): string {
  const note = ({ level, message }: Pick<Note, 'level' | 'message'>) => {
    if (level !== 'detail' && !isQuiet) throw new Error(message)
  }
  const opened = openKnowledge(release, process.env['HLA_DATA_DIR'], 'late')
  noteAnsweringData(opened, { note })
  const lines = typings.map((typing) => {
    const output = reduxOperation.run({ gl_string: typing, reduction_method: method }, opened.knowledge)
    output.notes?.forEach(note)
    return `${reduxOperation.toText(output)}\n`
  })
  return lines.join('')
}

/** As much as is taken at once. */
function writeOnce(bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(1, bytes))
  } catch {
    // nothing was taken: who writes the rest learns why
    return bytes
  }
}
