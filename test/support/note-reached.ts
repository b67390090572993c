/** Runs before each file: which tests the notes of this process, and of those that it starts, belong to (HLA_TEST_REACHED). */
import { expect } from 'vitest'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'

const folder = process.env['HLA_TEST_REACHED'] ?? ''
const test = relative(process.cwd(), expect.getState().testPath ?? '')
const notes = join(folder, 'tests', encodeURIComponent(test))
if (!existsSync(notes)) writeFileSync(notes, '')
// programs of another user note, too
chmodSync(notes, 0o666)
const stat = readFileSync('/proc/self/stat', 'latin1')
const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
writeFileSync(join(folder, 'processes', `${process.pid}-${start}`), notes)
// loaded before a test changes what loads it
Object.assign(globalThis, {
  noteRecorder: createRequire(import.meta.url)(join(folder, 'recorder.cjs'))(),
})
