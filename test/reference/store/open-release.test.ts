/** Installed data as they are opened: what they are, and compiled files that are made again. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installCatalogue } from '../../../src/reference/catalogues.ts'
import { compileFiles } from '../../../src/reference/compile/compile-files.ts'
import { parseReleaseNumber } from '../../../src/reference/release-number.ts'
import { makeDataId } from '../../../src/reference/store/data-id.ts'
import { installRelease } from '../../../src/reference/store/install.ts'
import { useRelease } from '../../../src/reference/store/installed.ts'
import {
  compiledPath,
  type DataDirs,
  manifestPath,
  sourcePath,
} from '../../../src/reference/store/location.ts'
import { installMacList } from '../../../src/reference/store/mac-lists.ts'
import { sha256Of } from '../../../src/reference/store/manifest.ts'
import { openInstalled } from '../../../src/reference/store/open-release.ts'
import { errorOf } from '../../support/errors.ts'
import { ALLELE_LIST, published, smallBranch, withChecksums } from '../../support/published-release.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let count = 0

/** A release with a list of another one, in fresh folders. */
function installed(branch = smallBranch('3.58.0'), more: { readonly antigensBefore2026?: boolean } = {}) {
  count += 1
  const dirs: DataDirs = { own: temp(`own-${count}`), system: temp(`system-${count}`) }
  const earlier = published('Allelelist.3570.txt', '3.57.0', '2024-07-01', [...ALLELE_LIST.slice(0, 3), 'HLA00132,B*07:02:01'])
  const all = new Map([...branch, ['allelelist/Allelelist.3570.txt', earlier] as const])
  const files = [...all].map(([name, bytes]) => ({ name, bytes, origin: `/data/${name}` }))
  const { installed: release, manifest } = installRelease(dirs, {
    release: parseReleaseNumber('3.58.0-x'),
    files,
    from: '/data',
    acceptChanged: true,
    compile: compileFiles,
    ...more,
  })
  return { dirs, folder: release.folder, manifest }
} // prettier-ignore

const NUMER = Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')
const READINGS = ['all', 'late'] as const

test('data are opened with what they are', () => {
  const branch = withChecksums(smallBranch('3.58.0'))
  branch.set('wmda/rel_ser_ser.txt', Buffer.from(`${branch.get('wmda/rel_ser_ser.txt')?.toString()}\n`))
  branch.set('wmda/hla_nom_p.txt', Buffer.from(branch.get('wmda/hla_nom_p.txt')?.toString().replace(';01:01P', '/01:01:01:02N;01:01P') ?? ''))
  const { dirs, folder, manifest } = installed(branch, { antigensBefore2026: true })
  const wmda = ['hla_nom.txt', 'hla_nom_g.txt', 'hla_nom_p.txt', 'rel_dna_ser.txt', 'rel_ser_ser.txt']
  const facts = {
    files: wmda.map((name) => ({ name, sha256: sha256Of(branch.get(`wmda/${name}`) ?? Buffer.of()) })),
    changed: ['hla_nom_p.txt', 'rel_ser_ser.txt'],
    warnings: ['hla_nom_p.txt: it has the null allele A*01:01:01:02N'],
    antigensBefore2026: true,
  }
  for (const reading of READINGS) {
    const data = openInstalled(dirs, '3.58.0-x', reading)
    const { label: id, hash: sha256 } = makeDataId('3.58.0-x', manifest, undefined)
    expect(data.identity()).toEqual({ id, sha256, ...facts })
    expect([data.folder, data.mac, data.release.facts.label]).toEqual([folder, undefined, '3.58.0'])
    expect(data.sources('hla_nom.txt')).toBe(branch.get('wmda/hla_nom.txt')?.toString())
    expect([data.catalogue('ciwd3'), data.catalogues()]).toEqual([undefined, []])
  }
  const list = installMacList(dirs, NUMER, 'x')
  installCatalogue(dirs, 'eurcwd', Buffer.from('A*01:01,C'))
  useRelease(dirs, '3.58.0-x')
  for (const reading of READINGS) {
    const data = openInstalled(dirs, 'active', reading)
    const { label: id, hash: sha256 } = makeDataId('3.58.0-x', manifest, list.manifest)
    expect(data.identity()).toEqual({ id, sha256, ...facts })
    expect(data.mac?.expand('AB')).toEqual({ generic: true, members: ['01', '02'] })
    expect(data.sources('numer.v3.txt')).toBe(NUMER.toString())
    expect(data.catalogue('eurcwd')).toEqual(new Map([['A*01:01', ['C']]]))
    expect(data.catalogues()).toEqual([{ name: 'eurcwd', sha256: sha256Of(Buffer.from('A*01:01,C')) }])
    data.mac?.close()
  }
}) // prettier-ignore

test('of files as published nothing is said to be changed', () => {
  const { dirs } = installed(withChecksums(smallBranch('3.58.0')))
  expect(openInstalled(dirs, '3.58.0-x').identity()).toMatchObject({ changed: [], warnings: [], antigensBefore2026: false }) // prettier-ignore
})

test.for(READINGS)('a compiled file that is missing, damaged or of other files is made again: %s', (reading) => {
  const { dirs, folder } = installed()
  const path = compiledPath(folder)
  const sound = readFileSync(path)
  const other = compileFiles([...smallBranch('3.57.0')].map(([name, bytes]) => ({ name, bytes })))
  const spoilt = [undefined, sound.subarray(0, -1), Buffer.from('x'), other, sound.map((byte, at) => (at === sound.length - 9 ? byte ^ 1 : byte))]
  for (const bytes of spoilt) {
    rmSync(path)
    if (bytes !== undefined) writeFileSync(path, bytes)
    const { release } = openInstalled(dirs, '3.58.0-x', reading)
    const names = Array.from({ length: release.size }, (_, id) => release.nameOf(id))
    expect(names.map((name) => [release.valueOf('g', name), release.listOf('alleleAntigens', name)?.length])).toHaveLength(release.size)
    expect(release.valueOf('g', 'A*01:01:01:01')).toBe('A*01:01:01G')
    expect(release.facts.label).toBe('3.58.0')
    if (bytes !== spoilt.at(-1)) expect(readFileSync(path).equals(sound)).toBe(true)
  }
  rmSync(path)
  mkdirSync(path)
  expect(() => openInstalled(dirs, '3.58.0-x')).toThrow('EISDIR')
}) // prettier-ignore

test('a kept file that has changed is named where the compiled file is made of it', () => {
  const { dirs, folder } = installed()
  writeFileSync(sourcePath(folder, 'wmda/hla_nom.txt'), 'edited')
  expect(openInstalled(dirs, '3.58.0-x').release.facts.label).toBe('3.58.0')
  rmSync(compiledPath(folder))
  expect(errorOf(() => openInstalled(dirs, '3.58.0-x'))).toMatchObject({ code: 'checksum-mismatch' })
  rmSync(manifestPath(folder))
  expect(errorOf(() => openInstalled(dirs, '3.58.0-x'))).toMatchObject({ code: 'no-data' })
})

test.for(READINGS)('the history is made of the lists once, and takes the place of another: %s', (reading) => {
  const { dirs, folder } = installed()
  writeFileSync(join(folder, 'history-0123456789abcdef.bin'), 'of other lists')
  writeFileSync(join(folder, 'xhistory-01.bin'), 'another file')
  const spellings = [
    { accession: 'HLA00132', name: 'B*07:02:01', first: '3.57.0', last: '3.57.0' },
    { accession: 'HLA00132', name: 'B*07:02:01:01', first: '3.58.0', last: '3.58.0' },
  ]
  const histories = () => readdirSync(folder).filter((name) => name.includes('history-')).sort()
  const history = openInstalled(dirs, '3.58.0-x', reading).history()
  expect([history?.releases, history?.spellingsOf('HLA00132')]).toEqual([['3.57.0', '3.58.0'], spellings])
  const [name = '', other] = histories()
  expect([name, other]).toEqual([expect.stringMatching(/^history-[\da-f]{16}\.bin$/), 'xhistory-01.bin'])
  const sound = readFileSync(join(folder, name))
  for (const bytes of [Buffer.from('x'), sound.subarray(0, -1)]) {
    writeFileSync(join(folder, name), bytes)
    expect(openInstalled(dirs, '3.58.0-x', reading).history()?.spellingsOf('HLA00132')).toEqual(spellings)
    expect(readFileSync(join(folder, name)).equals(sound)).toBe(true)
  }
  expect(name).toBe('history-3c956c6a9ba7d909.bin')
}) // prettier-ignore

test('a release with one list and no deletions has no history', () => {
  count += 1
  const dirs: DataDirs = { own: temp(`own-${count}`), system: temp(`system-${count}`) }
  const files = [...smallBranch('3.58.0')].map(([name, bytes]) => ({ name, bytes, origin: name }))
  const install = (given: typeof files, name: string) =>
    installRelease(dirs, { release: parseReleaseNumber(name), files: given, from: '', compile: compileFiles })
  install(files, '3.58.0')
  install(files.filter(({ name }) => name !== 'Deleted_alleles.txt'), '3.58.0-one')
  expect(openInstalled(dirs, '3.58.0').history()?.releases).toEqual(['3.58.0'])
  expect(openInstalled(dirs, '3.58.0-one').history()).toBeUndefined()
}) // prettier-ignore
