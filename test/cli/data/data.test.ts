/** The data commands, run in full. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { DataOptions } from '../../../src/cli/run/data/install.ts'
import * as installing from '../../../src/cli/run/data/install.ts'
import * as installed from '../../../src/cli/run/data/installed.ts'
import { encodeRelease } from '../../../src/reference/compile/encode.ts'
import { adviceText } from '../../../src/operations/faces.ts'
import { isHlaError } from '../../../src/errors.ts'
import { serve, serveFiles } from '../../support/file-server.ts'
import { smallBranch, withChecksums, within, writeFiles } from '../../support/published-release.ts'
import { compileTexts, smallTexts } from '../../support/small-release.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
process.env['HLA_SYSTEM_DATA_DIR'] = temp('no-system-directory')

/** Output of the running test. */
const printed = { out: '', err: '' }

vi.mock('../../../src/io/stdout.ts', async (original) => ({
  ...(await original<object>()),
  isTerminal: () => false,
  writeOut: (text: string) => void (printed.out += text),
  tell: (text: string) => void (printed.err += text),
}))

/** Where the list of multiple allele codes is published. */
const published = vi.hoisted(() => ({ macList: '' }))

vi.mock('../../../src/reference/published/mac-list.ts', async (original) => ({
  ...(await original<object>()),
  get DEFAULT_MAC_URL() {
    return published.macList
  },
}))

vi.mock('../../../src/reference/compile/compile-files.ts', () => ({
  compileFiles: () => Buffer.from('compiled'),
}))

interface Session {
  readonly dataDir: string
  /** Output since the last call. */
  out(): string
  err(): string
}

let sessions = 0

function session(): Session {
  sessions += 1
  const take = (stream: 'out' | 'err') => {
    const text = printed[stream]
    printed[stream] = ''
    return text
  }
  take('out')
  take('err')
  return { dataDir: temp(`data-${sessions}`), out: () => take('out'), err: () => take('err') }
}

/** The command with the data folder of a session. */
function inSession<A, R>(command: (argument: A, options: DataOptions) => R) {
  return ({ dataDir }: Session, argument: A, options: Omit<DataOptions, 'dataDir'> = {}): R =>
    command(argument, { dataDir, ...options })
}

const installCommand = inSession(installing.installCommand)
const macCommand = inSession(installing.macCommand)
const checkMacCommand = (at: Session, from: string) => macCommand(at, from, { check: true })
const infoCommand = inSession(installed.infoCommand)
const pathCommand = inSession(installed.pathCommand)
const useCommand = inSession(installed.useCommand)
const removeCommand = inSession(installed.removeCommand)
const verifyCommand = inSession(installed.verifyCommand)
const listCommand = (at: Session, options: DataOptions = {}) =>
  installed.listCommand({ dataDir: at.dataDir, ...options })

const CITATION = 'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549\n' // prettier-ignore

const source = writeFiles(
  temp('IMGTHLA'),
  new Map([
    ...within('3570', smallBranch('3.57.0', '2024-07-01')),
    ...within('3580', withChecksums(smallBranch('3.58.0'))),
  ]),
)
const macList = join(source, 'numer.v3.txt')
writeFileSync(macList, 'LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\n')

test.for([
  ['3.57.0', join(source, '3570/wmda'), join(source, '3570')],
  ['3.57.0', join(source, '3580'), source],
  ['3.57.0', join(source, '..'), source],
  ['latest', join(source, '..'), source],
] as const)(
  '%s from %s, where it is not: the folder that has it is named',
  async ([release, from, right]) => {
    const at = session()
    const error: unknown = await installCommand(at, release, { from, mac: false }).catch(
      (one: unknown) => one,
    )
    if (!isHlaError(error)) throw error
    expect(error.code).toBe('not-found')
    expect(adviceText(error.hint, 'command-line')).toBe(
      `${right} contains it: hla data install ${release} --from ${right}`,
    )
    await installCommand(at, release, { from: right, mac: false })
  },
)

/** A source whose release 3.58.0 was corrected in place. */
const revised = writeFiles(temp('revised'), within('3580', smallBranch('3.58.0')))
const edited = join(revised, '3580/wmda/rel_dna_ser.txt')
writeFileSync(edited, readFileSync(edited, 'utf8').replace('01:01:01:02N;0', '01:01:01:02N;1'))

describe('hla data install', () => {
  test('says what was read, checked, installed, and whom to cite', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source, mac: macList })
    expect(hla.err()).toBe(
      `hla: read 7 files of IPD-IMGT/HLA 3.58.0 (2024-10-09) from ${source}
hla: md5checksum.txt: 5 of 5 match
hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted
hla: MAC list 2020-07-11: 1 code
hla: installed in ${hla.dataDir}/releases/3.58.0 and made active
${CITATION}`,
    )
    expect(hla.out()).toBe('')
  })

  test('never changes the active release by itself', async () => {
    const hla = session()
    await installCommand(hla, '3.57.0', { from: source })
    expect(hla.err()).toContain('hla: note: no MAC list is installed')
    await installCommand(hla, '3.58.0', { from: source, mac: false })
    expect(hla.err()).toContain('releases/3.58.0; 3.57.0 stays active (hla data use 3.58.0)\n')
    await installCommand(hla, '3.58.0', { from: source, mac: false, use: true })
    expect(hla.err()).toContain(`hla: already installed in ${hla.dataDir}/releases/3.58.0 and made active\n`)
  })

  test.for(['latest', 'Latest'])(
    '%s is the newest release of the source, and checked as others are',
    async (spelled) => {
      const hla = session()
      await installCommand(hla, spelled, { from: source, mac: macList })
      expect(hla.err()).toContain(`hla: the newest release in ${source} is 3.58.0 (2024-10-09)\n`)
      await listCommand(hla)
      expect(hla.out()).toContain('*  3.58.0   2024-10-09')
      await expect(installCommand(hla, 'latest', { from: revised })).rejects.toMatchObject({
        code: 'data-differs',
      })
      await expect(installCommand(hla, 'latest', { from: temp('') })).rejects.toMatchObject({
        code: 'not-found',
      })
      await installCommand(hla, 'latest', { from: revised, as: '3.58.0-r2' })
    },
  )

  test('the newest release of a publisher comes from its numbered branch, with its checksums', async () => {
    const files = new Map([
      ...within('3570', smallBranch('3.57.0', '2024-07-01')),
      ...within('3580', withChecksums(smallBranch('3.58.0'))),
      ...within('Latest', withChecksums(smallBranch('3.58.0'))),
    ])
    const server = await serveFiles(files)
    const hla = session()
    await installCommand(hla, 'latest', { from: server.url, mac: false })
    expect(hla.err()).toContain(`hla: the newest release in ${server.url} is 3.58.0 (2024-10-09)\n`)
    expect(hla.err()).toBe('')
    const nom = files.get('3580/wmda/hla_nom.txt') ?? Buffer.of()
    files.set('3580/wmda/hla_nom.txt', Buffer.from(nom.toString().replace('19890801', '19890802')))
    const other = installCommand(session(), 'latest', { from: server.url, mac: false })
    await expect(other).rejects.toMatchObject({ code: 'checksum-mismatch' })
    await server.close()
  })

  test('takes other line ends for what was published, and no other difference', async () => {
    const hla = session()
    const from = writeFiles(temp('crlf'), within('3580', withChecksums(smallBranch('3.58.0'))))
    const path = join(from, '3580/wmda/hla_nom.txt')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll('\n', '\r\n'))
    await installCommand(hla, '3.58.0', { from })
    expect(hla.err()).toContain('hla: md5checksum.txt: 5 of 5 match\n')
    writeFileSync(path, `${text}\n`)
    const again = { from, as: '3.58.0-r2' }
    await expect(installCommand(hla, '3.58.0', again)).rejects.toMatchObject({ code: 'checksum-mismatch' })
    await installCommand(hla, '3.58.0', { ...again, acceptChanged: true })
    expect(hla.err()).toContain('hla: warning: md5checksum.txt: 4 of 5 match; accepted as they are: wmda/hla_nom.txt\n') // prettier-ignore
  })

  test('keeps a revised release under another name', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source })
    await expect(installCommand(hla, '3.58.0', { from: revised })).rejects.toMatchObject({
      code: 'data-differs',
      hint: '--as 3.58.0-r2 keeps both, --force replaces the installed one',
    })
    await installCommand(hla, '3.58.0', { from: revised, as: '3.58.0-r2' })
    await listCommand(hla)
    expect(hla.out()).toMatch(/^ {3}3\.58\.0-r2 .*\n\* {2}3\.58\.0 .*\n$/m)
  })

  test.for([
    ['active', {}, 'usage'],
    ['lgx', {}, 'unknown-release'],
    ['3.58.0', { as: 'new' }, 'unknown-release'],
    ['3.58.0', { as: '3.57.0-r2' }, 'usage'],
    ['3.56.0', {}, 'not-found'],
    ['3.58.0', { mac: '/nowhere/numer.v3.zip' }, 'not-found'],
  ] as const)('refuses %s with %o, and installs nothing', async ([spelled, options, code]) => {
    const hla = session()
    await expect(installCommand(hla, spelled, { from: source, ...options })).rejects.toMatchObject({ code })
    await listCommand(hla)
    expect(hla.out()).toBe('')
  })
})

describe('hla data list', () => {
  test('says that a source offers nothing, and shows no date where there is none', async () => {
    const hla = session()
    const from = temp('empty')
    mkdirSync(from)
    await listCommand(hla, { available: true, from })
    expect([hla.out(), hla.err()]).toEqual(['', `hla: no release in ${from}\n`])
    await listCommand(hla, { available: true, from, json: true })
    expect([hla.out(), hla.err()]).toEqual(['[]\n', `hla: no release in ${from}\n`])
  })

  test('is a table of what is installed, newest first', async () => {
    const hla = session()
    await listCommand(hla)
    expect([hla.out(), hla.err()]).toEqual(['', expect.stringContaining('no release is installed')])
    await installCommand(hla, '3.57.0', { from: source })
    await installCommand(hla, '3.58.0', { from: source, mac: macList, use: true })
    writeFileSync(join(hla.dataDir, 'releases/3.57.0/src/wmda/hla_nom.txt'), 'edited')
    await listCommand(hla)
    expect(hla.out()).toBe(
      [
        '   RELEASE  DATE        ALLELES  MAC LIST    STATE',
        '*  3.58.0   2024-10-09  3        2020-07-11  verified',
        '   3.57.0   2024-07-01  3        2020-07-11  damaged',
        '',
      ].join('\n'),
    )
  })

  test('is JSON for programs, also of what a source offers, and of nothing', async () => {
    const hla = session()
    await listCommand(hla, { json: true })
    expect(JSON.parse(hla.out())).toEqual([])
    await installCommand(hla, '3.58.0', { from: source, mac: macList })
    await listCommand(hla, { json: true })
    const installed = { release: '3.58.0', active: true, answers: true, date: '2024-10-09', alleles: 3, mac_list: '2020-07-11', state: 'verified' } // prettier-ignore
    expect(JSON.parse(hla.out())).toEqual([installed])
    await listCommand(hla, { json: true, available: true, from: source })
    expect(JSON.parse(hla.out())).toEqual([
      { release: '3.58.0', date: '2024-10-09', newest: true, installed: true },
      { release: '3.57.0', date: '2024-07-01', newest: false, installed: false },
    ])
  })

  test('shows what a source offers', async () => {
    const hla = session()
    await installCommand(hla, '3.57.0', { from: source })
    await listCommand(hla, { available: true, from: source })
    expect(hla.out()).toBe('3.58.0\t2024-10-09\tnewest\n3.57.0\t2024-07-01\tinstalled\n')
    await installCommand(hla, 'latest', { from: source })
    await listCommand(hla, { available: true, from: source })
    expect(hla.out()).toBe('3.58.0\t2024-10-09\tnewest installed\n3.57.0\t2024-07-01\tinstalled\n')
  })
})

describe('hla data verify', () => {
  test('finds a missing file, and a damaged compiled file', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source, mac: false })
    const folder = join(hla.dataDir, 'releases/3.58.0')
    hla.err()
    const compiled = join(folder, 'compiled.bin')
    const bytes = encodeRelease(compileTexts(smallTexts()))
    writeFileSync(compiled, bytes.fill(1, bytes.length - 1000))
    expect(await verifyCommand(hla, undefined)).toBe(3)
    expect([hla.out(), hla.err()]).toEqual([
      '',
      `hla: error: the compiled file of 3.58.0 is damaged
  remove ${compiled}: it will be rebuilt from the published files
`,
    ])
    expect(await verifyCommand(hla, undefined, { json: true })).toBe(3)
    expect(JSON.parse(hla.out())).toMatchObject({ releases: [{ state: 'compiled-file-damaged', differences: [] }] }) // prettier-ignore
    hla.err()
    for (const name of ['hla_nom.txt', 'rel_dna_ser.txt']) rmSync(join(folder, 'src/wmda', name))
    expect(await verifyCommand(hla, undefined)).toBe(3)
    expect(hla.out()).toMatch(/^hla_nom\.txt\tmissing\tinstalled [0-9a-f]{12}\nrel_dna_ser\.txt\tmissing\tinstalled [0-9a-f]{12}\n$/) // prettier-ignore
    expect(hla.err()).toBe(`hla: error: 2 of 7 files of 3.58.0 are not as installed
  hla data install 3.58.0 --force --from … replaces them
`)
  })

  test('is content with what is as installed', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source, mac: macList })
    hla.err()
    expect(await verifyCommand(hla, undefined)).toBe(0)
    expect(hla.err()).toBe('hla: 3.58.0: 7 files as installed\n')
    expect(await verifyCommand(hla, '3.58', { from: source })).toBe(0)
    expect([hla.out(), hla.err()]).toEqual(['', `hla: 3.58.0: 7 files as installed and as in ${source}\n`])
  })

  test('says as JSON what differs', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source })
    hla.err()
    expect(await verifyCommand(hla, '3.58.0', { json: true, from: revised })).toBe(3)
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(JSON.parse(hla.out())).toEqual({
      mac_list: null,
      releases: [
        {
          release: '3.58.0',
          files: 7,
          state: 'revised',
          differences: [{ name: 'wmda/rel_dna_ser.txt', installed: digest, found: digest }],
        },
      ],
    })
    expect(await verifyCommand(hla, '3.58.0', { json: true })).toBe(0)
    expect(JSON.parse(hla.out())).toMatchObject({ releases: [{ state: 'as-installed', differences: [] }] })
  })

  test('finds a release that was revised after it was installed', async () => {
    const hla = session()
    await installCommand(hla, '3.58.0', { from: source })
    hla.err()
    expect(await verifyCommand(hla, '3.58.0', { from: revised })).toBe(3)
    expect(hla.out()).toMatch(/^rel_dna_ser\.txt\tdiffers\tinstalled [0-9a-f]{12}\tsource [0-9a-f]{12}\n$/)
    expect(hla.err())
      .toBe(`hla: error: 1 of 7 files of 3.58.0 differ from ${revised}: the release was revised after you installed it
  your results are reproducible as installed; "hla data install 3.58.0 --from … --as 3.58.0-r2" keeps both
`)
  })

  test('finds what was damaged, in all releases and the MAC list', async () => {
    const hla = session()
    await installCommand(hla, '3.57.0', { from: source, mac: macList })
    await installCommand(hla, '3.58.0', { from: source })
    writeFileSync(join(hla.dataDir, 'releases/3.57.0/src/wmda/hla_nom.txt'), 'edited')
    hla.err()
    expect(await verifyCommand(hla, '3.58.0')).toBe(0)
    expect(await verifyCommand(hla, undefined, { all: true })).toBe(3)
    expect(hla.out()).toMatch(/^hla_nom\.txt\tdiffers\tinstalled [0-9a-f]{12}\tnow [0-9a-f]{12}\n$/)
    expect(hla.err()).toContain('hla: error: 1 of 7 files of 3.57.0 is not as installed\n')
    const { mac } = JSON.parse(readFileSync(join(hla.dataDir, 'active.json'), 'utf8')) as { mac: string } // just written
    writeFileSync(join(hla.dataDir, 'mac', `${mac}.bin`), 'x')
    expect(await verifyCommand(hla, '3.58.0')).toBe(3)
    expect(hla.err()).toContain(`hla: error: the MAC list ${mac} is not as installed\n`)
  })
})

describe('a MAC list that cannot be reached', () => {
  test('that was asked for keeps the release, and is an error that says how to add it later', async () => {
    const server = await serve((_, response) => void response.destroy())
    const hla = session()
    const mac = `${server.url}numer.v3.zip`
    await expect(installCommand(hla, '3.58.0', { from: source, mac })).rejects.toMatchObject({
      code: 'remote',
      hint: `the release is installed without it; later, hla data mac ${mac}, or hla data mac FILE with a downloaded list`,
    })
    await server.close()
    expect(hla.err()).toContain(`installed in ${join(hla.dataDir, 'releases/3.58.0')} and made active`)
    await listCommand(hla, { json: true })
    expect(JSON.parse(hla.out())).toMatchObject([{ release: '3.58.0', active: true, mac_list: null }])
  })

  test('but belongs to a release from the web is a warning', async () => {
    const branch = within('3580', withChecksums(smallBranch('3.58.0')))
    const [release, server] = [
      await serveFiles(branch),
      await serve((_, response) => void response.destroy()),
    ]
    published.macList = `${server.url}numer.v3.zip`
    const hla = session()
    await installCommand(hla, '3.58.0', { from: release.url })
    await Promise.all([release.close(), server.close()])
    const [warning, advice] = hla.err().split(CITATION)[1]?.split('\n') ?? []
    expect(warning).toMatch(/^hla: warning: no MAC list is installed: cannot reach http:/)
    expect(advice).toBe(
      '  the release is installed without it; later, hla data mac, or hla data mac FILE with a downloaded list',
    )
  })

  test('and is installed already is not asked for again', async () => {
    const release = await serveFiles(new Map(within('3580', withChecksums(smallBranch('3.58.0')))))
    published.macList = join(source, 'none.txt')
    const hla = session()
    await macCommand(hla, macList)
    await installCommand(hla, '3.58.0', { from: release.url })
    await release.close()
    expect(hla.err().endsWith(CITATION)).toBe(true)
  })

  test('but is not there stops everything', async () => {
    const server = await serve((_, response) => void response.writeHead(404).end())
    const hla = session()
    const mac = `${server.url}numer.v3.zip`
    await expect(installCommand(hla, '3.58.0', { from: source, mac })).rejects.toMatchObject({
      code: 'not-found',
    })
    await server.close()
    await listCommand(hla, {})
    expect(hla.out()).toBe('')
  })
})

test('the other form of the list is installed under its name', async () => {
  const hla = session()
  const path = temp('alpha.v3.txt')
  writeFileSync(path, 'LAST UPDATED: 07/11/20\n*\tCODE\tSUBTYPE\n\n\tAB\t01/02\n*\tABC\t01:01/02:02\n')
  await installCommand(hla, '3.58.0', { from: source, mac: path })
  expect(hla.err()).toContain('MAC list 2020-07-11: 2 codes')
})

test('a tag is installed by its name', async () => {
  const hla = session()
  const from = writeFiles(temp('tags'), within('v3.65.0-alpha', smallBranch('3.65.0')))
  await installCommand(hla, 'v3.65.0-alpha', { from, mac: false })
  expect(hla.err()).toContain('releases/3.65.0-alpha and made active')
  useCommand(hla, 'v3.65.0-alpha')
})

describe('hla data mac --check', () => {
  const list = (date: string) => Buffer.from(`LAST UPDATED: ${date}\nCODE\tSUBTYPE\n\nAB\t01/02\n`)
  test.for([
    ['07/11/20', 0, '2020-07-11', 'the MAC list is the published one'],
    ['07/10/20', 0, '2020-07-10', 'has an older MAC list than the one in use'],
    ['01/02/26', 1, '2026-01-02', 'a newer MAC list is published: hla data mac installs it'],
  ] as const)('a list of %s', async ([date, status, iso, said]) => {
    const asked: string[] = []
    const server = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.range}`)
      response.end(list(date))
    })
    const hla = session()
    const from = `${server.url}numer.v3.txt`
    expect(await checkMacCommand(hla, from)).toBe(1)
    expect(hla.out()).toBe(`installed\t-\npublished\t${iso}\n`)
    expect(hla.err()).toContain('no MAC list is installed: hla data mac installs it')
    await macCommand(hla, macList)
    hla.err()
    asked.length = 0
    expect(await checkMacCommand(hla, from)).toBe(status)
    expect(hla.out()).toBe(`installed\t2020-07-11\npublished\t${iso}\n`)
    expect(hla.err()).toContain(said)
    expect(asked).toEqual(['GET /numer.v3.txt bytes=0-16383'])
    await server.close()
  })

  test('says where nobody answers', async () => {
    const server = await serve((_, response) => response.end())
    await server.close()
    await expect(checkMacCommand(session(), server.url)).rejects.toMatchObject({ code: 'remote' })
  })
})

describe('the other data commands', () => {
  test('use, path, info and remove', async () => {
    const hla = session()
    pathCommand(hla, undefined)
    expect(hla.out()).toBe(`${hla.dataDir}\n`)
    await installCommand(hla, '3.57.0', { from: source })
    await installCommand(hla, '3.58.0', { from: source })
    hla.err()
    useCommand(hla, '3580')
    expect(hla.err()).toBe('hla: IPD-IMGT/HLA 3.58.0 (2024-10-09) is now active\n')
    expect(await macCommand(hla, macList)).toBe(0)
    expect(hla.err()).toMatch(
      /^hla: MAC list 2020-07-11: 1 code\nhla: installed in .*\.bin and made active\n$/,
    )
    pathCommand(hla, 'active')
    expect(hla.out()).toBe(`${hla.dataDir}/releases/3.58.0\n`)
    infoCommand(hla, undefined)
    const info = hla.out()
    expect(info).toMatch(/^data id {3}3\.58\.0\+mac\.20200711 sha256:[0-9a-f]{12}$/m)
    expect(info).toContain('md5       5 of 5 match\n')
    expect(info).toMatch(/^file {6}[0-9a-f]{64} +\d+ {2}2024-10-09 {2}wmda\/hla_nom\.txt$/m)
    removeCommand(hla, '3.58.0')
    expect(hla.err()).toContain('it was the active release')
    expect(() => infoCommand(hla, undefined)).toThrow(
      expect.objectContaining({ code: 'no-data', hint: [{ command: 'data use', args: ['3.57.0'] }] }),
    )
  })
})

describe.skipIf(!hasShared)('published data', () => {
  test('are installed with 67 files, five of them on the list of checksums', async () => {
    const hla = session()
    const from = sharedPath('upstream/IMGTHLA')
    await installCommand(hla, '3.58.0', { from, mac: sharedPath('upstream/mac/numer.v3.zip') })
    expect(hla.err()).toBe(`hla: read 67 files of IPD-IMGT/HLA 3.58.0 (2024-10-09) from ${from}
hla: md5checksum.txt: 5 of 5 match
hla: MAC list 2020-07-11: 12,527 codes
hla: installed in ${hla.dataDir}/releases/3.58.0 and made active
${CITATION}`)
    await installCommand(hla, '3.29.0', { from })
    await listCommand(hla)
    expect(hla.out()).toBe(
      [
        '   RELEASE  DATE        ALLELES  MAC LIST    STATE',
        '*  3.58.0   2024-10-09  41,433   2020-07-11  verified',
        '   3.29.0   2017-07-10  17,344   2020-07-11  verified',
        '',
      ].join('\n'),
    )
    infoCommand(hla, '3.58')
    expect(hla.out()).toMatch(/^file {6}43495538332e.* wmda\/hla_nom\.txt$/m)
  })
})
