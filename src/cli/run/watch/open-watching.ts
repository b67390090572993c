/** Opens everything a watch needs, and refuses what could never work before the first table.  [network] */
import { join } from 'node:path'
import { isTableName } from '../../../table/plan/layouts.ts'
import { filePath, parseDrivePath } from '../../../client/drive/paths.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import { HlaError } from '../../../errors.ts'
import { globTest } from '../../../glob.ts'
import type { WatchOptions } from '../../options/drive/drive-file-options.ts'
import { connectDrive, type DriveClient } from '../files/connect.ts'
import { stateFolder } from '../files/upload/unfinished-uploads.ts'
import { openAnswering } from '../table/open-answering.ts'
import { resolvedOptions } from '../../../table/run/table-job.ts'
import { makeTableRun } from '../table/table-command.ts'
import { parseMaxErrors } from '../../options/table-options.ts'
import { type ParsedCommandLine, parseCommandLine } from '../table/parse-command-line.ts'
import { makeQuestions } from '../questions.ts'
import { openReporter } from '../reporter.ts'
import { noClaims } from './claims.ts'
import { commandDigest, digest } from './marks.ts'
import { checkTemplate, defaultTemplate } from './output-name.ts'
import { openState, type StateFile } from './state.ts'
import type { FolderWatch } from './watching.ts'

export interface OpenWatching {
  readonly watching: FolderWatch
  readonly close: () => Promise<void>
}

/** The first word is the folder, the others are the command. @throws {HlaError} usage, not-found, no-data, io, remote */
export async function openWatching(
  [path = '', ...words]: readonly string[],
  options: WatchOptions,
): Promise<OpenWatching> {
  const command = await readCommand(words)
  if (options.name !== undefined) checkTemplate(options.name)
  const drive = await connectDrive(options)
  const closing: (() => Promise<void> | void)[] = [drive.connection.close]
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const places = await findPlaces(drive, path, options)
    const reporter = await openReporter({ quiet: options.quiet ?? false, verbose: 0, color: 'auto' })
    const opened = await openAnswering(command.options, reporter, {
      operation: command.operation,
      input: command.questions[0]?.input ?? {},
    })
    closing.push(opened.close)
    opened.noteData()
    const { answering } = opened
    const questions = makeQuestions(command.operation, command.options, answering.methods)
    const asked = { ...command, questions }
    const template = options.name ?? defaultTemplate(asked.operation.name, questions.map(({ method }) => method)) // prettier-ignore
    const watch = { drive, ...places, template, words, command: commandDigest(words), asked, reporter }
    const state = await openWatchState(watch, options)
    closing.push(state.release)
    const fits = options.match === undefined ? mayHoldTypings : globTest(options.match, { choices: true })
    const isSure = options.match === undefined ? isTable : fits
    const isQuiet = options.quiet ?? false
    return { watching: { ...watch, answering, isQuiet, state, claims: noClaims(), fits, isSure }, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The report of a conversion is a table too, and none of typings. */
function isTable(title: string): boolean {
  return isTableName(title) && !title.endsWith('.errors.csv')
}

/** Documents, and what typing programs write: what is in them says whether they are converted. */
function mayHoldTypings(title: string): boolean {
  return isTable(title) || /\.(?:xml|hml|json|txt|sum)(?:\.gz|\.zst)?$/i.test(title)
}

async function findPlaces(drive: DriveClient, path: string, { to: toPath = path }: WatchOptions) {
  const folder = await folderNamed(drive, path)
  const to = toPath === path ? folder : await folderNamed(drive, toPath)
  return { folder, path: withSlash(path), to, toPath: withSlash(toPath) }
}

type Named = Pick<FolderWatch, 'drive' | 'folder' | 'to' | 'template' | 'command'>

function openWatchState(
  { drive, folder, to, template, command }: Named,
  { state }: WatchOptions,
): Promise<StateFile> {
  const id = digest(JSON.stringify([drive.connection.url, folder.id, to.id, template, command]), 16)
  return openState(state ?? join(stateFolder(), 'watch', `${id}.json`), id)
}

/** What a watch says itself: where from and where to, and how to go on. */
const OURS = ['input', 'output', 'errors', 'provenance', 'resume', 'checkpoint', 'plan'] as const

async function readCommand(words: readonly string[]): Promise<ParsedCommandLine> {
  if (words.length === 0)
    throw new HlaError('usage', 'the command to run is missing', {
      hint: 'hla drive watch /registry -- redux -m lgx',
    })
  const asked = await parseCommandLine(words)
  const { operation, options, questions } = asked
  const said = OURS.find((name) => (name === 'output' ? options.output !== '-' : options[name] !== undefined))
  if (said !== undefined)
    throw new HlaError(
      'usage',
      `--${said} cannot be used in the command of a watch, which reads from and writes to the store`,
    )
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

async function folderNamed({ connection }: DriveClient, path: string): Promise<DriveFile> {
  const folder = await filePath(connection, parseDrivePath(path))
  if (folder.isFolder) return folder
  throw new HlaError('usage', `${path} is not a folder`, { offending: path })
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
