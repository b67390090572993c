/**
 * Answers plain command lines, and `--version`, without loading the rest of the program: its commands, options and
 * messages take longer to start than the answer (docs/adr/start.md#plain-command-lines).
 * Any other line is left to the program, which starts over: this module has printed and changed nothing by then.
 * [disk]
 */
import { writeSync } from 'node:fs'
import { DEFAULT_METHOD } from '../../engine/reduce/methods.ts'
import type { Note } from '../../errors.ts'
import { formatterOf } from '../../operations/answers/records.ts'
import { localExecutor } from '../../operations/executor.ts'
import { outputFor } from '../../operations/faces.ts'
import { versionLine } from '../../package-root.ts'
import { noteAnsweringData, openKnowledge } from '../run/open-knowledge.ts'
import { settingsFile } from '../run/setting-files.ts'
import { PLAIN_VARIABLES, type PlainWords, readPlainWords } from './plain-words.ts'

/**
 * `words` are the command line, the command first. Returns the bytes not yet written, usually none; undefined when the
 * program has to answer.
 */
export function answerQuickly(words: readonly string[]): Uint8Array | undefined {
  const isVersion = words.length === 1 && words[0] === '--version'
  const text = isVersion ? `${versionLine()}\n` : findAnswer(words)
  return text === undefined ? undefined : writeOnce(Buffer.from(text, 'utf8'))
}

/** Output of the program for the words; undefined when it would print anything else too. */
export function findAnswer(words: readonly string[]): string | undefined {
  if (Object.keys(process.env).some(isSetting)) return undefined
  try {
    const asked = readPlainWords(words, process.env)
    return asked === undefined || settingsFile({}) !== undefined ? undefined : answer(asked)
  } catch {
    // an error or a note: the program finds it again and reports it
    return undefined
  }
}

/** Variables without effect on the answer's content, and those read together with the words. */
const KNOWN: readonly string[] = ['HLA_DATA_DIR', 'HLA_SYSTEM_DATA_DIR', ...Object.values(PLAIN_VARIABLES)]

function isSetting(variable: string): boolean {
  return variable.startsWith('HLA_') && !KNOWN.includes(variable)
}

/** @throws on notes, problems and negative answers, which the program reports */
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
    // the output of execute belongs to the same operation as toText
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

/** Writes once and returns the bytes not accepted. */
function writeOnce(bytes: Uint8Array): Uint8Array {
  try {
    return bytes.subarray(writeSync(1, bytes))
  } catch {
    // nothing was written: the next writer gets the error
    return bytes
  }
}
