/** Names that only hla_nom.txt has: assigned, but not public. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { validateGlString } from '../../src/engine/validate/validate.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { compileTexts, smallMacs, smallTexts } from '../support/small-release.ts'

const CONFIDENTIAL = ['A*01:01:01:99', 'DPA1*02:174N', 'A*01:999:01', 'B*07:02:999Q']
const rows = CONFIDENTIAL.map((name) => `${name.replace('*', '*;')};20241228;;;`)
const texts = smallTexts()
const nomenclature = [texts.nomenclature, ...rows].join('\n')
const release = readRelease(encodeRelease(compileTexts({ ...texts, nomenclature })))
const engine = makeEngine(release, smallMacs())
const plain = makeEngine(readRelease(encodeRelease(compileTexts(texts))), smallMacs())

describe('a name that is assigned, not public', () => {
  test.for([
    ['A*01:01:01:99', 'A*01:01'],
    ['HLA-A*01:01:01:99', 'A*01:01'],
    ['B*07:02:999Q', 'B*07:02'],
  ] as const)('%s is read by %s, and the note says why', ([name, fields]) => {
    const message = `${name.replace('HLA-', '')} is assigned, not public in 3.58.0; it is read by its first two fields, ${fields}`
    const position = [0, name.length]
    const note = { level: 'note', code: 'not-public', message, offending: name, position }
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats')) {
      const answer = redux(engine, name, method)
      expect(answer.text.replaceAll('HLA-', '')).toBe(redux(plain, fields, method).text)
      expect(answer.notes[0]).toEqual(note)
    }
    expect(validateGlString(engine, name)).toMatchObject({ valid: true, unlisted: true, warnings: [note] })
  })

  test.for([
    ['DPA1*02:174N', 'DPA1*02:174N is assigned, but not public in IPD-IMGT/HLA 3.58.0'],
    ['A*01:999:01', 'A*01:999:01 is assigned, but not public in IPD-IMGT/HLA 3.58.0'],
  ] as const)('%s is refused: its first two fields are not public', ([name, message]) => {
    const error = {
      code: 'not-public',
      message,
      offending: name,
      hint: expect.stringContaining('later release'),
    }
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats'))
      expect(errorOf(() => redux(engine, name, method))).toMatchObject(error)
    expect(validateGlString(engine, name)).toMatchObject({ valid: false, problems: [error] })
    expect(errorOf(() => redux(plain, name, 'lgx'))?.code).not.toBe('not-public')
  })

  test('is refused by --exact, whatever its first two fields', () => {
    const exact = makeEngine(release, smallMacs(), { ...engine.options, exact: true })
    expect(errorOf(() => redux(exact, 'A*01:01:01:99', 'lgx'))?.code).toBe('not-public')
    expect(validateGlString(exact, 'A*01:01:01:99').problems[0]?.code).toBe('not-public')
  })

  test('changes no answer about a public name', () => {
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats'))
      for (const typing of ['A*01:01', 'A*01:XX', 'A*01:01:01', 'B*07:02', 'A*01:AB'])
        expect(redux(engine, typing, method).text).toBe(redux(plain, typing, method).text)
  })

  test('is left out of groups and antigens, where they name it', () => {
    const hidden = smallTexts()
    const gGroups = hidden.gGroups.replace('A*;01:01:01:01/', 'A*;01:01:01:01/01:01:01:99/')
    const dnaSerology = `${hidden.dnaSerology}\nA*;01:01:01:99;1;;;`
    expect(gGroups).not.toBe(hidden.gGroups)
    const named = readRelease(encodeRelease(compileTexts({ ...hidden, nomenclature, gGroups, dnaSerology })))
    for (const method of ['W', 'G', 'S'] as const)
      for (const typing of ['A*01:01:01G', 'A1', 'A*01:01'])
        expect(redux(makeEngine(named), typing, method).text).toBe(redux(plain, typing, method).text)
  })
})
