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
import { startProgress } from './progress.ts'

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
 * The number of the newest release there.
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
