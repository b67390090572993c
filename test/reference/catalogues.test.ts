/** The catalogues of common and well-documented alleles. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ciwd3Catalogue, cwd2Catalogue, installCiwd3, readCiwd3 } from '../../src/reference/catalogues.ts'
import { parseCiwd } from '../../src/reference/sources/ciwd.ts'
import { errorOf } from '../support/errors.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const HEADER = 'ALLELE,TOTAL,AFA,API,EURO,HIS,MENA,NAM,UNK'
const ROWS = [HEADER, 'A*01:01,C,C,C,C,C,C,C,C', 'A*01:02,WD,R,R,I,R,R,R,R', 'A*01:06,R,R,R,R,R,R,R,C'].join(
  '\r\n',
)

describe('parseCiwd', () => {
  test('gives the categories of a name', () => {
    expect(parseCiwd(ROWS).get('A*01:02')).toEqual(['WD', 'R', 'R', 'I', 'R', 'R', 'R', 'R'])
  })

  test.for([
    ['', 'does not begin with the line'],
    ['ALLELE,TOTAL\nA*01:01,C', 'does not begin with the line'],
    [`${HEADER}\nA*01:01,C,C,C`, 'line 2'],
    [`${HEADER}\nA*01:01,C,C,C,C,C,C,C,X`, 'line 2'],
  ] as const)('refuses %j', ([text, message]) => {
    const error = errorOf(() => parseCiwd(text))
    expect(error?.code).toBe('bad-release-file')
    expect(error?.message).toContain(message)
  })
})

describe('ciwd3Catalogue', () => {
  const names = ['A*01:01', 'A*01:02', 'A*01:06']

  test.for([
    [['C', 'I', 'WD'], ['TOTAL'], ['A*01:01', 'A*01:02']],
    [['C'], ['TOTAL'], ['A*01:01']],
    [
      ['C', 'I'],
      ['EURO', 'UNK'],
      ['A*01:01', 'A*01:02', 'A*01:06'],
    ],
    [['R'], ['TOTAL'], ['A*01:06']],
  ] as const)('%j in %j', ([categories, populations, members]) => {
    const catalogue = ciwd3Catalogue(parseCiwd(ROWS), { categories, populations })
    expect(names.filter((name) => catalogue.isMember(name))).toEqual(members)
  })
})

describe('installed CIWD 3.0.0', () => {
  const temp = tempFolder()

  test('is kept as published, and read again', () => {
    const dirs = { own: temp('own'), system: temp('system') }
    expect(readCiwd3(dirs)).toBeUndefined()
    installCiwd3(dirs, Buffer.from(ROWS))
    expect(readCiwd3(dirs)?.size).toBe(3)
    expect(readCiwd3({ own: temp('other'), system: dirs.own })?.size).toBe(3)
  })

  test('is not kept when it cannot be read', () => {
    const dirs = { own: temp('damaged'), system: temp('system') }
    expect(errorOf(() => installCiwd3(dirs, Buffer.from('<html>')))?.code).toBe('bad-release-file')
    expect(readCiwd3(dirs)).toBeUndefined()
  })
})

describe.skipIf(!hasShared)('the published catalogues', () => {
  test('CWD 2.0.0 is what the package holds', () => {
    const [, ...rows] = readFileSync(sharedPath('upstream/cwd/CWD2.csv'), 'utf8').trim().split(/\r?\n/)
    const names = rows.map((row) => row.slice(row.indexOf(',') + 1))
    const catalogue = cwd2Catalogue()
    expect(names.filter((name) => !catalogue.isMember(name))).toEqual([])
    expect(catalogue.size).toBe(new Set(names).size)
  })

  test('CIWD 3.0.0 is read whole', () => {
    expect(parseCiwd(readFileSync(sharedPath('upstream/cwd/ciwd.3.0.0.csv'), 'utf8')).size).toBe(10_468)
  })
})
