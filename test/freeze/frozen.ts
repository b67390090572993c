/**
 * Frozen behaviour as text files: reads them, compares records by name, and rewrites them with HLA_UPDATE_FREEZE.
 * [disk]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
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

/** A patch for each record that changed, is new, or is gone. */
export function differences(before: string, now: string): string[] {
  const [old, found] = [recordsOf(before), recordsOf(now)]
  const names = new Set([...old.keys(), ...found.keys()])
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

/** Compares with the frozen file, or rewrites it if HLA_UPDATE_FREEZE is set. */
export function changesOf(file: string, now: string): string[] {
  const path = join(FOLDER, file)
  if (process.env['HLA_UPDATE_FREEZE'] !== undefined) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(path, now)
  }
  return differences(frozenOf(file), now)
}

export function frozenOf(file: string): string {
  try {
    return readFileSync(join(FOLDER, file), 'utf8')
  } catch {
    return ''
  }
}
