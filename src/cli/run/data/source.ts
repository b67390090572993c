/** Opens the source of a data command, reads from it, and closes it again. */
import type { FetchedFile } from '../../../reference/published/fetched-file.ts'
import type { Definitions } from '../../../reference/published/layout.ts'
import {
  DEFAULT_RELEASE_URL,
  type ReleaseSource,
  openSource,
} from '../../../reference/published/release-source.ts'
import type { ReleaseNumber } from '../../../reference/release-number.ts'
import { HlaError } from '../../../errors.ts'
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
  if (newest === undefined) throw new HlaError('not-found', `no release in ${from}`, { offending: from })
  const { label, date } = newest
  say(context, `the newest release in ${from} is ${label}${date === undefined ? '' : ` (${date})`}`)
  return label
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
