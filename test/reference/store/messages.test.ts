/** What is written of an installation, and what is said where it cannot be made, read or removed. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isHlaError } from '../../../src/errors.ts'
import { encodeContainer } from '../../../src/reference/format.ts'
import type { FetchedFile } from '../../../src/reference/published/fetched-file.ts'
import { parseReleaseNumber } from '../../../src/reference/release-number.ts'
import { countDays, isOldRelease } from '../../../src/reference/store/age.ts'
import { makeDataId } from '../../../src/reference/store/data-id.ts'
import { installRelease, type InstallRequest } from '../../../src/reference/store/install.ts'
import {
  findInstalled,
  findRelease,
  listInstalled,
  readReleaseManifest,
  removeRelease,
  useRelease,
} from '../../../src/reference/store/installed.ts'
import { readAsInstalled, readSource } from '../../../src/reference/store/kept-sources.ts'
import {
  type DataDirs,
  compiledPath,
  manifestPath,
  readActive,
  sourcePath,
} from '../../../src/reference/store/location.ts'
import { installMacList } from '../../../src/reference/store/mac-lists.ts'
import {
  CITATION,
  isMissing,
  isRecord,
  readIfPresent,
  readJson,
  readMacManifest,
  readManifest,
  sha256Of,
  toJson,
} from '../../../src/reference/store/manifest.ts'
import {
  compareWithSource,
  findDamage,
  isCompiledIntact,
  isSound,
} from '../../../src/reference/store/verify.ts'
import { errorOf } from '../../support/errors.ts'
import { smallBranch, withChecksums } from '../../support/published-release.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
let count = 0

function freshDirs(): DataDirs {
  count += 1
  return { own: temp(`own-${count}`), system: temp(`system-${count}`) }
}

const filesOf = (branch: ReadonlyMap<string, Buffer>): FetchedFile[] =>
  [...branch].map(([name, bytes]) => ({ name, bytes, origin: `/data/${name}` }))

const install = (dirs: DataDirs, name: string, more: Partial<InstallRequest> = {}) => {
  const release = parseReleaseNumber(name)
  return installRelease(dirs, { release, files: filesOf(smallBranch(release.label)), from: '/data', compile: () => Buffer.from('compiled'), ...more })
} // prettier-ignore

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** Files of a release in which one list has another row than its checksum is of. */
const changedFiles = () => {
  const branch = withChecksums(smallBranch('3.58.0'))
  for (const name of ['wmda/rel_ser_ser.txt', 'wmda/hla_nom.txt'])
    branch.set(name, Buffer.from(`${branch.get(name)?.toString()}\n# more`))
  return filesOf(branch)
}

describe('an installation', () => {
  test('is described with its files, checksums and warnings', () => {
    const dirs = freshDirs()
    const files = changedFiles()
    const { installed, manifest, unchanged, notPublic } = install(dirs, '3.58.0-x', { files, acceptChanged: true, antigensBefore2026: true })
    const kept = files.filter(({ name }) => !name.endsWith('md5checksum.txt'))
    expect({ installed, manifest, unchanged, notPublic }).toEqual({
      installed: { name: '3.58.0-x', folder: join(dirs.own, 'releases/3.58.0-x'), readOnly: false },
      manifest: {
        release: '3.58.0',
        date: '2024-10-09',
        alleles: 3,
        from: '/data',
        files: kept.map(({ name, bytes }) => ({ name, sha256: sha256(bytes), size: bytes.length, date: '2024-10-09' })),
        md5: { listed: 5, differing: ['wmda/hla_nom.txt', 'wmda/rel_ser_ser.txt'] },
        antigensBefore2026: true,
        citation: 'IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
      },
      unchanged: false,
      notPublic: 0,
    })
    expect(readReleaseManifest(installed)).toEqual(manifest)
    expect(readFileSync(compiledPath(installed.folder), 'utf8')).toBe('compiled')
    expect(install(dirs, '3.58.0-x', { files, acceptChanged: true })).toMatchObject({ unchanged: true, installed, notPublic: 0 })
  }) // prettier-ignore

  test('counts names that are not public', () => {
    const branch = smallBranch('3.58.0')
    branch.set('wmda/hla_nom.txt', Buffer.from(`${branch.get('wmda/hla_nom.txt')?.toString()}\nB*;07:500;20240101;;;`))
    expect(install(freshDirs(), '3.58.0', { files: filesOf(branch) })).toMatchObject({ unchanged: false, notPublic: 1 })
  }) // prettier-ignore

  test('of files that are not as published is refused', () => {
    expect(errorOf(() => install(freshDirs(), '3.58.0', { files: changedFiles() }))).toMatchObject({
      code: 'checksum-mismatch',
      message: 'files from /data differ from the published checksums: hla_nom.txt, rel_ser_ser.txt (2 of 5)',
      offending: 'wmda/hla_nom.txt',
      hint: 'fetch them again; if they were corrected after md5checksum.txt, --accept-changed installs them, and "hla version" says so',
    })
  })

  test('of other files than those that are there is refused, with three of them', () => {
    const dirs = freshDirs()
    install(dirs, '3.58.0')
    const files = filesOf(smallBranch('3.58.0')).map((file) => ({ ...file, bytes: Buffer.concat([file.bytes, Buffer.from('\n')]) }))
    expect(errorOf(() => install(dirs, '3.58.0', { files, from: '/other' }))).toMatchObject({
      code: 'data-differs',
      message: '3.58.0 is installed with other files than /other has (wmda/hla_nom.txt, wmda/hla_nom_g.txt, wmda/hla_nom_p.txt)',
      offending: '3.58.0',
      hint: '--as 3.58.0-r2 keeps both, --force replaces the installed one',
    })
    // fewer files are no other files
    expect(install(dirs, '3.58.0', { files: filesOf(smallBranch('3.58.0')).slice(0, 6) }).unchanged).toBe(true)
  }) // prettier-ignore

  test('of far fewer alleles than the release before is refused, unless they are as published', () => {
    const dirs = freshDirs()
    install(dirs, '3.58.0')
    const branch = smallBranch('3.59.0')
    for (const [name, bytes] of branch) branch.set(name, Buffer.from(bytes.toString().replace(/\n(?:B\*|HLA00132).*$/, '')))
    expect(errorOf(() => install(dirs, '3.59.0', { files: filesOf(branch) }))).toMatchObject({
      code: 'bad-release-file',
      message: '3.59.0 has 2 alleles, 3.58.0 has 3: its files are not complete',
      offending: '3.59.0',
      hint: 'fetch them again; if that is how they are published, --accept-changed installs them',
    })
    expect(install(dirs, '3.59.0', { files: filesOf(withChecksums(branch)) }).manifest).not.toHaveProperty('warnings')
    expect(install(dirs, '3.59.0-a', { files: filesOf(branch), acceptChanged: true }).manifest.warnings).toEqual(['3.59.0 has 2 alleles, 3.58.0 has 3'])
    // neither later ones nor itself are before it
    expect(install(dirs, '3.57.0', { files: filesOf(smallBranch('3.57.0')) }).manifest).not.toHaveProperty('warnings')
  }) // prettier-ignore
})

describe('an installed release', () => {
  const INSTALL = { command: 'data install', args: ['3.57.0'] }

  test('that is not there is named, with what is', () => {
    const dirs = freshDirs()
    const none = errorOf(() => findRelease(dirs, 'active'))
    expect(none).toMatchObject({
      code: 'no-data',
      message: 'no nomenclature data installed',
      offending: undefined,
    })
    expect(none?.hint).toContainEqual({ command: 'data install', args: ['latest'] })
    expect(errorOf(() => findRelease(dirs, '3.57'))).toMatchObject({
      code: 'no-data',
      message: 'IPD-IMGT/HLA 3.57.0 is not installed',
      offending: '3.57',
      hint: expect.arrayContaining([INSTALL]),
    })
    install(dirs, '3.58.0')
    install(dirs, '3.58.0-r2')
    expect(errorOf(() => findRelease(dirs, 'active'))).toMatchObject({
      message: 'no release is active',
      hint: [{ command: 'data use', args: ['3.58.0-r2'] }],
    })
    const other = errorOf(() => useRelease(dirs, '3570'))
    expect(other).toMatchObject({ message: 'IPD-IMGT/HLA 3.57.0 is not installed', offending: '3570' })
    expect(JSON.stringify(other?.hint)).toContain('3.58.0')
    expect(findRelease(dirs, 'active', { release: '3.58.0' }).name).toBe('3.58.0')
    expect(findInstalled(dirs, '3.57.0')).toBeUndefined()
    expect(readActive(dirs)).toEqual({})
  })

  test('of the system stays, and one of the same name hides it', () => {
    const dirs = freshDirs()
    install({ own: dirs.system, system: '' }, '3.58.0')
    const system = { name: '3.58.0', folder: join(dirs.system, 'releases/3.58.0'), readOnly: true }
    const own = { name: '3.58.0', folder: join(dirs.own, 'releases/3.58.0'), readOnly: false }
    expect([listInstalled(dirs), findInstalled(dirs, '3.58.0')]).toEqual([[system], system])
    expect(errorOf(() => removeRelease(dirs, '3.58'))).toMatchObject({
      code: 'io',
      message: `${system.folder} belongs to the system: an administrator must remove it`,
      offending: '3.58.0',
    })
    install(dirs, '3.58.0')
    expect([listInstalled(dirs), findInstalled(dirs, '3.58.0')]).toEqual([[own], own])
    useRelease(dirs, '3.58.0')
    install(dirs, '3.57.0')
    expect(removeRelease(dirs, '3.57.0').name).toBe('3.57.0')
    expect(readActive(dirs)).toEqual({ release: '3.58.0' })
    expect(removeRelease(dirs, '3.58.0')).toEqual(own)
    expect([listInstalled(dirs), readActive(dirs)]).toEqual([[system], {}])
  })

  test('is a folder with a description that is not hidden', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    mkdirSync(join(dirs.own, 'releases/3.57.0'))
    mkdirSync(join(dirs.own, 'releases/.part'))
    writeFileSync(
      join(dirs.own, 'releases/.part/manifest.json'),
      readFileSync(manifestPath(installed.folder)),
    )
    expect(listInstalled(dirs)).toEqual([installed])
    const odd = freshDirs()
    mkdirSync(odd.own)
    writeFileSync(join(odd.own, 'releases'), '')
    expect(listInstalled(odd)).toEqual([])
  })

  test('is compared with its description and with a source, file by file', () => {
    const { installed } = install(freshDirs(), '3.58.0')
    const files = filesOf(smallBranch('3.58.0'))
    const [nom = files[0], group = files[0]] = files
    const path = (name = '') => sourcePath(installed.folder, name)
    writeFileSync(path(nom?.name), 'edited')
    rmSync(path(group?.name))
    const hash = (file?: FetchedFile) => sha256(file?.bytes ?? Buffer.of())
    expect(findDamage(installed)).toEqual([
      { name: 'wmda/hla_nom.txt', installed: hash(nom), found: sha256(Buffer.from('edited')) },
      { name: 'wmda/hla_nom_g.txt', installed: hash(group), found: undefined },
    ])
    expect(isSound(installed, undefined)).toBe(false)
    const edited = { name: 'wmda/hla_nom.txt', bytes: Buffer.from('edited'), origin: '' }
    expect(compareWithSource(installed, [edited, ...files.slice(2)])).toEqual([
      { name: 'wmda/hla_nom.txt', installed: hash(nom), found: sha256(Buffer.from('edited')) },
    ])
  })

  test('is sound while its compiled file, if any, is as written, and so is the list of codes', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    // of another format
    expect([isCompiledIntact(installed), isSound(installed, undefined)]).toEqual([true, true])
    const container = encodeContainer({}, new Map([['a', Uint8Array.of(1, 2, 3)]]))
    writeFileSync(compiledPath(installed.folder), container)
    expect([isCompiledIntact(installed), isSound(installed, undefined)]).toEqual([true, true])
    writeFileSync(compiledPath(installed.folder), container.subarray(0, -1))
    expect([isCompiledIntact(installed), isSound(installed, undefined)]).toEqual([false, false])
    rmSync(compiledPath(installed.folder))
    expect([isCompiledIntact(installed), isSound(installed, undefined)]).toEqual([true, true])
    const list = installMacList(
      dirs,
      Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n'),
      'x',
    )
    expect(isSound(installed, list)).toBe(true)
    writeFileSync(list.path, 'damaged')
    expect(isSound(installed, list)).toBe(false)
    mkdirSync(compiledPath(installed.folder))
    expect(() => isCompiledIntact(installed)).toThrow('EISDIR')
  })
})

test('a list of codes is described with its text and its index', () => {
  const dirs = freshDirs()
  const text = Buffer.from('LAST UPDATED: 07/11/20\n*\tCODE\tSUBTYPE\n\n\tAB\t01/02\n')
  const { name, path, manifest } = installMacList(dirs, text, '/from')
  expect(name).toBe(`2020-07-11-${sha256(text).slice(0, 12)}`)
  const index = readFileSync(path)
  expect([path, manifest]).toEqual([
    join(dirs.own, 'mac', `${name}.bin`),
    {
      date: '2020-07-11',
      codes: 1,
      from: '/from',
      source: { name: 'alpha.v3.txt', sha256: sha256(text), size: text.length, date: '2020-07-11' },
      index: { name: `${name}.bin`, sha256: sha256(index), size: index.length },
    },
  ])
  expect(readMacManifest(path.replace(/bin$/, 'json'))).toEqual(manifest)
  expect(readFileSync(path.replace(/bin$/, 'txt'))).toEqual(text)
  expect(readActive(dirs)).toEqual({ mac: name })
})

describe('a description', () => {
  const path = temp('described.json')
  const hint = [{ command: 'data install', options: [{ option: 'force' }] }, ' installs it again']

  test.for([
    ['{', readManifest, /^ is damaged: .+/],
    ['{}', readManifest, ' is damaged: not the description of a release'],
    ['null', readManifest, ' is damaged: not the description of a release'],
    ['{"release": 1, "files": []}', readManifest, ' is damaged: not the description of a release'],
    ['{"release": "3.58.0", "files": {}}', readManifest, ' is damaged: not the description of a release'],
    ['{"codes": "1", "source": {}}', readMacManifest, ' is damaged: not the description of a MAC list'],
    ['{"codes": 1, "source": null}', readMacManifest, ' is damaged: not the description of a MAC list'],
    ['"x"', readMacManifest, ' is damaged: not the description of a MAC list'],
    ['{"a": 1, "sum": "00000000"}', readJson, ' is damaged: its checksum does not match'],
  ] as const)('%s is refused', ([text, read, message]) => {
    writeFileSync(path, text)
    const error = errorOf(() => read(path))
    expect(error).toMatchObject({ code: 'bad-release-file', offending: path, hint })
    expect(error?.message.slice(path.length)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  }) // prettier-ignore

  test('that is missing is named, or nothing', () => {
    const none = temp('none.json')
    expect(errorOf(() => readJson(none))).toMatchObject({ code: 'no-data', message: `${none} does not exist`, offending: none, cause: { code: 'ENOENT' } })
    expect(readIfPresent(readJson, none)).toBeUndefined()
    writeFileSync(path, '{')
    expect(() => readIfPresent(readJson, path)).toThrow('is damaged')
    expect(() => readJson(temp(''))).toThrow('EISDIR')
    expect(readIfPresent(() => 5, none)).toBe(5)
  }) // prettier-ignore

  test('ends with a checksum of the rest', () => {
    const text = toJson({ a: 1, b: ['x'] })
    expect(text).toBe('{\n  "a": 1,\n  "b": [\n    "x"\n  ],\n  "sum": "21b2e55c"\n}\n')
    writeFileSync(path, text)
    expect(readJson(path)).toEqual({ a: 1, b: ['x'] })
    writeFileSync(path, '[1]')
    expect(readJson(path)).toEqual([1])
  })

  test('facts of values', () => {
    expect([{}, [], null, 'x', undefined].map(isRecord)).toEqual([true, true, false, false, false])
    expect([{ code: 'ENOENT' }, { code: 'ENOTDIR' }, { code: 'EACCES' }, {}, null].map(isMissing)).toEqual([true, true, false, false, false])
    expect(sha256Of(Buffer.from('x'))).toBe(sha256(Buffer.from('x')))
    expect(CITATION).toMatch(/^IPD-IMGT\/HLA is CC BY-ND; cite /)
  }) // prettier-ignore
})

test('a kept file that is missing, or not as installed, is named with what to do', () => {
  const hint = [
    { command: 'data install', options: [{ option: 'force' }] },
    ' installs a release again, ',
    { command: 'data mac' },
    ' installs the MAC list again',
  ]
  const file = { name: 'wmda/hla_nom.txt', sha256: sha256(Buffer.from('x')), size: 1 }
  const path = join(temp('kept'), 'src/wmda/hla_nom.txt')
  expect(errorOf(() => readSource(temp('kept'), file))).toMatchObject({
    code: 'no-data',
    message: `hla_nom.txt should be at ${path}, but that file is missing`,
    offending: 'hla_nom.txt',
    hint,
  })
  writeFileSync(temp('file'), 'y')
  expect(errorOf(() => readAsInstalled(temp('file'), file))).toMatchObject({
    code: 'checksum-mismatch',
    message: `${temp('file')} is not as it was installed`,
    offending: temp('file'),
    hint,
  })
  writeFileSync(temp('file'), 'x')
  expect(readAsInstalled(temp('file'), file).toString()).toBe('x')
  expect(isHlaError(new Error('x'))).toBe(false)
})

test('data are as old as whole days, and a release is old after a year', () => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(['2026-01-31', '2026-01-30', '2025-01-31', '2026-02-05', 'undated'].map((date) => countDays(date, now))).toEqual([0, 1, 365, 0, undefined])
  expect(['2025-01-31', '2025-01-30', '2026-02-05', 'undated'].map((date) => isOldRelease(date, now))).toEqual([false, true, false, false])
  expect([isOldRelease('2000-01-01'), isOldRelease('2999-01-01')]).toEqual([true, false])
}) // prettier-ignore

test('an id of data is of the sorted names and digests', () => {
  const { manifest } = install(freshDirs(), '3.58.0')
  const files = [{ name: 'b', sha256: '2', size: 1 }, { name: 'a', sha256: '1', size: 1 }]
  const source = { name: 'numer.v3.txt', sha256: '3', size: 1 }
  const mac = { date: '2020-07-11', codes: 1, from: '', source, index: source }
  expect(makeDataId('3.58.0-x', { ...manifest, files }, mac)).toEqual({
    label: '3.58.0-x+mac.20200711',
    hash: sha256(Buffer.from('a 1\nb 2\nnumer.v3.txt 3\n')).slice(0, 12),
  })
  expect(makeDataId('3.58.0', { ...manifest, files }, undefined)).toEqual({
    label: '3.58.0',
    hash: sha256(Buffer.from('a 1\nb 2\n')).slice(0, 12),
  })
}) // prettier-ignore
