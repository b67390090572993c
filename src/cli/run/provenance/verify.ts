/** `hla provenance verify`: checks that everything a provenance file names is unchanged.  [disk] */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type WrittenProvenance, readProvenance } from '../../../table/output/provenance.ts'
import { HlaError, errorMessage, errorReason, isHlaError } from '../../../errors.ts'
import { isRecord } from '../../../operations/http-face.ts'
import { dataIdText } from '../../../operations/knowledge.ts'
import { packageVersion, programWords } from '../../../package-root.ts'
import { releaseMethods } from '../../../engine/reduce/methods.ts'
import { hasHatsColumn, parseReleaseNumber } from '../../../reference/release-number.ts'
import { findRelease } from '../../../reference/store/installed.ts'
import { locateData } from '../../../reference/store/location.ts'
import { activeMacList } from '../../../reference/store/mac-lists.ts'
import { isSound } from '../../../reference/store/verify.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { type FileIdentity, fileIdentity } from '../../../io/file-identity.ts'
import { isJoinedName, isStored } from '../../../io/file-port.ts'
import { writeOut } from '../../../io/stdout.ts'
import { openKnowledge } from '../open-knowledge.ts'
import { errorText } from '../../../operations/faces.ts'
import { shellWord } from '../../../advice.ts'
import { basename, dirname, join, resolve } from 'node:path'
import { withoutSettings } from '../settings.ts'
import { resolvedOptions } from '../../../table/run/table-job.ts'
import { makeTableRun } from '../table/table-command.ts'
import { type ParsedCommandLine, parseCommandLine } from '../table/parse-command-line.ts'
import { countOptions } from '../table/count-table.ts'
import { matchOptions } from '../table/match/match-options.ts'
import { convertsCells, type Operation } from '../../../operations/operation.ts'
import { OPERATIONS } from '../../../operations/registry.ts'
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { formatCount } from '../../../format-count.ts'

/** `unknown`: could not be checked. */
type Verdict = 'ok' | 'differs' | 'unknown'
type Line = readonly [what: string, verdict: Verdict, details: string]

interface VerifyOptions {
  readonly dataDir?: string
  readonly rerun?: boolean
  readonly json?: boolean
}

/** Returns the exit status, which is "no" when something differs. @throws {HlaError} not-found, io */
export async function verifyProvenance(file: string, options: VerifyOptions): Promise<number> {
  const record = readProvenance(read(file), file)
  const lines: Line[] = []
  const say = (line: Line) => {
    lines.push(line)
    if (options.json !== true) writeOut(`${line.join('\t')}\n`)
  }
  for (const input of record.inputs ?? [record.input]) say(['input', ...(await checkFile(input, file))])
  say(['output', ...(await checkFile(record.output, file))])
  if (record.report !== undefined) say(['report', ...(await checkFile(record.report, file))])
  say(['record', ...checkRecord(record, file)])
  say(['data', ...checkData(record, options)])
  say(['hla', ...sameOr(record.hla, packageVersion())])
  say(['options', ...(await checkOptions(record))])
  if (options.rerun === true) say(['rerun', ...(await checkRerun(record, file, options))])
  const differs = lines.some(([, verdict]) => verdict === 'differs')
  if (options.json === true) {
    const checks = lines.map(([what, verdict, details]) => ({ what, verdict, details }))
    writeOut(`${JSON.stringify({ file, differs, checks }, null, 2)}\n`)
  }
  return differs ? EXIT.no : EXIT.ok
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing) throw new HlaError('not-found', `there is no file ${file}`, { offending: file })
    throw new HlaError('io', `cannot read ${file}: ${errorReason(error)}`, { offending: file, cause: error })
  }
}

function checkRecord({ isIntact }: WrittenProvenance, file: string): Finding {
  if (isIntact === undefined) return ['unknown', `${file} contains no checksum of itself`]
  return isIntact ? ['ok', file] : ['differs', `${file} has changed since it was written`]
}

type Finding = readonly [verdict: Verdict, details: string]

async function checkFile(then: FileIdentity, provenance: string): Promise<Finding> {
  if (then.name === 'stdin') return ['unknown', 'standard input cannot be read again']
  if (isJoinedName(then.name)) return ['unknown', `${then.name}: several files read as one are not checked`]
  if (isStored(then.name)) return ['unknown', `${then.name} is in a file store, where it is not checked`]
  const found = findFile(then.name, provenance)
  if (found === undefined) return ['differs', `there is no file ${then.name}`]
  const now = await fileIdentity(found)
  return now.sha256 === then.sha256
    ? ['ok', found]
    : ['differs', `${found}: ${hashText(now)}, was ${hashText(then)}`]
}

function hashText({ bytes, sha256 }: FileIdentity): string {
  return `sha256:${sha256.slice(0, 12)} of ${formatCount(bytes)} bytes`
}

function sameOr(then: string, now: string): Finding {
  return then === now ? ['ok', now] : ['differs', `${now}, was ${then}`]
}

/**
 * Opens the release by name, regardless of the active one, and reads its files rather than their recorded checksums.
 */
function checkData({ release, dataId }: WrittenProvenance, { dataDir }: VerifyOptions): Finding {
  const starter = `starter set of ${release}`
  try {
    const { knowledge } = openKnowledge(dataName(dataId), dataDir)
    const now = dataIdText(knowledge.identity) ?? `starter set of ${knowledge.release.facts.label}`
    const dirs = locateData(dataDir)
    if (dataId !== undefined && !isSound(findRelease(dirs, dataName(dataId)), activeMacList(dirs)))
      return ['differs', 'its files are not as installed: hla data verify says which']
    return sameOr(dataId ?? starter, now)
  } catch (error) {
    if (!isHlaError(error)) throw error
    return ['differs', `${errorMessage(error)}, was ${dataId ?? starter}`]
  }
}

/** `3.58.0-r2+mac.20200711 sha256:…` -> `3.58.0-r2`; undefined for the starter set. */
function dataName(dataId: string | undefined): string {
  return dataId?.replace(/[+ ].*$/, '') ?? 'starter'
}

/** Checks that the command line resolves to the same options, including defaults and the environment. */
async function checkOptions({ argv, options, dataId }: WrittenProvenance): Promise<Finding> {
  try {
    const hasHats = dataId !== undefined && hasHatsColumn(parseReleaseNumber(dataName(dataId)))
    const words = withoutSettings(argv)
    const commandLine = await parseCommandLine(words, releaseMethods(hasHats))
    // serialised as in the file, without undefined values
    const now: unknown = JSON.parse(JSON.stringify(optionsNow(commandLine)))
    const differences = leaves(options, now).map(
      ([name, then, is]) => `option ${name} was ${shown(then)}, is ${shown(is)}`,
    )
    if (differences.length > 0) return ['differs', differences.join('; ')]
    return ['ok', ['hla', ...argv].map(shellWord).join(' ')]
  } catch (error) {
    return ['differs', isHlaError(error) ? errorText(error, 'command-line') : errorMessage(error)]
  }
}

function optionsNow({ operation, ...rest }: ParsedCommandLine<Operation>): object {
  if (!convertsCells(operation))
    return operation.countsTables === true ? countOptions(rest) : matchOptions(rest)
  const { files, ...table } = makeTableRun({ ...rest, operation, operands: [] })
  return resolvedOptions({ ...rest, ...table, operation, source: { title: files[0] ?? '-' } })
}

async function checkRerun(
  { argv, input, inputs = [input], output, dataId }: WrittenProvenance,
  provenance: string,
  { dataDir }: VerifyOptions,
): Promise<Finding> {
  if (input.name === 'stdin') return ['unknown', 'standard input cannot be read again']
  const stored = inputs.find(({ name }) => isStored(name))
  if (stored !== undefined) return ['unknown', `${stored.name} is in a file store: download it to check it`]
  // names are relative to the original folder, which the file does not record
  const folders = ['.', dirname(provenance)]
  const cwd = folders.find((one) => inputs.every(({ name }) => existsSync(resolve(one, name))))
  const missing = inputs.find(({ name }) => !existsSync(name)) ?? input
  if (cwd === undefined) return ['differs', `there is no file ${missing.name} here`]
  const folder = mkdtempSync(join(tmpdir(), 'hla-rerun-'))
  const file = join(folder, basename(output.name))
  try {
    const files = ['-o', file, '--errors', `${file}.errors.csv`, '--provenance', `${file}.hla.json`]
    const data = ['-r', dataName(dataId), ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
    // the summary of a match or a count is written to no file
    const isOfPersons = OPERATIONS.some((one) => one.name === argv[0] && !convertsCells(one))
    const quiet = ['-q', '--progress', 'never', ...(isOfPersons ? [] : ['--summary', 'text'])]
    // the last occurrence of an option wins
    const words = withoutSettings(argv, [...files, ...data, ...quiet])
    const status = await run(words, cwd)
    if (status > EXIT.no) return ['differs', `it ended with exit status ${status}`]
    const now = await fileIdentity(file)
    return now.sha256 === output.sha256
      ? ['ok', hashText(now)]
      : ['differs', `${hashText(now)}, was ${hashText(output)}`]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Differing values with their paths. */
function leaves(a: unknown, b: unknown, path = ''): [path: string, a: unknown, b: unknown][] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isRecord(a) || !isRecord(b)) return [[path, a, b]]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names.flatMap((name) => leaves(a[name], b[name], path === '' ? name : `${path}.${name}`))
}

function shown(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** Path relative to the current folder, or beside the provenance file; undefined when neither exists. */
function findFile(name: string, provenance: string): string | undefined {
  const beside = resolve(dirname(provenance), basename(name))
  return [name, beside].find((one) => existsSync(one))
}

/** Hides messages about cells, printed in the original run. */
function run(words: readonly string[], cwd: string): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, programWords(...words), { cwd, stdio: 'ignore' })
    child.on('error', failed)
    child.on('close', (status) => done(status ?? EXIT.bug))
  })
}
