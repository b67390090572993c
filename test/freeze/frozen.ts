/**
 * Frozen behaviour as text files: reads them, compares records by name, and rewrites them with HLA_UPDATE_FREEZE.
 * [disk]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { IS_LONG, isInSample } from '../support/rounds.ts'
import type { FrozenRecord } from './faces.ts'

const FOLDER = join(import.meta.dirname, 'frozen')
const HEAD = '=== '

export function frozenText(records: readonly FrozenRecord[]): string {
  return records.map(({ name, lines }) => `${[`${HEAD}${name}`, ...lines].join('\n')}\n`).join('')
}

function recordsOf(text: string): Map<string, string> {
  const parts = text.split(new RegExp(`^${HEAD}`, 'm')).slice(1)
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]))
}

/** A patch for each record that changed, is new, or unless `now` is a sample is gone. */
export function differences(before: string, now: string, isSample = false): string[] {
  const [old, found] = [recordsOf(before), recordsOf(now)]
  const names = new Set([...(isSample ? [] : old.keys()), ...found.keys()])
  return [...names].flatMap((name) => {
    const [was, is] = [old.get(name), found.get(name)]
    if (was === is) return []
    return [`${HEAD}${name}\n${patchOf(was ?? '', is ?? '')}`]
  })
}

/** The patch without its first four lines, which name files. */
function patchOf(was: string, is: string): string {
  return createTwoFilesPatch('', '', was, is, '', '', { context: 1 }).split('\n').slice(4).join('\n')
}

const IS_UPDATE = process.env['HLA_UPDATE_FREEZE'] !== undefined

/** Of inputs that cost several processes each, a fifth at a merge; all of them at night and for an update. */
export function sampled<T>(inputs: readonly T[], nameOf: (input: T) => string): T[] {
  const chosen = inputs.filter((input) => IS_UPDATE || isInSample(nameOf(input)))
  if (chosen.length < inputs.length / 10)
    throw new Error(`only ${chosen.length} of ${inputs.length} inputs are in the sample`)
  return chosen
}

/** Compares with the frozen file, or rewrites it if HLA_UPDATE_FREEZE is set. `isSample`: of inputs that were `sampled`. */
export function changesOf(file: string, now: string, { isSample = false } = {}): string[] {
  const path = join(FOLDER, file)
  if (IS_UPDATE) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path, now)
  }
  return differences(frozenOf(file), now, isSample && !IS_LONG)
}

export function frozenOf(file: string): string {
  try {
    return readFileSync(join(FOLDER, file), 'utf8')
  } catch {
    return ''
  }
}
