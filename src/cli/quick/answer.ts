/**
 * Answers plain command lines, and `--version`, without the rest of the program, whose commands, options and messages take longer to start than
 * the answer (docs/adr/start.md#plain-command-lines). Whatever is not plain is left to the program, which begins again: here nothing was said or changed.  [disk]
 */
import { writeSync } from 'node:fs'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import type { Note } from '../../errors.ts'
import { formatterOf } from '../../operations/answers/records.ts'
import { localExecutor } from '../../operations/executor.ts'
import { outputFor } from '../../operations/faces.ts'
import { versionLine } from '../../package-root.ts'
import { noteAnsweringData, openKnowledge } from '../run/open-knowledge.ts'
import { settingFiles } from '../run/setting-files.ts'
import { PLAIN_VARIABLES, type PlainWords, readPlainWords } from './plain-words.ts'

/** `words` are the command line, the command first. What is still to be written, mostly nothing; undefined: the program has to answer. */
export function answerQuickly(words: readonly string[]): Uint8Array | undefined {
  const isVersion = words.length === 1 && words[0] === '--version'
  const text = isVersion ? `${versionLine()}\n` : findAnswer(words)
  return text === undefined ? undefined : writeOnce(Buffer.from(text, 'utf8'))
}

/** What the program would print, which has nothing else to say. */
export function findAnswer(words: readonly string[]): string | undefined {
  if (Object.keys(process.env).some(isSetting)) return undefined
  try {
    const asked = readPlainWords(words, process.env)
    return asked === undefined || settingFiles({}, true).length > 0 ? undefined : answer(asked)
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

/** @throws whatever else there is to say; an answer that is no */
function answer({ operation, method, release = 'active', format, isQuiet, typings }: PlainWords): string {
  const { name, subject = '', input } = operation
  const note = ({ level, message }: Pick<Note, 'level' | 'message'>) => {
    if (level !== 'detail' && !isQuiet) throw new Error(message)
  }
  const opened = openKnowledge(release, process.env['HLA_DATA_DIR'], 'late')
  noteAnsweringData(opened, { note })
  const { execute } = localExecutor(opened.knowledge)
  const question =
    'reduction_method' in input.properties ? { reduction_method: method ?? DEFAULT_METHOD } : {}
  const { head, record, tail } = formatterOf(format, typings.length > 1)
  const records = typings.map((typing) => {
    // what execute returns passed through the operation that toText belongs to
    const json = outputFor(execute(name, { ...question, [subject]: typing }) as Output, 'command-line')
    const { notes = [], problems = [] } = json as { notes?: readonly Note[]; problems?: readonly unknown[] }
    notes.forEach(note)
    if (problems.length > 0 || operation.isNegative?.(json as never) === true)
      throw new Error('the program says why not')
    return record([{ input: typing, method, text: operation.toText(json as never), json, error: undefined }])
  })
  return [head, ...records, tail()].join('')
}

type Output = Readonly<Record<string, unknown>>

/** As much as is taken at once. */
function writeOnce(bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(1, bytes))
  } catch {
    // nothing was taken: who writes the rest learns why
    return bytes
  }
}
