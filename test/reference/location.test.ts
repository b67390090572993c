/** Where installed data are, which of them are the default, and which release a date stands for. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCodeVersion } from '../../src/reference/release-dates.ts'
import {
  activePath,
  compiledPath,
  locateData,
  macFolder,
  manifestPath,
  readActive,
  releasesFolder,
  sourcePath,
  writeActive,
} from '../../src/reference/store/location.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe('the folder of the data', () => {
  const usual = join(homedir(), '.local/share/hla')
  test.for([
    ['given', { HLA_DATA_DIR: 'set', XDG_DATA_HOME: 'xdg' }, 'given'],
    [undefined, { HLA_DATA_DIR: 'set', XDG_DATA_HOME: 'xdg' }, 'set'],
    ['', { HLA_DATA_DIR: '', XDG_DATA_HOME: 'xdg' }, 'xdg/hla'],
    [undefined, { XDG_DATA_HOME: '' }, usual],
    [undefined, {}, usual],
  ] as const)('for %s and %j is %s', ([dataDir, env, own]) => {
    expect(locateData(dataDir, env)).toEqual({ own, system: '/usr/share/hla' })
  })

  test('of the system can be another', () => {
    expect(locateData('x', { HLA_SYSTEM_DATA_DIR: '/opt/hla' })).toEqual({ own: 'x', system: '/opt/hla' })
  })

  test('has a place for each thing', () => {
    const places = [releasesFolder, macFolder, activePath, compiledPath, manifestPath].map((place) => place('d'))
    expect(places).toEqual(['d/releases', 'd/mac', 'd/active.json', 'd/compiled.bin', 'd/manifest.json'])
    expect(sourcePath('d', 'wmda/hla_nom.txt')).toBe('d/src/wmda/hla_nom.txt')
  }) // prettier-ignore
})

test("the user's choice has precedence over that of the system, one by one", () => {
  const dirs = { own: temp('own'), system: temp('system') }
  mkdirSync(dirs.system)
  expect(readActive(dirs)).toEqual({})
  writeFileSync(activePath(dirs.system), '{"release": "3.57.0", "mac": "old", "more": 1}')
  expect(readActive(dirs)).toEqual({ release: '3.57.0', mac: 'old' })
  writeActive(dirs, { release: '3.58.0' })
  expect(readActive(dirs)).toEqual({ release: '3.58.0', mac: 'old' })
  writeActive(dirs, { mac: 'new' })
  expect(readActive(dirs)).toEqual({ release: '3.58.0', mac: 'new' })
  writeActive(dirs, { release: undefined })
  expect(readActive(dirs)).toEqual({ release: '3.57.0', mac: 'new' })
  expect(Object.keys(JSON.parse(readFileSync(activePath(dirs.own), 'utf8')) as object)).not.toContain(
    'release',
  )
  for (const wrong of ['[]', '"x"', '{"release": 1, "mac": null}']) {
    writeFileSync(activePath(dirs.own), wrong)
    expect(readActive(dirs)).toEqual({ release: '3.57.0', mac: 'old' })
  }
  rmSync(activePath(dirs.system))
  expect(readActive(dirs)).toEqual({})
})

describe('the version of a code', () => {
  test.for([
    ['3.58.0', '3.58.0', false],
    ['2010-04', '3.0.0', true],
    ['2010-04-01', '3.0.0', true],
    ['2010-06-30', '3.0.0', true],
    ['2010-07', '3.1.0', true],
    ['2018-06', '3.32.0', true],
    ['2018-12-31', '3.34.0', true],
    ['2019-01-01', '3.35.0', true],
    ['2024-02-29', '3.55.0', true],
  ] as const)('%s is release %s', ([version, release, isByDate]) =>
    expect(readCodeVersion(version)).toEqual({ release, isByDate }),
  )

  test.for([
    ['2010-03', '2010-03 is before April 2010; dates can only stand for releases from 3.0.0 on'],
    ['2010-03-31', '2010-03-31 is before April 2010; dates can only stand for releases from 3.0.0 on'],
    ['2018-13', '"2018-13" is no date'],
    ['2018-00', '"2018-00" is no date'],
    ['2018-06-31', '"2018-06-31" is no date'],
    ['2023-02-29', '"2023-02-29" is no date'],
  ] as const)('%s is refused', ([version, message]) => {
    expect(() => readCodeVersion(version)).toThrow(
      expect.objectContaining({ code: 'unknown-release', message, offending: version }),
    )
  })

  test.for(['2018-6', '2018-06-1', 'x2018-06', '2018-06-30x', '2018'])('%s is neither', (version) => {
    expect(() => readCodeVersion(version)).toThrow(expect.objectContaining({ code: 'unknown-release' }))
  })
})
