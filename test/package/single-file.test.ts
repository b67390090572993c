/**
 * The program as a single file: it contains every file it reads, and runs its threads and processes from itself
 * (docs/adr/packages.md#one-file).
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { packagePath } from '../../src/package-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'hla-single-'))
const program = join(folder, 'main.cjs')

/** Stands in for Node's embedded files: the files of the package, with no folder beside the script. */
const HELD = `({
  getRawAsset(name) {
    const file = name === 'threads.cjs' ? ${JSON.stringify(program)} : ${JSON.stringify(`${packagePath()}/`)} + name
    return Uint8Array.from(require('node:fs').readFileSync(file)).buffer
  },
})`

afterAll(() => rmSync(folder, { recursive: true }))

describe('a program that is a single file', () => {
  it('says how it was built, and reads its tables, pages and bundles from within', async () => {
    await writeProgram()
    expect(hla('--version')).toMatch(/^hla \d+\.\d+\.\d+ \(single file for linux-x64, node \d/)
    expect(hla('version', '-r', 'starter')).toContain('single file for linux-x64)')
    expect(hla('redux', '-q', '-r', 'starter', '-m', 'G', 'A*01:01:01:01')).toBe('A*01:01:01G\n')
    expect(hla('man', 'redux')).toContain('hla redux')
    expect(hla('completion', 'bash')).toContain('complete')
  })

  it('converts a table, and records the conversion', async () => {
    await writeProgram()
    const rows = Array.from({ length: 400 }, (_, row) => `${row},A*01:01:01:01,A*02:01\n`)
    writeFileSync(join(folder, 'in.csv'), ['id,A_1,A_2\n', ...rows].join(''))
    hla('redux', '-q', '-r', 'starter', '-m', 'G', '-i', 'in.csv', '-o', 'out.csv', '--provenance')
    const written = readFileSync(join(folder, 'out.csv'), 'utf8').split('\n')
    expect(written).toHaveLength(rows.length + 2)
    expect(written.at(-2)).toContain('399,A*01:01:01:01,A*01:01:01G')
  })
})

async function writeProgram(): Promise<void> {
  const { mainText } = (await import(packagePath('.build/single/main-text.mjs'))) as {
    mainText: (platform: string) => string
  }
  writeFileSync(program, mainText('linux-x64').replace("require('node:sea')", HELD))
}

function hla(...words: string[]): string {
  return execFileSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' })
}
