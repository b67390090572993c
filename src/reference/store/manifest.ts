/** Manifests of installed releases and MAC lists. [disk] */
import { advice, command } from '../../advice.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { HlaError, isHlaError, errorMessage } from '../../errors.ts'
import { sumBytes } from '../pages.ts'

export interface InstalledFile {
  /** `wmda/hla_nom_g.txt`, with `/` on every system. */
  readonly name: string
  readonly sha256: string
  /** Bytes. */
  readonly size: number
  /** Date in the file: `2024-10-09`; undefined where it has none. */
  readonly date?: string
}

export interface ReleaseManifest {
  /** `3.58.0` */
  readonly release: string
  readonly date: string
  readonly alleles: number
  readonly from: string
  readonly files: readonly InstalledFile[]
  /** Comparison with the published checksums; `differing` are names. */
  readonly md5: { readonly listed: number; readonly differing: readonly string[] }
  /** Unusual or accepted findings; absent when there are none. */
  readonly warnings?: readonly string[]
  /** Set when its antigens are those of `wmda/pre2026`. */
  readonly antigensBefore2026?: true
  readonly citation: string
}

export interface MacManifest {
  /** `2020-07-11` */
  readonly date: string
  readonly codes: number
  readonly from: string
  /** Published text of the list, unpacked. */
  readonly source: InstalledFile
  /** Compiled index. */
  readonly index: InstalledFile
}

/** IPD-IMGT/HLA is CC BY-ND and asks to be cited wherever its data are used. */
export const CITATION =
  'IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549'

/**
 * @throws {HlaError} no-data — the file is missing
 * @throws {HlaError} bad-release-file — it is damaged
 */
export function readManifest(path: string): ReleaseManifest {
  const value = readJson(path)
  if (isRecord(value) && typeof value['release'] === 'string' && Array.isArray(value['files'])) {
    return value as unknown as ReleaseManifest // written by this program; the two fields identify it
  }
  throw damaged(path, 'not the description of a release')
}

/** @throws {HlaError} no-data, bad-release-file */
export function readMacManifest(path: string): MacManifest {
  const value = readJson(path)
  if (isRecord(value) && typeof value['codes'] === 'number' && isRecord(value['source'])) {
    return value as unknown as MacManifest // as above
  }
  throw damaged(path, 'not the description of a MAC list')
}

/**
 * Reads a file of `toJson` and verifies its checksum: a wrong bit in a date or a digest would go unnoticed.
 * @throws {HlaError} no-data, bad-release-file
 */
export function readJson(path: string): unknown {
  const { text, value } = parsed(path)
  if (!isRecord(value) || !('sum' in value)) return value
  const { sum, ...rest } = value
  // the text as written usually matches; formatting it again takes as long as an answer
  const written = text.replace(SUM_MEMBER, '\n}\n')
  if (sum !== sumText(written) && sum !== sumText(formatManifest(rest)))
    throw damaged(path, 'its checksum does not match')
  return rest
}

/** Checksum at the end of `toJson`'s text. */
const SUM_MEMBER = /,\n {2}"sum": "[0-9a-f]{8}"\n\}\n$/

function parsed(path: string): { readonly text: string; readonly value: unknown } {
  try {
    const text = readFileSync(path, 'utf8')
    return { text, value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(path, errorMessage(error))
    if (isMissing(error))
      throw new HlaError('no-data', `${path} does not exist`, { offending: path, cause: error })
    throw error
  }
}

/** undefined when the file is missing, or another process has just removed it. */
export function readIfPresent<T>(read: (path: string) => T, path: string): T | undefined {
  try {
    return read(path)
  } catch (error) {
    if (isHlaError(error) && error.code === 'no-data') return undefined
    throw error
  }
}

/** JSON with a checksum of the rest at its end. */
export function toJson(value: object): string {
  return formatManifest({ ...value, sum: sumText(formatManifest(value)) })
}

function formatManifest(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** Not a cryptographic digest: that would load node:crypto, and this file is read at every start. */
function sumText(text: string): string {
  return sumBytes(Buffer.from(text)).toString(16).padStart(8, '0')
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function isMissing(error: unknown): boolean {
  return isRecord(error) && (error['code'] === 'ENOENT' || error['code'] === 'ENOTDIR')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function damaged(path: string, why: string): HlaError {
  const hint = advice`${command('data install', { options: [{ option: 'force' }] })} installs it again`
  return new HlaError('bad-release-file', `${path} is damaged: ${why}`, { offending: path, hint })
}

export interface InstalledMacList {
  /** `2020-07-11-3f2a…`: date of the list and beginning of its sha256. */
  readonly name: string
  /** Path of the index. */
  readonly path: string
  readonly manifest: MacManifest
}
