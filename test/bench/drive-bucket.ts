/**
 * Measures 64 MiB uploads to a server that stores contents in a bucket, beside the bucket client alone [process,
 * network, disk, clock].
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/package-root.ts'
import { bundleScript } from '../support/bundle.ts'
import { runSwift, SWIFT } from '../support/swift-server.ts'
import { atLeast, type BenchRow, reported } from './bench-row.ts'
import type { BucketLoad, BucketRound } from './bucket-client.ts'
import { processorSeconds, startDrive } from './drive-server.ts'
import { median, medianRatio } from './statistics.ts'
import type { Uploaded, UploadLoad } from './upload-client.ts'

const ROUNDS = 9
/** Bytes. */
const SIZE = 64 << 20

/** ms. */
interface Round extends BucketRound {
  readonly upload: number
  /** Processor ms of the server. */
  readonly server: number
}

export async function benchBucket(): Promise<BenchRow[]> {
  if (!SWIFT) {
    process.stdout.write('drive-bucket: skipped, Swift is not installed\n')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'hla-bench-bucket-'))
  const scripts = ['upload-client.ts', 'bucket-client.ts'].map((name) =>
    bundleScript(packagePath(), `test/bench/${name}`),
  )
  const swift = await runSwift(mkdtempSync(join(folder, 'swift-')))
  try {
    const [upload = '', alone = ''] = scripts.map(({ file }) => file)
    const args = ['--contents', await swift.bucket('contents')]
    const drive = await startDrive(folder, { ...swift.env }, args)
    const other = await swift.bucket('other')
    const file = join(folder, 'content')
    const run = (script: string, load: UploadLoad | BucketLoad): unknown =>
      JSON.parse(
        execFileSync(process.execPath, [script, JSON.stringify(load)], {
          encoding: 'utf8',
          env: { ...process.env, ...swift.env },
        }),
      )
    const round = (): Round => {
      const before = processorSeconds(drive)
      const { port, token } = drive
      const load: UploadLoad = { port, token, connections: 1, type: 'none', size: SIZE }
      // our own scripts print this JSON
      const { perSecond, failed } = run(upload, load) as Uploaded
      if (failed > 0) throw new Error('an upload failed')
      const server = (processorSeconds(drive) - before) * 1000
      writeFileSync(file, Buffer.concat([randomBytes(16), Buffer.alloc(SIZE - 16, 7)]))
      const put: BucketLoad = { contents: other, file }
      return { ...(run(alone, put) as BucketRound), upload: 1000 / perSecond, server }
    }
    const rounds = Array.from({ length: ROUNDS + 1 }, round).slice(1)
    drive.child.kill('SIGKILL')
    return rows(rounds)
  } finally {
    await swift.kill()
    for (const made of [...scripts, { folder }]) rmSync(made.folder, { recursive: true, force: true })
  }
}

function rows(rounds: readonly Round[]): BenchRow[] {
  const of = (name: keyof Round) => rounds.map((round) => round[name])
  return [
    reported('64 MiB, put by the client of the bucket, which is told the digests', [median(of('put')), 'ms']),
    reported('64 MiB, digested and put by that client', [median(of('digestAndPut')), 'ms']),
    reported('64 MiB, upload through a server', [median(of('upload')), 'ms']),
    reported('64 MiB, processor time of the server', [median(of('server')), 'ms']),
    reported('64 MiB, speed of the upload : digested and put alone', [
      medianRatio(of('digestAndPut'), of('upload')),
      '×',
    ]),
    atLeast('64 MiB, speed of the upload : put alone', [medianRatio(of('put'), of('upload')), '×'], 0.6),
  ]
}
