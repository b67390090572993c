/** Records the address of each upload until it has ended, so that a later run can resume it.  [disk] */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UploadTarget } from '../../client/upload.ts'
import { homeFolder } from '../../../package-root.ts'

export interface BegunUpload {
  readonly url: string
  readonly target: UploadTarget
  readonly size: number
  readonly md5: string
}

export interface UnfinishedUpload {
  /** Address of the upload, which is its credential; undefined without one. */
  readonly path: string | undefined
  readonly keep: (path: string) => void
  readonly forget: () => void
}

/** Minimum size in bytes: smaller files are faster to send again. */
const LARGE_BYTES = 8 * 1024 * 1024

/** Record for an upload of the same bytes to the same target. */
export function unfinishedUpload(begun: BegunUpload): UnfinishedUpload {
  if (begun.size < LARGE_BYTES) return { path: undefined, keep: () => undefined, forget: () => undefined }
  const name = createHash('sha256').update(JSON.stringify(begun)).digest('hex')
  const file = join(stateFolder(), `${name}.upload`)
  return {
    path: read(file),
    keep(path) {
      mkdirSync(stateFolder(), { recursive: true, mode: 0o700 })
      writeFileSync(file, path, { mode: 0o600 })
    },
    forget: () => rmSync(file, { force: true }),
  }
}

/** Folder for state of this machine and user, not part of the configuration. */
export function stateFolder(): string {
  return join(process.env['XDG_STATE_HOME'] || join(homeFolder(), '.local', 'state'), 'hla')
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
