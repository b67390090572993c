/** Opens everything that a rule needs, and refuses a rule that cannot work before its first table.  [network] */
import { isTableName } from '../../table/plan/layouts.ts'
import { globTest } from '../../glob.ts'
import type { DriveClient } from '../commands/files/connect.ts'
import { probeQuestions } from '../../cli/run/open-executor.ts'
import { openAnswering } from '../../cli/run/table/open-answering.ts'
import { resolvedOptions } from '../../table/run/table-job.ts'
import { makeTableRun } from '../../cli/run/table/table-command.ts'
import { parseMaxErrors } from '../../cli/options/table-options.ts'
import { type ParsedCommandLine, parseConversion } from '../../cli/run/table/parse-command-line.ts'
import { makeQuestions } from '../../cli/run/questions.ts'
import { openReporter } from '../../cli/run/reporter.ts'
import type { FolderRule } from './folder-rule.ts'
import { commandDigest } from './marks.ts'
import { defaultTemplate } from './output-name.ts'

/** Terms of a rule. */
export interface FolderRuleOptions extends Pick<
  FolderRule,
  'folder' | 'path' | 'to' | 'toPath' | 'isRecursive' | 'words' | 'rule' | 'mostBytes' | 'told' | 'state'
> {
  readonly command: ParsedCommandLine
  /** Template of the outputs' names; default is that of the command. */
  readonly name?: string | undefined
  /** Glob that titles must match. */
  readonly match?: string | undefined
}

/** @throws {HlaError} no-data, unknown-release, io */
export async function openFolderRule(
  drive: DriveClient,
  { command, name, match, ...asked }: FolderRuleOptions,
): Promise<{ readonly folderRule: FolderRule; readonly close: () => Promise<void> }> {
  const reporter = await openReporter({ quiet: true, verbose: 0, color: 'auto' })
  const { answering, noteData, close } = await openAnswering(command.options, reporter)
  try {
    noteData()
    const questions = makeQuestions(command.operation, command.options, answering.methods)
    await probeQuestions(answering.executor, command.operation, questions)
    const fits = match === undefined ? mayHoldTypings : globTest(match, { choices: true })
    const folderRule: FolderRule = {
      drive,
      ...asked,
      template: name ?? commandTemplate({ ...command, questions }),
      command: commandDigest(asked.words),
      asked: { ...command, questions },
      answering,
      reporter,
      claims: { used: new Set(), foreign: new Set(), onFolder: new Set() },
      fits,
      isSure: match === undefined ? isTable : fits,
    }
    return { folderRule, close: async () => close() }
  } catch (error) {
    await close()
    throw error
  }
}

/** Default template of the outputs' names: `{stem}.lgx{suffix}`. */
export function commandTemplate({ operation, questions }: ParsedCommandLine): string {
  return defaultTemplate(
    operation.name,
    questions.map(({ method }) => method),
  )
}

/** Excludes reports of conversions: they are tables without typings. */
function isTable(title: string): boolean {
  return isTableName(title) && !title.endsWith('.errors.csv')
}

/** True for documents and outputs of typing programs, whose content decides. */
function mayHoldTypings(title: string): boolean {
  return isTable(title) || /\.(?:xml|hml|json|txt|sum)(?:\.gz|\.zst)?$/i.test(title)
}

/** @throws {HlaError} usage; any error of the command line */
export async function readRuleCommand(words: readonly string[]): Promise<ParsedCommandLine> {
  const asked = await parseConversion(words)
  const { operation, options, questions } = asked
  parseMaxErrors(options.maxErrors)
  const { files: _, ...table } = makeTableRun({
    given: [],
    options: { ...options, input: [''] },
    operation,
    questions,
  })
  resolvedOptions({ ...table, source: { title: '' }, operation })
  return asked
}
