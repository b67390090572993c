/** `hla drive watch`: follows the feed of changes of a store, and converts each new or changed table of a folder once.  [network] */
import { changesFrom, feedEnd } from '../../../client/drive/changes.ts'
import { isRefusal } from '../../../client/drive/failure.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import { type HlaError, isHlaError } from '../../../errors.ts'
import type { WatchOptions } from '../../options/drive/drive-file-options.ts'
import { shownTitle } from '../files/shown-title.ts'
import { EXIT } from '../../exit-status.ts'
import { tell } from '../../../io/stdout.ts'
import { formatError } from '../../messages.ts'
import { convertOne } from './convert-one.ts'
import { isMade } from './marks.ts'
import { optionalListener, type OptionalListener } from './webhook-listener.ts'
import { isEmptyTable, rememberEmpty, tellOfEmpty } from './complaints.ts'
import { type Ending, untilEnding } from './ending.ts'
import { openWatching } from './open-watching.ts'
import { type WatchedFolders, watchedFolders } from './watched-folders.ts'
import type { FolderWatch } from './watching.ts'

/** The exit status: no, when a table could not be converted as a whole. @throws {HlaError} usage, not-found, io, remote */
export async function watchCommand(words: readonly string[], options: WatchOptions): Promise<number> {
  const { watching, close } = await openWatching(words, options)
  const ending = untilEnding()
  const listener = optionalListener(options)
  try {
    return await follow(watching, ending, { ...options, listener })
  } finally {
    ending.stop()
    await listener.close()
    await close()
  }
}

/** ms between two looks at the feed, when something has just happened. */
const SHORTEST = 500

async function follow(
  watching: FolderWatch,
  ending: Ending,
  { once, interval, listener }: WatchOptions & { readonly listener: OptionalListener },
): Promise<number> {
  let status: number = EXIT.ok
  for (let pause = SHORTEST; !ending.isAsked();) {
    try {
      const seen = await look(watching, ending)
      if (seen.hasFailed) status = EXIT.no
      if (seen.heldUp !== undefined) throw seen.heldUp
      if (once === true) return status
      if (await listener.open(watching, ending)) pause = interval
      else pause = seen.hasHappened ? SHORTEST : Math.min(pause * 2, interval)
    } catch (error) {
      if (once === true || !isPassing(error)) throw error
      tell(formatError(error))
      pause = Math.max(SHORTEST, interval)
    }
    await ending.within(pause)
  }
  return EXIT.ok
}

/** What a store, or a service that answers, will not say for ever; a token that is over stays so. */
function isPassing(error: unknown): error is HlaError {
  return isHlaError(error) && (error.code === 'remote' || isRefused(error)) && !isRefusal(error, 401)
}

/** The store answers, and does not want this. */
function isRefused(error: unknown): error is HlaError {
  return isHlaError(error) && error.code !== 'remote' && error.facts?.['status'] !== undefined
}

interface Seen {
  hasHappened: boolean
  hasFailed: boolean
  /** What the store refused: it is tried again with the next look, and the others do not wait for it. */
  heldUp: HlaError | undefined
}

/** Everything that happened since the last look; the first one looks at everything that is there. */
export async function look(watching: FolderWatch, ending: Pick<Ending, 'isAsked'>): Promise<Seen> {
  const { drive, state } = watching
  const folders = watchedFolders(watching)
  const seen: Seen = { hasHappened: false, hasFailed: false, heldUp: undefined }
  // what was refused is behind the place that is kept
  const keep = (pageToken: string) => seen.heldUp === undefined && state.change({ pageToken })
  let from = state.now().pageToken
  if (from === undefined) {
    // what happens meanwhile is behind it
    from = await feedEnd(drive.connection)
    if (!(await convertAll(folders, folders.all(), ending, seen))) return seen
    keep(from)
  }
  for (let isLast = false; !isLast;) {
    const page = await changesFrom(drive.connection, from)
    if (!(await convertAll(folders, folders.withNew(page.files), ending, seen))) return seen
    keep(page.next)
    ;({ isLast, next: from } = page)
  }
  await tellOfEmpty(watching)
  return seen
}

/** Whether all of them were looked at. */
async function convertAll(
  folders: WatchedFolders,
  files: Iterable<DriveFile> | AsyncIterable<DriveFile>,
  ending: Pick<Ending, 'isAsked'>,
  seen: Seen,
): Promise<boolean> {
  for await (const file of files) {
    if (ending.isAsked()) return false
    if (!isWanted(file)) {
      await noteIfEmpty(folders, file)
      continue
    }
    const watching = await folders.watchOver(file)
    if (watching?.fits(file.title) !== true) continue
    try {
      watching.told?.({ begun: file })
      const outcome = await convertOne(watching, file)
      watching.told?.({ outcome })
      seen.hasHappened ||= outcome !== 'nothing'
      seen.hasFailed ||= outcome === 'failed'
    } catch (error) {
      if (!isRefused(error)) throw error
      tell(`hla: ${shownTitle(file.title)} has to wait\n`)
      seen.heldUp = error
    }
  }
  return true
}

async function noteIfEmpty(folders: WatchedFolders, file: DriveFile): Promise<void> {
  if (file.size !== 0 || file.isTrashed) return
  const watching = await folders.watchOver(file)
  if (watching !== undefined && isEmptyTable(watching, file)) rememberEmpty(watching, file)
}

function isWanted(file: DriveFile): boolean {
  // many programs make a file first, and give it content afterwards
  const hasContent = file.isDocument || (file.revision !== undefined && file.size !== 0)
  return hasContent && !file.isTrashed && !isMade(file)
}
