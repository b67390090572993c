/**
 * The S3-compatible store for tests; without it the suites that need it are skipped with a message.  [disk, network]
 */
import { onTestFinished } from 'vitest'
import { onceARun } from './once-a-run.ts'
import { runSwift, swiftAt, type Swift, SWIFT } from './swift-server.ts'
import { noteSkipped } from './skipped.ts'

export { SWIFT, type Swift } from './swift-server.ts'

if (!SWIFT) noteSkipped('tests of contents in buckets need Swift')

/** The store of the run, with separate buckets for this test file; global-setup stops it. */
export async function startSwift(): Promise<Pick<Swift, 'url' | 'env' | 'bucket'>> {
  const { url } = await onceARun('shared-swift', async (folder) => ({
    url: (await runSwift(folder, { isLasting: true })).url,
  }))
  const swift = swiftAt(url)
  return { ...swift, bucket: (name) => swift.bucket(`${name}-${process.pid}`) }
}

/** A separate store for a test that kills it; it ends with the test. `folder`: for all its files. */
export async function startOwnSwift(folder: string): Promise<Swift> {
  const swift = await runSwift(folder)
  onTestFinished(() => swift.kill())
  return swift
}
