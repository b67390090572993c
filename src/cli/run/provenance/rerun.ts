/** Runs the command line of a provenance file once more, with everything it writes in a temporary folder.  [disk, process] */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { WrittenProvenance } from '../../../table/output/provenance.ts'
import { programWords } from '../../../package-root.ts'
import { EXIT } from '../../exit-status.ts'
import { withoutRemoved } from '../../options/removed-options.ts'
import { withoutSettings } from '../settings.ts'
import { type FileIdentity, fileIdentity } from '../../../io/file-identity.ts'

export interface RerunPlace {
  /** The file that names everything. */
  readonly provenance: string
  readonly release: string
  readonly dataDir: string | undefined
}

/** The output, or why there is none. */
export async function rerun(
  { argv, input, inputs = [input], output, started }: WrittenProvenance,
  place: RerunPlace,
): Promise<FileIdentity | string> {
  // names are those of the folder it was run in, which is not written down
  const folders = ['.', dirname(place.provenance)]
  const cwd = folders.find((one) => inputs.every(({ name }) => existsSync(resolve(one, name))))
  const missing = inputs.find(({ name }) => !existsSync(name)) ?? input
  if (cwd === undefined) return `there is no file ${missing.name} here`
  const folder = mkdtempSync(join(tmpdir(), 'hla-rerun-'))
  const file = join(folder, basename(output.name))
  try {
    const status = await run(withOwn(withoutRemoved(argv), place, file), cwd, started)
    return status > EXIT.no ? `it ended with exit status ${status}` : await fileIdentity(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of options given twice the last one holds. */
function withOwn(argv: readonly string[], { release, dataDir }: RerunPlace, file: string): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const files = ['-o', file, '--errors', `${file}.errors.csv`, '--provenance', `${file}.hla.json`]
  const data = ['-r', release, ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
  const quiet = ['-q', '--summary', 'text', '--progress', 'never']
  return withoutSettings([...argv.slice(0, end), ...files, ...data, ...quiet, ...argv.slice(end)])
}

/** Its messages about cells were read the first time. What is dated is dated as it was. */
function run(words: readonly string[], cwd: string, started: Date | undefined): Promise<number> {
  const seconds = started === undefined ? undefined : String(Math.floor(started.getTime() / 1000))
  const env = { SOURCE_DATE_EPOCH: seconds, ...process.env }
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, programWords(...words), { cwd, env, stdio: 'ignore' })
    child.on('error', failed)
    child.on('close', (status) => done(status ?? EXIT.bug))
  })
}
