/**
 * `hla mac --hats` on 3.58.0 with a column of HATS antigens: the values of the published sample, elsewhere those of the
 * first fields.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { expandCode } from '../../src/engine/mac.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { macOperation } from '../../src/operations/questions/mac.ts'
import { compileRelease } from '../../src/reference/compile/compile.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { readTexts, realMacs, realRelease } from '../support/releases.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

/** `A*;02:01:01:01` -> the seven fields of its line. */
function dnaLines(): string[][] {
  const sample = readFileSync(sharedPath('upstream/nomenclature-2026/rel_dna_ser.sample.txt'), 'utf8')
  const rows = new Map(
    sample
      .trim()
      .split('\n')
      .map((line) => [nameIn(line), line.trim().split(';')]),
  )
  const lines = readTexts('3580')
    .dnaSerology.split(/\r?\n/)
    .filter((line) => /^\w+\*;/.test(line))
  return lines.map((line) => rows.get(nameIn(line)) ?? [...line.split(';').slice(0, 6), antigenOf(line)])
}

function nameIn(line: string): string {
  return line.split(';').slice(0, 2).join('')
}

/** The antigen of a line, if the release gives exactly one. */
function antigenOf(line: string): string {
  const [, , certain = '', possible = '', assumed = ''] = line.split(';')
  return [certain, possible, assumed].find((one) => /^[1-9]\d*$/.test(one)) ?? ''
}

/** Name of one, two or three fields -> antigen; the last line below a short name decides. */
function independentHats(lines: readonly (readonly string[])[]): Map<string, string> {
  const table = new Map<string, string>()
  const valued = lines.filter(([, , , , , , antigen = '']) => antigen !== '')
  for (const fields of [9, 2, 3])
    for (const [locus = '', allele = '', , , , , antigen = ''] of valued)
      table.set(locus + allele.split(':').slice(0, fields).join(':'), antigen)
  return table
}

function sharing(names: readonly string[], table: ReadonlyMap<string, string>): Set<string> {
  const wanted = new Set(names.map((name) => table.get(name)).filter((antigen) => antigen !== undefined))
  const locus = names[0]?.split('*')[0]
  const all = [...table].filter(([name, antigen]) => wanted.has(antigen) && name.startsWith(`${locus}*`))
  return new Set(all.map(([name]) => name).filter((name) => name.split(':').length === 2))
}

describe.skipIf(!hasShared)('names that share a HATS antigen', () => {
  let engine: Engine
  let table: Map<string, string>
  beforeAll(() => {
    const lines = dnaLines()
    table = independentHats(lines)
    const dnaSerology = lines.map((line) => line.join(';')).join('\n')
    const facts = { label: '3.64.0', compact: '3640', date: '', sources: [] }
    const compiled = compileRelease({ ...readTexts('3580'), dnaSerology }, facts, readFixedTables())
    engine = makeEngine(readRelease(encodeRelease(compiled)), realMacs())
  })

  test('are those of an independent computation, for codes of every locus', () => {
    const codes = [...realMacs().codesWithPrefix('')].filter((_, at) => at % 400 === 0)
    const families = ['A*02', 'A*01', 'B*15', 'B*07', 'C*07', 'DRB1*04', 'DQB1*03', 'DRB3*02']
    let answered = 0
    for (const code of codes)
      for (const family of families) {
        const name = `${family}:${code}`
        const members = errorOf(() => expandCode(engine, name))
        if (members !== undefined) continue
        const { names } = expandCode(engine, name)
        const expected = sharing(names, table)
        const given = () => expandCode(engine, name, { hats: true })
        if (expected.size === 0) expect(errorOf(given)?.code).toBe('no-serology')
        else {
          // a short name without its expression letter is in the table, but not in the release
          const valid = [...expected].filter((one) => engine.release.is('allele', one))
          expect(new Set(given().names)).toEqual(new Set(valid))
          answered += 1
        }
      }
    expect(answered).toBeGreaterThan(100)
  })

  test('are in the order of the release, with HLA- as the code, each once', () => {
    const { names } = expandCode(engine, 'HLA-A*01:AB', { hats: true })
    expect(names.slice(0, 2)).toEqual(['HLA-A*01:01', 'HLA-A*01:02'])
    expect(new Set(names).size).toBe(names.length)
    const plain = expandCode(engine, 'A*01:AB', { hats: true }).names
    expect(names).toEqual(plain.map((name) => `HLA-${name}`))
  })

  test('leave out what has no antigen, and say so', () => {
    const { names, notes } = expandCode(engine, 'A*01:XX', { xx: true, hats: true })
    expect(names).toContain('A*01:01')
    expect(names).not.toContain('A*01:11N')
    expect(notes).toMatchObject([{ level: 'warning', code: 'no-serology' }])
    expect(notes[0]?.message).toContain('A*01:11N')
  })

  test('name another antigen than their first field, as the sample has it', () => {
    expect(table.get('A*02:829')).toBe('3201')
    expect(sharing(['A*02:829'], table)).toContain('A*02:829')
  })

  test('are of releases from 3.64.0, and of codes', () => {
    const old = makeEngine(realRelease('3580'), realMacs())
    expect(errorOf(() => expandCode(old, 'A*01:AB', { hats: true }))?.code).toBe('no-hats')
    const knowledge = makeKnowledge({ release: engine.release, mac: realMacs() })
    const answer = macOperation.run({ gl_string: 'A*01:AB', hats: true }, knowledge)
    expect(macOperation.toText(answer)).toMatch(/^A\*01:01\/A\*01:02\//)
    const list = () => macOperation.run({ gl_string: 'A*01:01/A*01:02', hats: true }, knowledge)
    expect(errorOf(list)?.code).toBe('unknown-mac')
  })
})
