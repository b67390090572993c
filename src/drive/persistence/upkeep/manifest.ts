/** What a backup says of itself: `backup.json`, written last.  [disk] */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HlaError } from '../../../errors.ts'

export interface Manifest {
  readonly format: typeof FORMAT
  /** Of the tables. */
  readonly version: number
  /** ISO 8601. */
  readonly created: string
  readonly database: { readonly size: number; readonly sha256: string }
  /** Contents that are files; their names are their digests. */
  readonly contents: { readonly count: number; readonly bytes: number }
}

export const FORMAT = 'hla-drive-backup-1'
export const MANIFEST = 'backup.json'

/** @throws {HlaError} not-found, unknown-format */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST)
  const manifest = parse(readText(path), path)
  if (isManifest(manifest)) return manifest
  throw new HlaError('unknown-format', `${path} is not the description of a backup`, { offending: path })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const hint = 'a backup that was not finished has none'
    throw new HlaError('not-found', `there is no ${path}`, { offending: path, hint, cause })
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HlaError('unknown-format', `${path} is not JSON`, { offending: path, cause })
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  // each member is looked at before it is believed
  const { format, version, database, contents } = value as Partial<Manifest>
  const isOfDatabase = typeof database?.size === 'number' && typeof database.sha256 === 'string'
  const isOfContents = typeof contents?.count === 'number' && typeof contents.bytes === 'number'
  return format === FORMAT && typeof version === 'number' && isOfDatabase && isOfContents
}
