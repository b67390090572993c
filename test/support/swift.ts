/** The S3-compatible store of a test; where it is not installed, the suites that need it say so.  [disk, network] */
import { afterAll } from 'vitest'
import { onceARun } from './once-a-run.ts'
import { runSwift, swiftAt, type Swift, SWIFT } from './swift-server.ts'
import { tempFolder } from './temp.ts'

export { SWIFT, type Swift } from './swift-server.ts'

// as suites of the published files say it
if (!SWIFT) process.stderr.write('Swift is not installed: suites of contents in buckets are skipped\n')

/** The store of the run, with buckets of this file's own; global-setup ends it. */
export async function startSwift(): Promise<Pick<Swift, 'url' | 'env' | 'bucket'>> {
  const { url } = await onceARun('shared-swift', async (folder) => ({
    url: (await runSwift(folder, { isLasting: true })).url,
  }))
  const swift = swiftAt(url)
  return { ...swift, bucket: (name) => swift.bucket(`${name}-${process.pid}`) }
}

/** A store of the file's own, for tests that kill it; it ends with them. */
export async function startOwnSwift(): Promise<Swift> {
  const swift = await runSwift(tempFolder()('swift'))
  afterAll(() => swift.kill())
  return swift
}
