/** Which release and which MAC list are used when none is named: `active.json`. [disk] */
import { mkdirSync } from 'node:fs'
import { writeAtomically } from '../../io/atomic-write.ts'
import { type DataDirs, activePath } from './location.ts'
import { ifThere, isRecord, readJson, toJson } from './manifest.ts'

export interface Active {
  /** Name of an installed release: `3.58.0`. */
  readonly release?: string
  /** Name of an installed MAC list: `2020-07-11-3f2a…`. */
  readonly mac?: string
}

/** What the user chose goes before what the machine's administrator chose. */
export function readActive(dirs: DataDirs): Active {
  return { ...readChoice(dirs.system), ...readChoice(dirs.own) }
}

/** Changes the user's own choice; `undefined` takes one back. */
export function writeActive(
  dirs: DataDirs,
  change: { release?: string | undefined; mac?: string | undefined },
): void {
  mkdirSync(dirs.own, { recursive: true })
  writeAtomically(activePath(dirs.own), toJson({ ...readChoice(dirs.own), ...change }))
}

function readChoice(dir: string): Active {
  const value = ifThere(readJson, activePath(dir))
  if (!isRecord(value)) return {}
  const { release, mac } = value
  return { ...(typeof release === 'string' && { release }), ...(typeof mac === 'string' && { mac }) }
}
