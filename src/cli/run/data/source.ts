/** Opens the source of a data command, reads from it, and closes it again. */
import type { FetchedFile } from '../../../reference/published/fetched-file.ts'
import type { Definitions } from '../../../reference/published/layout.ts'
import {
  DEFAULT_RELEASE_URL,
  type ReleaseSource,
  openSource,
  sourceOver,
} from '../../../reference/published/release-source.ts'
import type { ReleaseNumber } from '../../../reference/release-number.ts'
import { statSync } from 'node:fs'
import { advice, command } from '../../../advice.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import type { FileAccess } from '../../../reference/published/file-access.ts'
import { holdsRelease, nearbyFolder } from '../../../reference/published/nearby-folder.ts'
import { type DataContext, say } from './context.ts'
import type { FetchProgress } from '../../../reference/published/fetch-release.ts'

/** `--from`, else `HLA_DATA_URL`, else the published repository. */
export function parseSource(from: string | undefined): string {
  return from || process.env['HLA_DATA_URL'] || DEFAULT_RELEASE_URL
}

export async function fetchFrom(
  context: DataContext,
  from: string,
  release: ReleaseNumber,
  definitions: Definitions = {},
): Promise<FetchedFile[]> {
  const progress = await startProgress(context, `reading IPD-IMGT/HLA ${release.label}`)
  try {
    return await withSource(from, (source) => source.fetch(release, progress.show, definitions))
  } catch (error) {
    throw await withNearby(error, from, release.label, (files) => holdsRelease(files, release))
  } finally {
    progress.stop()
  }
}

/**
 * Number of the newest release in the source.
 * @throws {HlaError} not-found
 */
export async function findLatest(context: DataContext, from: string): Promise<string> {
  const newest = await withSource(from, (source) => source.newest())
  if (newest === undefined) {
    const none = new HlaError('not-found', `no release in ${from}`, { offending: from })
    throw await withNearby(none, from, 'latest', holdsAny)
  }
  const { label, date } = newest
  say(context, `the newest release in ${from} is ${label}${date === undefined ? '' : ` (${date})`}`)
  return label
}

/** The same error, with the folder nearby that has the release. */
async function withNearby(
  error: unknown,
  from: string,
  release: string,
  has: (files: FileAccess) => Promise<boolean>,
): Promise<unknown> {
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isHlaError(error) || error.code !== 'not-found' || !isFolder) return error
  const found = await nearbyFolder(from, has)
  if (found === undefined) return error
  const { code, said, offending } = error
  return new HlaError(code, said, {
    offending,
    hint: advice`${found} contains it: ${command('data install', { args: [release, '--from', found] })}`,
    cause: error,
  })
}

async function holdsAny(files: FileAccess): Promise<boolean> {
  return (await sourceOver(files).newest()) !== undefined
}

export async function withSource<T>(from: string, run: (source: ReleaseSource) => Promise<T>): Promise<T> {
  const source = await openSource(from)
  try {
    return await run(source)
  } finally {
    await source.close()
  }
}

interface InstallProgress {
  readonly show: (progress: FetchProgress) => void
  readonly stop: () => void
}

/** Shows nothing, and does not load ora, unless stderr is a terminal. */
async function startProgress(context: DataContext, text: string): Promise<InstallProgress> {
  if (!context.isTerminal) return { show: () => undefined, stop: () => undefined }
  const { default: ora } = await import('ora')
  const spinner = ora({ text, stream: process.stderr }).start()
  return {
    show: ({ files, bytes, name }) => {
      spinner.text = `${text}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB (${name})`
    },
    stop: () => spinner.stop(),
  }
}
