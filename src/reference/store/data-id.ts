/** Data id of a combination of data: answers with equal ids came from the same files. Pure. */
import { createHash } from 'node:crypto'
import type { MacManifest, ReleaseManifest } from './manifest.ts'

export interface DataId {
  /** `3.58.0+mac.20200711`, or `3.58.0` without a MAC list. */
  readonly label: string
  /** First 12 hexadecimal digits of the sha256 over the sorted lines `name sha256`. */
  readonly hash: string
}

/** `name` is that of the installation, `3.58.0-r2` for a second copy. */
export function makeDataId(name: string, release: ReleaseManifest, mac: MacManifest | undefined): DataId {
  const files = [...release.files, ...(mac ? [mac.source] : [])]
  const lines = files.map((file) => `${file.name} ${file.sha256}\n`).sort()
  const hash = createHash('sha256').update(lines.join('')).digest('hex').slice(0, HASH_DIGITS)
  return { label: mac ? `${name}+mac.${mac.date.replaceAll('-', '')}` : name, hash }
}

const HASH_DIGITS = 12
