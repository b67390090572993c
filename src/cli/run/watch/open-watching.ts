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
import { probeQuestions } from '../open-executor.ts'
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
  const command = await readWatchCommand(words)
  if (options.name !== undefined) checkTemplate(options.name)
  const isRecursive = options.recursive === true
  if (isRecursive && options.to !== undefined)
    throw new HlaError('usage', 'either --recursive or --to: the outputs of several folders would mix')
  const drive = await connectDrive(options)
  try {
    const places = await findPlaces(drive, path, options)
    const asked = { ...places, words, command, isRecursive, name: options.name, match: options.match }
    const opened = await openFolderWatch(drive, { ...asked, isQuiet: options.quiet ?? false }, (watch) =>
      openWatchState(watch, options),
    )
    const close = async () => {
      await opened.close()
      await drive.connection.close()
    }
    return { watching: opened.watching, close }
  } catch (error) {
    await drive.connection.close()
    throw error
  }
}

/** What is watched, and what for. */
export interface WatchAsked extends Pick<
  FolderWatch,
  'folder' | 'path' | 'to' | 'toPath' | 'isRecursive' | 'words' | 'isQuiet' | 'rule' | 'mostBytes' | 'told'
> {
  readonly command: ParsedCommandLine
  /** The template of outputs; undefined: as the command says. */
  readonly name?: string | undefined
  /** A glob of titles. */
  readonly match?: string | undefined
}

/** Opens who answers, and where the watch goes on. @throws {HlaError} no-data, unknown-release, io */
export async function openFolderWatch(
  drive: DriveClient,
  { command, name, match, ...asked }: WatchAsked,
  openWatchState: (watch: Named) => Promise<StateFile> | StateFile,
): Promise<OpenWatching> {
  const closing: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const { isQuiet, words } = asked
    const reporter = await openReporter({ quiet: isQuiet, verbose: 0, color: 'auto' })
    const opened = await openAnswering(command.options, reporter)
    closing.push(opened.close)
    opened.noteData()
    const { answering } = opened
    const questions = makeQuestions(command.operation, command.options, answering.methods)
    await probeQuestions(answering.executor, command.operation, questions)
    const template = name ?? commandTemplate({ ...command, questions })
    const watch = {
      drive,
      ...asked,
      template,
      command: commandDigest(words),
      asked: { ...command, questions },
      reporter,
    }
    const state = await openWatchState(watch)
    closing.push(state.release)
    const fits = match === undefined ? mayHoldTypings : globTest(match, { choices: true })
    const isSure = match === undefined ? isTable : fits
    return { watching: { ...watch, answering, state, claims: noClaims(), fits, isSure }, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Unless another one is asked for. */
export function commandTemplate({ operation, questions }: ParsedCommandLine): string {
  return defaultTemplate(
    operation.name,
    questions.map(({ method }) => method),
  )
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

type Named = Pick<FolderWatch, 'drive' | 'folder' | 'to' | 'template' | 'command' | 'isRecursive'>

function openWatchState(
  { drive, folder, to, template, command, isRecursive }: Named,
  { state }: WatchOptions,
): Promise<StateFile> {
  const what = [drive.connection.url, folder.id, to.id, template, command, ...(isRecursive ? ['-R'] : [])]
  const id = digest(JSON.stringify(what), 16)
  return openState(state ?? join(stateFolder(), 'watch', `${id}.json`), id)
}

/** What a watch says itself: where from and where to, and how to go on. */
const OURS = ['input', 'output', 'errors', 'provenance', 'plan'] as const

/** @throws {HlaError} usage; whatever the command line is refused for */
export async function readWatchCommand(words: readonly string[]): Promise<ParsedCommandLine> {
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
