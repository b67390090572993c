/** The data directory: installs are complete or absent, by one or several processes at once. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { writeAtomically } from '../../src/io/atomic-write.ts'
import type { FetchedFile } from '../../src/reference/published/fetched-file.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import {
  readActive,
  writeActive,
  type DataDirs,
  compiledPath,
  locateData,
  manifestPath,
  sourcePath,
} from '../../src/reference/store/location.ts'
import { readMacTable } from '../../src/reference/mac-table.ts'
import { makeDataId } from '../../src/reference/store/data-id.ts'
import { type InstallOutcome, installRelease } from '../../src/reference/store/install.ts'
import {
  findRelease,
  listInstalled,
  readReleaseManifest,
  removeRelease,
  useRelease,
} from '../../src/reference/store/installed.ts'
import {
  activeMacList,
  installMacList,
  isMacListIntact,
  openMacList,
} from '../../src/reference/store/mac-lists.ts'
import { readJson, toJson } from '../../src/reference/store/manifest.ts'
import { compareWithSource, findDamage } from '../../src/reference/store/verify.ts'
import { bundled } from '../support/bundled.ts'
import { powerLossLayer } from '../support/crash.ts'
import { errorOf } from '../support/errors.ts'
import { generateMacRows, generateMacText } from '../support/generate-mac.ts'
import { smallBranch, withChecksums } from '../support/published-release.ts'
import { rounds } from '../support/rounds.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const program = bundled('test/support/install-release.ts')
const powerLoss = powerLossLayer(temp('power-loss.so'))
let folders = 0

function freshDirs(): DataDirs {
  folders += 1
  return { own: temp(`own-${folders}`), system: temp(`system-${folders}`) }
}

function filesOf(version: string): FetchedFile[] {
  return [...smallBranch(version)].map(([name, bytes]) => ({ name, bytes, origin: `/data/${name}` }))
}

interface Extra {
  readonly files?: FetchedFile[]
  readonly force?: boolean
  readonly acceptChanged?: boolean
}

function install(dirs: DataDirs, name: string, extra: Extra = {}): InstallOutcome {
  const { files, force = false, acceptChanged = false } = extra
  const release = parseReleaseNumber(name)
  const compile = (given: readonly FetchedFile[]) => Buffer.from(`compiled from ${given.length} files`)
  return installRelease(dirs, {
    release,
    files: files ?? filesOf(release.label),
    from: '/data',
    force,
    acceptChanged,
    compile,
  })
}

/** The same release after the publisher corrected a file in place. */
function revised(version: string): FetchedFile[] {
  return filesOf(version).map((file) => file.name !== 'wmda/rel_ser_ser.txt' ? file : { ...file, bytes: Buffer.from(file.bytes.toString().replace('23/24', '23')) }) // prettier-ignore
}

/** Files in a folder, including hidden ones. */
function contents(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

const NUMER = Buffer.from('LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\nCD\t03/04\n')

describe('locateData', () => {
  test.for([
    ['/given', { HLA_DATA_DIR: '/env', XDG_DATA_HOME: '/xdg' }, '/given'],
    [undefined, { HLA_DATA_DIR: '/env', XDG_DATA_HOME: '/xdg' }, '/env'],
    [undefined, { XDG_DATA_HOME: '/xdg' }, '/xdg/hla'],
    [undefined, { HLA_DATA_DIR: '', XDG_DATA_HOME: '/xdg' }, '/xdg/hla'],
  ] as const)('option %s, environment %o: %s', ([option, env, expected]) => {
    expect(locateData(option, env).own).toBe(expected)
  })

  test('falls back on the home directory and /usr/share', () => {
    expect(locateData(undefined, {}).own).toMatch(/[\\/]\.local[\\/]share[\\/]hla$/)
    expect(locateData(undefined, {}).system).toBe('/usr/share/hla')
    expect(locateData(undefined, { HLA_SYSTEM_DATA_DIR: '/opt/hla' }).system).toBe('/opt/hla')
  })
})

describe('installRelease', () => {
  test('keeps the files as they were read, the compiled release, and what is known of them', () => {
    const dirs = freshDirs()
    const { installed, unchanged, manifest: written } = install(dirs, '3.58.0')
    expect({ unchanged, warnings: written.warnings }).toEqual({ unchanged: false })
    expect(installed.folder).toBe(join(dirs.own, 'releases/3.58.0'))
    for (const { name, bytes } of filesOf('3.58.0'))
      expect(readFileSync(sourcePath(installed.folder, name))).toEqual(bytes)
    expect(readFileSync(compiledPath(installed.folder), 'utf8')).toBe('compiled from 7 files')
    const manifest = readReleaseManifest(installed)
    expect(manifest).toMatchObject({ release: '3.58.0', date: '2024-10-09', alleles: 3, from: '/data' })
    expect(manifest.files[0]).toMatchObject({ name: 'wmda/hla_nom.txt', date: '2024-10-09', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }) // prettier-ignore
    expect(contents(join(dirs.own, 'releases'))).toEqual(['3.58.0'])
  })

  test('leaves an installation of the same files alone', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    writeFileSync(compiledPath(installed.folder), 'not touched')
    expect(install(dirs, '3.58.0').unchanged).toBe(true)
    expect(readFileSync(compiledPath(installed.folder), 'utf8')).toBe('not touched')
    expect(install(dirs, '3.58.0', { force: true }).unchanged).toBe(false)
    expect(readFileSync(compiledPath(installed.folder), 'utf8')).toBe('compiled from 7 files')
  })

  test('replaces other files only when forced, and keeps both under two names', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    const files = revised('3.58.0')
    const error = { code: 'data-differs', message: expect.stringContaining('wmda/rel_ser_ser.txt') }
    expect(() => install(dirs, '3.58.0', { files })).toThrow(expect.objectContaining(error))
    expect(findDamage(installed)).toEqual([])
    install(dirs, '3.58.0-r2', { files })
    expect(listInstalled(dirs).map(({ name }) => name)).toEqual(['3.58.0-r2', '3.58.0'])
    install(dirs, '3.58.0', { files, force: true })
    expect(readReleaseManifest(findRelease(dirs, '3580')).files).toEqual(
      readReleaseManifest(findRelease(dirs, '3.58.0-r2')).files,
    )
    expect(contents(join(dirs.own, 'releases'))).toEqual(['3.58.0', '3.58.0-r2'])
  })

  test('leaves nothing behind when compiling fails', () => {
    const dirs = freshDirs()
    const request = { release: parseReleaseNumber('3580'), files: filesOf('3.58.0'), from: '/data' }
    const compile = () => {
      throw new Error('cannot compile')
    }
    expect(() => installRelease(dirs, { ...request, compile })).toThrow('cannot compile')
    expect(contents(join(dirs.own, 'releases'))).toEqual([])
  })

  test('refuses a release much smaller than the one before', () => {
    const dirs = freshDirs()
    install(dirs, '3.58.0')
    const withoutB = (text: string) => text.replace(/\n(?:B\*|HLA00132).*$/, '')
    const files = filesOf('3.59.0').map((file) => ({ ...file, bytes: Buffer.from(withoutB(file.bytes.toString())) })) // prettier-ignore
    expect(() => install(dirs, '3.59.0', { files })).toThrow('3.59.0 has 2 alleles, 3.58.0 has 3')
    const accepted = install(dirs, '3.59.0', { files, acceptChanged: true })
    expect(accepted.manifest.warnings).toContain('3.59.0 has 2 alleles, 3.58.0 has 3')
    expect(install(dirs, '3.57.0').manifest.warnings).toBeUndefined()
  })

  test('refuses files that are not as published, unless that is accepted', () => {
    const dirs = freshDirs()
    const branch = withChecksums(smallBranch('3.58.0'))
    const text = branch.get('wmda/rel_ser_ser.txt')?.toString() ?? ''
    branch.set('wmda/rel_ser_ser.txt', Buffer.from(text.replace('23/24', '23')))
    const files = [...branch].map(([name, bytes]) => ({ name, bytes, origin: `/data/${name}` }))
    const error = { code: 'checksum-mismatch', message: expect.stringContaining('rel_ser_ser.txt') }
    expect(() => install(dirs, '3.58.0', { files })).toThrow(expect.objectContaining(error))
    const { installed } = install(dirs, '3.58.0', { files, acceptChanged: true })
    expect(readReleaseManifest(installed).md5).toEqual({ listed: 5, differing: ['wmda/rel_ser_ser.txt'] })
  })

  test.skipIf(process.getuid?.() === 0)('leaves the error of a read-only folder to the caller', () => {
    const dirs = freshDirs()
    mkdirSync(dirs.own)
    chmodSync(dirs.own, 0o555)
    expect(() => install(dirs, '3.58.0')).toThrow(expect.objectContaining({ code: 'EACCES' }))
  })

  test('leaves the error of an impossible folder to the caller', () => {
    const dirs = freshDirs()
    writeFileSync(dirs.own, 'a file where the folder should be')
    expect(() => install(dirs, '3.58.0')).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  })

  test('may be run by several processes at once', async () => {
    const dirs = freshDirs()
    const run = (force: string) => promisify(execFile)(process.execPath, [program, dirs.own, '5', force])
    await Promise.all([run(''), run('force'), run(''), run('force')])
    expect(findDamage(findRelease(dirs, '3580'))).toEqual([])
    expect(contents(join(dirs.own, 'releases'))).toEqual(['3.58.0'])
  })
})

describe.skipIf(powerLoss === undefined)('a loss of power', () => {
  test.each([...Array.from({ length: rounds(60, 6) }, (_, at) => 1 + 10 * at), 100, 1000])(
    'at the %ith write leaves a complete release or none, and never loses an installed one',
    (at) => {
      const dirs = freshDirs()
      const env = { LD_PRELOAD: powerLoss ?? '', POWER_FOLDER: dirname(dirs.own), POWER_AT: String(at) }
      const ran = spawnSync(process.execPath, [program, dirs.own, '1'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
      })
      expect(ran).toMatchObject({ status: 137, stderr: '' })
      const installed = listInstalled(dirs)
      expect(installed.flatMap(findDamage)).toEqual([])
      if (ran.stdout === 'installed\n') expect(installed).toHaveLength(1)
    },
  )
})

describe('writeAtomically', () => {
  test('replaces a file and leaves nothing beside it', () => {
    const folder = temp('atomic')
    mkdirSync(folder)
    writeAtomically(join(folder, 'a'), 'one')
    writeAtomically(join(folder, 'a'), Buffer.from('two'))
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('two')
    expect(contents(folder)).toEqual(['a'])
  })

  test('leaves the system error to the caller and nothing behind', () => {
    const folder = temp('atomic-target')
    mkdirSync(join(folder, 'taken/by-a-folder'), { recursive: true })
    expect(() => writeAtomically(join(folder, 'taken'), 'x')).toThrow(
      expect.objectContaining({ syscall: 'rename' }),
    )
    expect(contents(folder)).toEqual(['taken'])
    expect(() => writeAtomically(join(folder, 'none/file'), 'x')).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    )
  })
})

describe('the active release', () => {
  test('is what was used last', () => {
    const dirs = freshDirs()
    install(dirs, '3.57.0')
    install(dirs, '3.58.0')
    expect(useRelease(dirs, '3.57').name).toBe('3.57.0')
    expect(findRelease(dirs, 'active').name).toBe('3.57.0')
    useRelease(dirs, '3580')
    expect(readActive(dirs)).toEqual({ release: '3.58.0' })
  })

  test.for([
    ['nothing is installed', [], 'active', 'no nomenclature data installed'],
    ['none was chosen', ['3.58.0'], 'active', 'no release is active'],
    ['another is installed', ['3.58.0'], '3.57', 'IPD-IMGT/HLA 3.57.0 is not installed'],
  ] as const)('cannot be found when %s', ([, names, spelled, message]) => {
    const dirs = freshDirs()
    for (const name of names) install(dirs, name)
    expect(() => findRelease(dirs, spelled)).toThrow(expect.objectContaining({ code: 'no-data', message }))
  })

  test('is none any more when it is removed', () => {
    const dirs = freshDirs()
    install(dirs, '3.58.0')
    useRelease(dirs, '3580')
    writeActive(dirs, { mac: 'kept' })
    expect(removeRelease(dirs, 'active').name).toBe('3.58.0')
    expect(readActive(dirs)).toEqual({ mac: 'kept' })
    expect(contents(join(dirs.own, 'releases'))).toEqual([])
  })
})

describe('the directory of the system', () => {
  test('is searched second, and never written', () => {
    const dirs = freshDirs()
    const asAdministrator = { own: dirs.system, system: temp('none') }
    install(asAdministrator, '3.57.0')
    install(asAdministrator, '3.58.0')
    useRelease(asAdministrator, '3.57.0')
    installMacList(asAdministrator, NUMER, 'numer.v3.txt')
    expect(findRelease(dirs, 'active')).toMatchObject({ name: '3.57.0', readOnly: true })
    expect(activeMacList(dirs)?.manifest.codes).toBe(2)
    install(dirs, '3.58.0')
    expect(listInstalled(dirs).map(({ name, readOnly }) => [name, readOnly])).toEqual([['3.58.0', false], ['3.57.0', true]]) // prettier-ignore
    expect(() => removeRelease(dirs, '3.57.0')).toThrow(expect.objectContaining({ code: 'io' }))
    useRelease(dirs, '3.58.0')
    expect(readActive(asAdministrator).release).toBe('3.57.0')
  })
})

describe('verification', () => {
  test('finds files that were changed or lost since', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    expect(findDamage(installed)).toEqual([])
    writeFileSync(sourcePath(installed.folder, 'wmda/hla_nom.txt'), 'edited')
    const [nom, ...rest] = findDamage(installed)
    expect(nom).toMatchObject({ name: 'wmda/hla_nom.txt', found: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(rest).toEqual([])
  })

  test('finds files that were revised at the source', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    expect(compareWithSource(installed, filesOf('3.58.0'))).toEqual([])
    expect(compareWithSource(installed, revised('3.58.0')).map(({ name }) => name)).toEqual([
      'wmda/rel_ser_ser.txt',
    ])
    const more = { name: 'Allele_status.txt', bytes: Buffer.from('x'), origin: 'x' }
    expect(compareWithSource(installed, [...filesOf('3.58.0').slice(0, 6), more])).toEqual([])
  })

  test.for([
    ['as it was written', (text: string) => text, true],
    ['written otherwise', (text: string) => JSON.stringify(JSON.parse(text)), true],
    ['without its sum', (text: string) => text.replace(/,\n +"sum".*/, ''), true],
    ['with another date', (text: string) => text.replace('2024', '2023'), false],
    [
      'with another date, written otherwise',
      (text: string) => JSON.stringify(JSON.parse(text)).replace('2024', '2023'),
      false,
    ],
    ['with another sum', (text: string) => text.replace(/"sum": ".{8}"/, '"sum": "00000000"'), false],
    ['with a member behind its sum', (text: string) => text.replace(/\n\}\n$/, ',\n  "more": 1\n}\n'), false],
  ] as const)('a description %s', ([, change, isRead]) => {
    const path = temp('description.json')
    const description = { release: '3.58.0', date: '2024-10-09', files: [] }
    writeFileSync(path, change(toJson(description)))
    if (isRead) expect(readJson(path)).toEqual(description)
    else expect(() => readJson(path)).toThrow('its checksum does not match')
  })

  test('says that a description is damaged', () => {
    const dirs = freshDirs()
    const { installed } = install(dirs, '3.58.0')
    for (const text of ['{"release": "3.58', '[]', '{}']) {
      writeFileSync(manifestPath(installed.folder), text)
      expect(() => readReleaseManifest(installed)).toThrow(
        expect.objectContaining({ code: 'bad-release-file' }),
      )
    }
  })
})

describe('MAC lists', () => {
  test('are apart from releases, and the last one installed is active', () => {
    const dirs = freshDirs()
    expect(activeMacList(dirs)).toBeUndefined()
    const first = installMacList(dirs, NUMER, '/data/numer.v3.txt')
    expect(first.name).toMatch(/^2020-07-11-[0-9a-f]{12}$/)
    expect(first.manifest).toMatchObject({ date: '2020-07-11', codes: 2, from: '/data/numer.v3.txt' })
    const newer = Buffer.from(NUMER.toString().replace('07/11/20', '07/12/20'))
    expect(installMacList(dirs, newer, 'x').manifest.date).toBe('2020-07-12')
    expect(activeMacList(dirs)?.manifest.date).toBe('2020-07-12')
    expect(contents(join(dirs.own, 'mac'))).toHaveLength(6)
    expect(contents(dirs.own)).toEqual(['active.json', 'mac'])
  })

  test('makes an index of another format again from the kept text', () => {
    const dirs = freshDirs()
    const list = installMacList(dirs, NUMER, 'x')
    const bytes = readFileSync(list.path)
    writeFileSync(list.path, Buffer.concat([Buffer.from('damaged!'), bytes.subarray(8)]))
    expect(openMacList(list).size).toBe(list.manifest.codes)
    expect(readFileSync(list.path).equals(bytes)).toBe(true)
  })

  test.for([
    ['nothing', 'bin', (bytes: Buffer) => bytes, true],
    // made by an earlier version of the program, like its manifest
    ['an index of another version', 'bin', (bytes: Buffer) => withByte(bytes, 8), true],
    ['an index that is gone', 'bin', () => undefined, true],
    ['an index of another list', 'bin', (bytes: Buffer) => withByte(bytes, 80), false],
    ['one bit of the index', 'bin', (bytes: Buffer) => withByte(bytes, bytes.length - 100), false],
    ['an index that was cut', 'bin', (bytes: Buffer) => bytes.subarray(0, -1), false],
    ['one bit of the text', 'txt', (bytes: Buffer) => withByte(bytes, 10), false],
    ['a text that is gone', 'txt', () => undefined, false],
  ] as const)('are verified: %s', ([, ending, change, isIntact]) => {
    const list = installMacList(freshDirs(), NUMER, 'x')
    const path = list.path.replace(/bin$/, ending)
    const changed = change(readFileSync(path))
    if (changed === undefined) rmSync(path)
    else writeFileSync(path, changed)
    expect(isMacListIntact(list)).toBe(isIntact)
  })

  test('that are active and not there are named, with the command that installs one', () => {
    const dirs = freshDirs()
    const list = installMacList(dirs, NUMER, 'x')
    const description = list.path.replace(/bin$/, 'json')
    writeFileSync(description, toJson({ codes: '2', source: {} }))
    expect(errorOf(() => activeMacList(dirs))).toMatchObject({
      code: 'bad-release-file',
      message: expect.stringContaining('not the description of a MAC list'),
    })
    rmSync(description)
    const missing = {
      code: 'no-data',
      message: `the active MAC list ${list.name} is not installed`,
      offending: list.name,
      hint: [{ command: 'data mac' }],
    }
    expect(errorOf(() => activeMacList(dirs))).toMatchObject(missing)
    for (const path of [list.path, list.path.replace(/bin$/, 'txt')]) rmSync(path)
    expect(errorOf(() => openMacList(list))).toMatchObject(missing)
  })

  describe('of which the index is damaged while it is open', () => {
    const CODES = [...generateMacRows(3000)].map(([code]) => code).sort()
    const MANY = Buffer.from(generateMacText(3000))

    function damaged() {
      const list = installMacList(freshDirs(), MANY, 'x')
      const table = openMacList(list)
      const damage = () => writeFileSync(list.path, Buffer.alloc(readFileSync(list.path).length, 1))
      return { list, table, damage }
    }

    test('answer from the kept text', () => {
      const { list, table, damage } = damaged()
      const bytes = readFileSync(list.path)
      const sound = readMacTable(bytes)
      damage()
      for (const code of [CODES[0], CODES[1500], CODES.at(-1), 'NONE'])
        expect(table.expand(code ?? '')).toEqual(sound.expand(code ?? ''))
      expect(readFileSync(list.path).equals(bytes)).toBe(true)
      table.close()
    })

    test('list each code once', () => {
      const { list, table, damage } = damaged()
      const bytes = readFileSync(list.path)
      const codes: string[] = []
      for (const code of table.codesWithPrefix('')) {
        codes.push(code)
        if (codes.length === 10) damage()
      }
      expect(codes.toSorted()).toEqual(CODES)
      expect(readFileSync(list.path).equals(bytes)).toBe(true)
      table.close()
    })

    test('fail where the kept text is gone, or is damaged, too', () => {
      const { list, table, damage } = damaged()
      damage()
      const text = list.path.replace(/bin$/, 'txt')
      writeFileSync(text, NUMER)
      expect(errorOf(() => table.expand('AB'))).toMatchObject({ code: 'checksum-mismatch' })
      rmSync(text)
      expect(errorOf(() => table.expand('AB'))).toMatchObject({ code: 'no-data' })
      table.close()
    })
  })

  test('of which another version of the program made the index are intact', () => {
    const list = installMacList(freshDirs(), NUMER, 'x')
    const index = { ...list.manifest.index, sha256: '0'.repeat(64) }
    expect(isMacListIntact({ ...list, manifest: { ...list.manifest, index } })).toBe(true)
  })
})

/** The same bytes with one bit changed. */
function withByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

describe('dataIdOf', () => {
  test('names release and list, and changes with any file', () => {
    const dirs = freshDirs()
    const { manifest } = install(dirs, '3.58.0')
    const mac = installMacList(dirs, NUMER, 'x').manifest
    const id = makeDataId('3.58.0', manifest, mac)
    expect(id.label).toBe('3.58.0+mac.20200711')
    expect(id.hash).toMatch(/^[0-9a-f]{12}$/)
    const reordered = { ...manifest, from: 'elsewhere', files: manifest.files.toReversed() }
    expect(makeDataId('3.58.0', reordered, mac)).toEqual(id)
    const other = install(dirs, '3.58.0-r2', { files: revised('3.58.0') }).manifest
    expect(makeDataId('3.58.0-r2', other, undefined).label).toBe('3.58.0-r2')
    const hashes = [
      id.hash,
      makeDataId('3.58.0', other, mac).hash,
      makeDataId('3.58.0', manifest, undefined).hash,
    ]
    expect(new Set(hashes).size).toBe(3)
  })

  test('hashes lines of name and sha256', () => {
    const file = { name: 'wmda/a.txt', sha256: 'ff', size: 1 }
    const manifest = { ...readReleaseManifest(install(freshDirs(), '3.58.0').installed), files: [file] }
    // printf 'wmda/a.txt ff\n' | sha256sum
    expect(makeDataId('3.58.0', manifest, undefined).hash).toBe('b85034ed0aaa')
  })
})
