/** The paths that are asked for in each kind of source, and what is said of a release that is not there. */
import { expect, test } from 'vitest'
import type { FileAccess } from '../../../src/reference/published/file-access.ts'
import {
  findHome,
  neededFiles,
  optionalFiles,
  otherAlleleList,
  versionAt,
} from '../../../src/reference/published/layout.ts'
import { holdsRelease, nearbyFolder } from '../../../src/reference/published/nearby-folder.ts'
import { sourceOver } from '../../../src/reference/published/release-source.ts'
import { parseReleaseNumber } from '../../../src/reference/release-number.ts'
import {
  type Branch,
  published,
  smallBranch,
  withChecksums,
  within,
  writeFiles,
} from '../../support/published-release.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()

/** Files in the memory; `asked` receives the paths that are read, with the size of a start. */
function filesOf(branch: Branch, asked: string[] = [], isRemote = false): FileAccess {
  return {
    from: 'place',
    prefix: 'place:',
    isRemote,
    read: async (path) => {
      asked.push(path)
      return branch.get(path)
    },
    readStart: async (path, size) => {
      asked.push(`${path} ${size}`)
      return branch.get(path)?.subarray(0, size)
    },
    has: async (path) => branch.has(path),
    close: () => void asked.push('closed'),
  }
}

const release = parseReleaseNumber('3.58.0')
const home = { folder: '3580/', wmda: '3580/wmda/' }
const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1\n')

test('the files that a release needs, with their places', () => {
  const list = {
    name: 'allelelist/Allelelist.3580.txt',
    paths: [
      '3580/allelelist/Allelelist.3580.txt',
      'Latest/allelelist/Allelelist.3580.txt',
      'allelelist/Allelelist.3580.txt',
      '3580/Allelelist.3580.txt',
      'Latest/Allelelist.3580.txt',
      'Allelelist.3580.txt',
      '3580/Allelelist.txt',
      'Latest/Allelelist.txt',
    ],
    needed: true,
  }
  const wmda = (name: string, path = `3580/wmda/${name}`) => ({ name: `wmda/${name}`, paths: [path], needed: true })
  expect(neededFiles(release, home)).toEqual([
    wmda('hla_nom.txt'),
    wmda('hla_nom_g.txt'),
    wmda('hla_nom_p.txt'),
    wmda('rel_dna_ser.txt'),
    wmda('rel_ser_ser.txt'),
    list,
  ])
  expect(neededFiles(release, home, { antigensBefore2026: true })).toEqual([
    wmda('hla_nom.txt', '3580/wmda/pre2026/hla_nom.txt'),
    wmda('hla_nom_g.txt'),
    wmda('hla_nom_p.txt'),
    wmda('rel_dna_ser.txt', '3580/wmda/pre2026/rel_dna_ser.txt'),
    wmda('rel_ser_ser.txt', '3580/wmda/pre2026/rel_ser_ser.txt'),
    list,
  ])
  const loose = neededFiles(parseReleaseNumber('3.0.0'), { folder: '', wmda: '' })
  expect([loose[0], loose.at(-1)]).toEqual([
    { name: 'wmda/hla_nom.txt', paths: ['hla_nom.txt'], needed: true },
    {
      name: 'allelelist/Allelelist.300.txt',
      paths: [
        'allelelist/Allelelist.300.txt',
        'allelelist/Allelelist.3000.txt',
        'Latest/allelelist/Allelelist.300.txt',
        'Latest/allelelist/Allelelist.3000.txt',
        'Allelelist.300.txt',
        'Allelelist.3000.txt',
        'Latest/Allelelist.300.txt',
        'Latest/Allelelist.3000.txt',
        'Allelelist.txt',
        'Latest/Allelelist.txt',
      ],
      needed: true,
    },
  ])
  expect(otherAlleleList(13, { folder: 'Latest/', wmda: 'Latest/wmda/' })).toEqual({
    name: 'allelelist/Allelelist.3131.txt',
    paths: [
      'Latest/allelelist/Allelelist.3131.txt',
      'Latest/allelelist/Allelelist.3130.txt',
      'allelelist/Allelelist.3131.txt',
      'allelelist/Allelelist.3130.txt',
      'Latest/Allelelist.3131.txt',
      'Latest/Allelelist.3130.txt',
      'Allelelist.3131.txt',
      'Allelelist.3130.txt',
    ],
    needed: false,
  })
}) // prettier-ignore

test('the files that only some features need, with their places', () => {
  const top = ['Deleted_alleles.txt', 'Allelelist_history.txt', 'Allele_status.txt', 'md5checksum.txt']
  const numbered = top.map((name) => ({ name, paths: [`3580/${name}`, `Latest/${name}`, name], needed: false }))
  const tce = { name: 'tce/dpb_tce.csv', needed: false }
  expect(optionalFiles(home)).toEqual([
    ...numbered,
    { ...tce, paths: ['3580/tce/dpb_tce.csv', '3580/dpb_tce.csv'] },
    { name: 'wmda/md5checksum.txt', paths: ['3580/wmda/md5checksum.txt'], needed: false },
  ])
  expect(optionalFiles(home, { antigensBefore2026: true }).slice(5)).toEqual([
    { name: 'wmda/pre2026/md5checksum.txt', paths: ['3580/wmda/pre2026/md5checksum.txt'], needed: false },
    { name: 'wmda/md5checksum.txt', paths: ['3580/wmda/md5checksum.txt'], needed: false },
  ])
  expect(optionalFiles({ folder: '', wmda: '' })).toEqual([
    ...top.map((name) => ({ name, paths: [name, `Latest/${name}`], needed: false })),
    { ...tce, paths: ['tce/dpb_tce.csv', 'dpb_tce.csv'] },
  ])
}) // prettier-ignore

test.for([
  ['a numbered branch', within('3580', smallBranch('3.57.0')), home],
  ['one branch', smallBranch('3.58.0'), { folder: '', wmda: 'wmda/' }],
  ['the latest branch', within('Latest', smallBranch('3.58.0')), { folder: 'Latest/', wmda: 'Latest/wmda/' }],
  ['loose files', new Map([['hla_nom.txt', published('x', '3.58.0', '2024-10-09', [])]]), { folder: '', wmda: '' }],
  ['a pointer', new Map([['Latest/wmda/hla_nom.txt', POINTER]]), { folder: 'Latest/', wmda: 'Latest/wmda/' }],
  ['a file without a version', new Map([['hla_nom.txt', Buffer.from('A;1;;;;')]]), { folder: '', wmda: '' }],
] as const)('a release is found in %s', async ([, branch, found]) => {
  expect(await findHome(filesOf(branch), release)).toEqual(found)
}) // prettier-ignore

test('a release that is not there is named, with what is', async () => {
  const hint = [
    'a release has wmda/hla_nom.txt, wmda/hla_nom_g.txt … and an allele list; ',
    { command: 'data list', args: ['--available', '--from', 'place'] },
    ' shows what is there',
  ]
  const error = { code: 'not-found', offending: '3.58.0', hint }
  await expect(findHome(filesOf(new Map()), release)).rejects.toMatchObject({
    ...error,
    message: 'no IPD-IMGT/HLA 3.58.0 in place',
  })
  await expect(findHome(filesOf(smallBranch('3.57.0')), release)).rejects.toMatchObject({
    ...error,
    message: 'no IPD-IMGT/HLA 3.58.0 in place: it holds 3.57.0',
  })
  const others = new Map([
    ...smallBranch('3.57.0'),
    ...within('Latest', smallBranch('3.60.0')),
    ['hla_nom.txt', published('x', '3.57.0', '2024-07-01', [])] as const,
  ])
  await expect(findHome(filesOf(others), release)).rejects.toMatchObject({
    ...error,
    message: 'no IPD-IMGT/HLA 3.58.0 in place: it holds 3.57.0, 3.60.0',
  })
  const asked: string[] = []
  expect(await versionAt(filesOf(others, asked), 'hla_nom.txt')).toBe('3.57.0')
  expect(await versionAt(filesOf(others, asked), 'none')).toBeUndefined()
  expect(asked).toEqual(['hla_nom.txt 2000', 'none 2000'])
})

const origins = async (branch: Branch, { number = '3.58.0', isRemote = false, antigensBefore2026 = false } = {}) => {
  const asked: string[] = []
  const progress: unknown[] = []
  const source = sourceOver(filesOf(branch, asked, isRemote))
  const fetched = await source.fetch(parseReleaseNumber(number), (seen) => progress.push(seen), { antigensBefore2026 })
  return { asked, progress, origins: fetched.map(({ name, origin }) => `${name} ${origin}`) }
} // prettier-ignore

const OWN = [
  'wmda/hla_nom.txt place:3580/wmda/hla_nom.txt',
  'wmda/hla_nom_g.txt place:3580/wmda/hla_nom_g.txt',
  'wmda/hla_nom_p.txt place:3580/wmda/hla_nom_p.txt',
  'wmda/rel_dna_ser.txt place:3580/wmda/rel_dna_ser.txt',
  'wmda/rel_ser_ser.txt place:3580/wmda/rel_ser_ser.txt',
  'allelelist/Allelelist.3580.txt place:3580/allelelist/Allelelist.3580.txt',
  'Deleted_alleles.txt place:3580/Deleted_alleles.txt',
]
const branch = within('3580', smallBranch('3.58.0'))
const list = (folder: string, ...minors: number[]) =>
  minors.map((minor) => [`${folder}Allelelist.3${minor}0.txt`, Buffer.from('list')] as const)

test('files are fetched in their order, and counted', async () => {
  const only = await origins(branch)
  expect(only.origins).toEqual(OWN)
  const sizes = OWN.map((line) => branch.get(line.split('place:')[1] ?? '')?.length ?? 0)
  expect(only.progress).toHaveLength(OWN.length)
  expect(only.progress.at(-1)).toMatchObject({
    files: OWN.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  })
  expect(only.progress).toContainEqual(expect.objectContaining({ name: 'wmda/hla_nom_g.txt' }))
})

test('lists of other releases are found, later ones until the first gap', async () => {
  const lists = list('allelelist/', 56, 59, 60, 62)
  expect((await origins(new Map([...branch, ...lists, ...list('', 57)]))).origins).toEqual([
    ...OWN,
    'allelelist/Allelelist.3560.txt place:allelelist/Allelelist.3560.txt',
    'allelelist/Allelelist.3570.txt place:Allelelist.3570.txt',
    'allelelist/Allelelist.3590.txt place:allelelist/Allelelist.3590.txt',
    'allelelist/Allelelist.3600.txt place:allelelist/Allelelist.3600.txt',
  ])
  const history = ['3580/Allelelist_history.txt', Buffer.from('HLA_ID\t3580\n')] as const
  expect((await origins(new Map([...branch, ...lists, history]))).origins).toEqual([
    ...OWN,
    'Allelelist_history.txt place:3580/Allelelist_history.txt',
  ])
  const beforeLast = new Map([...within('3980', smallBranch('3.98.0')), ...list('allelelist/', 99)])
  expect((await origins(beforeLast, { number: '3.98.0' })).origins).toContain(
    'allelelist/Allelelist.3990.txt place:allelelist/Allelelist.3990.txt',
  )
  const last = within('3990', smallBranch('3.99.0'))
  const asked = (await origins(last, { number: '3.99.0' })).asked.filter((path) => path.includes('31000'))
  expect(asked).toEqual([])
})

test('over the network the lists beside its own come before those of the latest branch', async () => {
  const latest = list('Latest/allelelist/', 55, 59)
  const beside = list('3580/allelelist/', 56, 57)
  const elsewhere = list('allelelist/', 54)
  expect((await origins(new Map([...branch, ...latest, ...beside, ...elsewhere]), { isRemote: true })).origins).toEqual([
    ...OWN,
    'allelelist/Allelelist.3560.txt place:3580/allelelist/Allelelist.3560.txt',
    'allelelist/Allelelist.3570.txt place:3580/allelelist/Allelelist.3570.txt',
  ])
  expect((await origins(new Map([...branch, ...latest, ...elsewhere]), { isRemote: true })).origins).toEqual([
    ...OWN,
    'allelelist/Allelelist.3550.txt place:Latest/allelelist/Allelelist.3550.txt',
    'allelelist/Allelelist.3590.txt place:Latest/allelelist/Allelelist.3590.txt',
  ])
  const later = new Map([...branch, ...latest, ...list('3580/allelelist/', 59)])
  expect((await origins(later, { isRemote: true })).origins.slice(OWN.length)).toEqual([
    'allelelist/Allelelist.3590.txt place:3580/allelelist/Allelelist.3590.txt',
  ])
  const top = new Map([...branch].map(([path, bytes]) => [path.replace('3580/allelelist', 'allelelist'), bytes]))
  expect((await origins(new Map([...top, ...elsewhere, ...latest, ...beside]), { isRemote: true })).origins.slice(5)).toEqual([
    'allelelist/Allelelist.3580.txt place:allelelist/Allelelist.3580.txt',
    'Deleted_alleles.txt place:3580/Deleted_alleles.txt',
    'allelelist/Allelelist.3540.txt place:allelelist/Allelelist.3540.txt',
  ])
  const { asked, origins: without } = await origins(new Map([...branch, ...elsewhere]), { isRemote: true })
  expect(without).toEqual(OWN)
  const lists = asked.filter((path) => path.includes('allelelist/'))
  expect([lists.length, new Set(lists).size, lists.some((path) => path.startsWith('allelelist/'))]).toEqual([1 + 2 * 59, 1 + 2 * 59, false])
}) // prettier-ignore

test('checksums of the latest branch are taken where it is the same release', async () => {
  const sums = 'wmda/md5checksum.txt place:Latest/wmda/md5checksum.txt'
  const same = within('Latest', withChecksums(smallBranch('3.58.0')))
  expect((await origins(new Map([...branch, ...same]))).origins).toEqual([...OWN, sums])
  const other = within('Latest', withChecksums(smallBranch('3.59.0')))
  const notOwn = (await origins(new Map([...branch, ...other]))).origins
  expect(notOwn.filter((line) => line.startsWith('wmda/md5'))).toEqual([])
  const bare = within('Latest', smallBranch('3.58.0'))
  expect((await origins(new Map([...branch, ...bare]))).origins).toEqual(OWN)
  const own = new Map([...within('3580', withChecksums(smallBranch('3.58.0'))), ...same])
  expect((await origins(own)).origins).toEqual([...OWN, 'wmda/md5checksum.txt place:3580/wmda/md5checksum.txt'])
}) // prettier-ignore

test('an allele list without a number is read where it is of the release', async () => {
  const without = new Map([...branch].filter(([path]) => !path.startsWith('3580/allelelist')))
  const unnumbered = (version: string) => published('Allelelist.txt', version, '2024-10-09', ['HLA00001,A*01:01:01:01'])
  const found = async (...lists: (readonly [string, Buffer])[]) => (await origins(new Map([...without, ...lists]))).origins[5]
  const name = 'allelelist/Allelelist.3580.txt place:'
  expect(await found(['3580/Allelelist.txt', unnumbered('3.58.0')])).toBe(`${name}3580/Allelelist.txt`)
  expect(await found(['3580/Allelelist.txt', unnumbered('3.59.0')], ['Latest/Allelelist.txt', unnumbered('3.58.0')])).toBe(`${name}Latest/Allelelist.txt`)
  expect(await found(['3580/Allelelist.txt', Buffer.from('HLA00001,A*01:01:01:01')])).toBe(`${name}3580/Allelelist.txt`)
  await expect(found(['3580/Allelelist.txt', unnumbered('3.59.0')])).rejects.toMatchObject({
    code: 'not-found',
    message: 'place:3580/allelelist/Allelelist.3580.txt is missing',
    offending: '3580/allelelist/Allelelist.3580.txt',
    hint: undefined,
  })
}) // prettier-ignore

test('the definitions before 2026 are read from their folder, or said to be missing', async () => {
  await expect(origins(branch, { antigensBefore2026: true })).rejects.toMatchObject({
    code: 'not-found',
    message: 'place:3580/wmda/pre2026/hla_nom.txt is missing',
    offending: '3580/wmda/pre2026/hla_nom.txt',
    hint: 'the release has no definitions before 2026: leave out --antigens-before-2026',
  })
  const before = ['hla_nom.txt', 'rel_dna_ser.txt', 'rel_ser_ser.txt', 'md5checksum.txt'].map(
    (name) => [`3580/wmda/pre2026/${name}`, Buffer.from(name)] as const,
  )
  expect((await origins(new Map([...branch, ...before]), { antigensBefore2026: true })).origins).toEqual([
    'wmda/hla_nom.txt place:3580/wmda/pre2026/hla_nom.txt',
    ...OWN.slice(1, 3),
    'wmda/rel_dna_ser.txt place:3580/wmda/pre2026/rel_dna_ser.txt',
    'wmda/rel_ser_ser.txt place:3580/wmda/pre2026/rel_ser_ser.txt',
    ...OWN.slice(5),
    'wmda/pre2026/md5checksum.txt place:3580/wmda/pre2026/md5checksum.txt',
  ])
})

test('the newest of a remote source is searched from its latest branch on', async () => {
  const offered = (...numbers: string[]) =>
    new Map(numbers.flatMap((number) => [...within(number.replaceAll('.', ''), smallBranch(number))]))
  const latest = within('Latest', smallBranch('3.60.0', '2025-04-01'))
  const newest = (branches: Branch, asked: string[] = []) => sourceOver(filesOf(branches, asked, true)).newest()
  const asked: string[] = []
  expect(await newest(latest, asked)).toEqual({ label: '3.60.0', date: '2025-04-01' })
  expect(asked.slice(0, 3).sort()).toEqual(['Latest/wmda/hla_nom.txt 2000', 'hla_nom.txt 2000', 'wmda/hla_nom.txt 2000'])
  expect(asked.slice(3)).toEqual([60, 61, 62, 63, 64, 65, 66, 67, 68].map((minor) => `3${minor}0/wmda/hla_nom.txt 2000`))
  expect(await newest(new Map([...latest, ...offered('3.59.0', '3.68.0', '3.69.0')]))).toMatchObject({ label: '3.68.0' })
  expect(await newest(within('Latest', smallBranch('3.99.0')))).toMatchObject({ label: '3.99.0' })
  expect(await newest(offered('3.10.0', '3.9.0'))).toMatchObject({ label: '3.10.0' })
}) // prettier-ignore

test('releases are offered oldest first, with corrections up to a gap', async () => {
  const numbers = ['3.0.0', '3.9.0', '3.10.0', '3.13.0', '3.63.0', '3.63.1', '3.63.3', '3.64.1', '3.99.0']
  const branches = new Map(numbers.flatMap((number) => [...within(parseReleaseNumber(number).compact, smallBranch(number))]))
  const corrections = Array.from({ length: 10 }, (_, patch) => within(`370${patch}`, smallBranch(`3.70.${patch}`)))
  const asked: string[] = []
  const source = sourceOver(filesOf(new Map([...branches, ...corrections.flatMap((one) => [...one])]), asked))
  expect(source.from).toBe('place')
  expect((await source.available()).map(({ label }) => label)).toEqual([
    '3.0.0', '3.9.0', '3.10.0', '3.13.0', '3.63.0', '3.63.1',
    ...corrections.map((_, patch) => `3.70.${patch}`),
    '3.99.0',
  ])
  await source.close()
  expect(asked.at(-1)).toBe('closed')
}) // prettier-ignore

test('a folder with the release is found above or below a wrong one', async () => {
  const holds = (files: FileAccess) => holdsRelease(files, release)
  const root = writeFiles(temp('near'), new Map([['IMGTHLA/empty/deep/note.txt', Buffer.from('x')]]))
  expect(await nearbyFolder(`${root}/IMGTHLA`, holds)).toBeUndefined()
  expect(await nearbyFolder(`${root}/none`, holds)).toBeUndefined()
  writeFiles(`${root}/IMGTHLA`, branch)
  for (const below of ['empty', 'empty/deep', '3580'])
    expect(await nearbyFolder(`${root}/IMGTHLA/${below}`, holds)).toBe(`${root}/IMGTHLA`)
  expect(await nearbyFolder(root, holds)).toBe(`${root}/IMGTHLA`)
  const outer = writeFiles(temp('outer'), within('.git', smallBranch('3.58.0')))
  writeFiles(outer, within('b/a', smallBranch('3.58.0')))
  writeFiles(outer, within('a/b', smallBranch('3.58.0')))
  expect(await nearbyFolder(outer, holds)).toBe(`${outer}/a/b`)
  const incomplete = new Map([...branch].filter(([path]) => !path.endsWith('rel_ser_ser.txt')))
  expect(await holdsRelease(filesOf(incomplete), release)).toBe(false)
  expect(await holdsRelease(filesOf(branch), release)).toBe(true)
  const failing = { ...filesOf(branch), has: () => Promise.reject(new Error('disk')) }
  await expect(holdsRelease(failing, release)).rejects.toThrow('disk')
})
