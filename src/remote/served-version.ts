/** Parses a service's answer to GET /version, and checks it against the requested release. */
import { CONTRACT_METHODS, type Method, releaseMethods } from '../engine/reduce/methods.ts'
import { HlaError } from '../errors.ts'
import { isRecord } from '../operations/http-face.ts'
import { hasHatsColumn, parseReleaseNumber } from '../reference/release-number.ts'
import type { RemoteReply } from './transport.ts'

export interface ServedVersion {
  /** `3.58.0` */
  readonly label: string
  /** Version as in answers: 3.58.0 is 3580. */
  readonly ipdVersion: string
  readonly isStarter: boolean
  /** undefined when the service does not report it. */
  readonly dataId: string | undefined
  readonly alleleCount: number
  /** Names of operations; undefined for a basic service, which knows the contract only. */
  readonly operations: readonly string[] | undefined
  readonly hasBatch: boolean
  /** undefined when the service does not report them. */
  readonly loci: readonly string[] | undefined
}

/** @throws {HlaError} remote — the answer is not from such a service */
export function readVersion(url: string, { status, text, dataId }: RemoteReply): ServedVersion {
  const body = tryParseJson(text)
  if (status !== 200 || !isRecord(body) || body['ipd_version'] === undefined) {
    const reason = status === 200 ? 'has no version of IPD-IMGT/HLA' : `is ${status}`
    throw new HlaError(
      'remote',
      `${url} is not an HLA reduction service: its answer to GET /version ${reason}`,
    )
  }
  const { ipd_version, release, operations, batch, dataset, allele_count, loci } = body
  const ipdVersion = JSON.stringify(ipd_version).replaceAll(`"`, '') // a number, or a text
  return {
    label: typeof release === 'string' ? release : releaseLabel(ipdVersion),
    ipdVersion,
    isStarter: dataset === 'starter',
    dataId,
    alleleCount: Number(allele_count ?? 0),
    operations: asTexts(operations),
    hasBatch: batch === true,
    loci: asTexts(loci),
  }
}

function asTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined
}

/** Methods available from the service; a basic service has those of the contract. */
export function methodsServed({ label, isStarter, operations }: ServedVersion): readonly Method[] {
  if (operations === undefined) return CONTRACT_METHODS
  return releaseMethods(!isStarter && hasHatsColumn(parseReleaseNumber(label)))
}

/** @throws {HlaError} pin — the service has another release than requested; unknown-release */
export function checkPin(url: string, release: string, served: ServedVersion): void {
  if (release === 'active' || (release === 'starter' && served.isStarter)) return
  const requested = release === 'starter' ? undefined : parseReleaseNumber(release)
  const name = served.dataId?.split('+')[0] ?? served.label
  const isCopy = requested !== undefined && requested.name !== requested.label
  if (!served.isStarter && requested?.label === served.label && (!isCopy || requested.name === name)) return
  const what = served.isStarter ? `the built-in starter set of ${served.label}` : `IPD-IMGT/HLA ${name}`
  throw new HlaError('pin', `${url} serves ${what}, you asked for ${requested?.name ?? 'the starter set'}`)
}

/** `3580` -> `3.58.0`. py-ard services may answer `Latest`, which pins nothing. */
function releaseLabel(ipdVersion: string): string {
  return /^\d+$/.test(ipdVersion) ? parseReleaseNumber(ipdVersion).label : ipdVersion
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // not JSON: the caller reports it
    return undefined
  }
}
