/** An S3-compatible store of a test's own; where it is not installed, the suites that need it say so.  [disk, network] */
import { afterAll } from 'vitest'
import { runSwift, type Swift, SWIFT } from './swift-server.ts'
import { tempFolder } from './temp.ts'

export { SWIFT, type Swift } from './swift-server.ts'

// as suites of the published files say it
if (!SWIFT) process.stderr.write('Swift is not installed: suites of contents in buckets are skipped\n')

/** Ends with the tests of the file. */
export async function startSwift(): Promise<Swift> {
  const swift = await runSwift(tempFolder()('swift'))
  afterAll(() => swift.kill())
  return swift
}
