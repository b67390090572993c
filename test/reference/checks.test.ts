/** Faults of published files that are found before they are compiled. */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkFiles, isFarFewer } from '../../src/reference/checks.ts'
import type { FetchedFile } from '../../src/reference/published/fetched-file.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { errorOf } from '../support/errors.ts'
import { type Branch, published, smallBranch, withChecksums } from '../support/published-release.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

const R358 = parseReleaseNumber('3.58.0')

function fetched(branch: Branch, folder = '/data/'): FetchedFile[] {
  return [...branch].map(([name, bytes]) => ({ name, bytes, origin: folder + name }))
}

/** The small release with one file edited. */
function edited(name: string, edit: (text: string) => string, version = '3.58.0'): FetchedFile[] {
  const branch = smallBranch(version)
  branch.set(name, Buffer.from(edit(branch.get(name)?.toString() ?? '')))
  return fetched(branch)
}

describe('checkFiles', () => {
  test('reports date and number of alleles', () => {
    const report = checkFiles(fetched(smallBranch('3.58.0')), R358)
    expect(report).toEqual({
      date: '2024-10-09',
      alleles: 3,
      notPublic: 0,
      md5: { matching: [], differing: [] },
      isVouched: false,
      warnings: [],
    })
  })

  test.for([
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['lone CRs', (text: string) => text.replaceAll('\n', '\r')],
    ['a line feed and blank lines at the end', (text: string) => `${text}\n\n`],
    ['a longer header', (text: string) => `# one more line\n# and one\n${text}`],
    ['a tab after the date', (text: string) => text.replace('2024-10-09', '2024-10-09\t')],
  ] as const)('accepts %s', ([, edit]) => {
    for (const name of smallBranch('3.58.0').keys()) {
      expect(checkFiles(edited(name, edit), R358).date).toBe('2024-10-09')
    }
  })

  const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 10\n'
  const LIST = 'allelelist/Allelelist.3580.txt'
  test.for([
    ['Deleted_alleles.txt', () => LFS, 'lfs-pointer'],
    ['wmda/hla_nom.txt', () => LFS, 'lfs-pointer'],
    ['wmda/hla_nom_g.txt', (text: string) => text.replace('3.58.0', '3.57.0'), 'bad-release-file'],
    [LIST, (text: string) => text.replace('3.58.0', '3.57.0'), 'bad-release-file'],
    ['wmda/hla_nom_p.txt', (text: string) => text.replace(/^# version.*\n/m, ''), 'bad-release-file'],
    ['wmda/hla_nom_p.txt', () => '<!DOCTYPE html>', 'bad-release-file'],
    ['wmda/rel_dna_ser.txt', (text: string) => text.replaceAll(/;$/gm, ';;;'), 'unknown-format'],
    ['wmda/rel_ser_ser.txt', (text: string) => text.slice(0, -5), 'truncated-file'],
    ['wmda/hla_nom.txt', (text: string) => text.slice(0, -2), 'truncated-file'],
    ['wmda/hla_nom_g.txt', (text: string) => text.split('\n').slice(0, 4).join('\n'), 'truncated-file'],
    [LIST, (text: string) => text.slice(0, -1), 'truncated-file'],
    [LIST, (text: string) => text.slice(0, -2), 'truncated-file'],
    [LIST, (text: string) => text.slice(0, text.indexOf('HLA00001')), 'truncated-file'],
  ] as const)('refuses %s (row %$)', ([name, edit, code]) => {
    const offending = `/data/${name}`
    expect(() => checkFiles(edited(name, edit), R358)).toThrow(expect.objectContaining({ code, offending }))
  })

  const VERSION_HINT = 'published files have a "# version:" line near the top; check where the file came from'
  const FORMAT_HINT = 'the file was edited, or its format changed after this version of hla'
  const AGAIN_HINT = 'copy or download the file again'
  test.for<[name: string, edit: (text: string) => string, message: string, hint: string, found?: string]>([
    ['wmda/hla_nom_g.txt', (text) => text.replace('3.58.0', '3.57.0'), 'FILE is of IPD-IMGT/HLA 3.57.0; 3.58.0 was expected', VERSION_HINT, '3.57.0'],
    ['wmda/hla_nom_p.txt', (text) => text.replace(/^# version.*\n/m, ''), 'FILE does not state its release; 3.58.0 was expected', VERSION_HINT, ''],
    ['wmda/rel_dna_ser.txt', (text) => text.replaceAll(/;$/gm, ';;;'), 'unknown nomenclature format: FILE has 8 columns; 6 or 7 are known', FORMAT_HINT],
    ['wmda/hla_nom.txt', (text) => text.replaceAll(/;$/gm, ';;'), 'unknown nomenclature format: FILE has 7 columns; 6 are known', FORMAT_HINT],
    ['wmda/hla_nom_g.txt', (text) => text.replaceAll(/;$/gm, ';;'), 'FILE is not complete: its last line is "B*;07:02:01:01;;"', AGAIN_HINT],
    ['wmda/rel_ser_ser.txt', (text) => text.slice(0, -5), 'FILE is not complete: its last line is "B;7"', AGAIN_HINT],
    ['wmda/hla_nom_g.txt', (text) => text.split('\n').slice(0, 4).join('\n'), 'FILE is not complete: it has no rows', AGAIN_HINT],
    ['wmda/hla_nom_g.txt', (text) => `${text}\n${'x'.repeat(61)}`, `FILE is not complete: its last line is "${'x'.repeat(60)}"`, AGAIN_HINT],
    ['allelelist/Allelelist.3570.txt', () => '', 'FILE is not complete: its last line is ""', AGAIN_HINT],
    [LIST, (text) => text.slice(0, -2), 'FILE is not complete: its last line is "HLA00132,B*07:02:01:"', AGAIN_HINT],
    [LIST, (text) => `${text}${'x'.repeat(61)}`, `FILE is not complete: its last line is "${`HLA00132,B*07:02:01:01${'x'.repeat(60)}`.slice(0, 60)}"`, AGAIN_HINT],
    [LIST, (text) => text.replace('HLA00001,', 'HLA0001,'), 'FILE has a bad line 6: it is "HLA0001,A*01:01:01:01"', AGAIN_HINT],
    [LIST, (text) => text.replace('HLA00001,', `${'x'.repeat(61)},`), `FILE has a bad line 6: it is "${'x'.repeat(60)}"`, AGAIN_HINT],
    [LIST, (text) => text.replace('HLA00132', 'HLA00001'), 'FILE has a bad line 8: HLA00001 is repeated', AGAIN_HINT],
    [LIST, (text) => text.replace(':02N', ':01'), 'FILE has a bad line 7: A*01:01:01:01 is repeated', AGAIN_HINT],
    ['wmda/hla_nom.txt', (text) => `\uFEFF${text}`, 'FILE begins with a byte order mark, which published files do not have', 'a program has saved it again: download it again, or remove its first three bytes'],
    [
      'wmda/hla_nom.txt',
      (text) => text.replace(/\nB\*.*$/, ''),
      'the files of 3.58.0 contradict each other: hla_nom.txt: it lacks B*07:02:01:01, which is in the allele list',
      'fetch all of them again; if that is how they are published, --accept-changed installs them, and "hla version" says so',
    ],
  ])('says what is wrong with %s, and what to do (row %$)', ([name, edit, message, hint, found]) => {
    const error = errorOf(() => checkFiles(edited(name, edit), R358))
    expect(error).toMatchObject({ message: message.replace('FILE', `/data/${name}`), hint, offending: `/data/${name}` })
    expect(error).toMatchObject({ facts: found === undefined ? undefined : { found, expected: '3.58.0' } })
  }) // prettier-ignore

  test('names the first contradictions, and the file of the first', () => {
    const error = errorOf(() =>
      checkFiles(
        edited(LIST, (text) => text.replace(/\nHLA00132.*$/, '')),
        R358,
      ),
    )
    const which = 'it has B*07:02:01:01, which is not in the allele list'
    expect(error).toMatchObject({
      code: 'bad-release-file',
      message: `the files of 3.58.0 contradict each other: hla_nom_g.txt: ${which}; hla_nom_p.txt: ${which}; rel_dna_ser.txt: ${which}`,
      hint: 'one of them is damaged or of another release: fetch all of them again, with wmda/md5checksum.txt; files that match it are installed as they are',
      offending: '/data/wmda/hla_nom_g.txt',
    })
  })

  test.for([
    ['3.58.0', 6],
    ['3.58.0', 7],
    ['3.64.0', 6],
    ['3.64.0', 7],
  ] as const)('goes by the file: rel_dna_ser.txt of %s may have %i columns', ([version, columns]) => {
    const resized = (text: string) => text.replaceAll(/^[A-Z].*$/gm, (row) => resize(row, columns))
    const files = edited('wmda/rel_dna_ser.txt', resized, version)
    expect(checkFiles(files, parseReleaseNumber(version))).toMatchObject({ alleles: 3, warnings: [] })
    const cut = edited('wmda/rel_dna_ser.txt', (text) => resized(text).slice(0, -1), version)
    expect(() => checkFiles(cut, parseReleaseNumber(version))).toThrow('is not complete')
  })

  test.for([
    ['nothing else', 'hla_nom.txt', 'B*;07:02:01:02;20241228;;;', 1],
    ['two names', 'hla_nom.txt', 'B*;07:02:01:02;20241228;;;\nB*;07:500N;20241228;;;', 2],
    ['a gene of its own', 'hla_nom.txt', 'W*;01:01;20241228;;;', 1],
    ['a deleted name', 'hla_nom.txt', 'B*;07:02:01:02;20241228;20250101;;', 0],
  ] as const)('takes names that only hla_nom.txt has: %s', ([, name, rows, notPublic]) => {
    const report = checkFiles(
      edited(`wmda/${name}`, (text) => `${text}\n${rows}`),
      R358,
    )
    expect(report).toMatchObject({ notPublic, warnings: [] })
  })

  test.for([
    [
      'wmda/hla_nom.txt',
      (text: string) => text.replace(/\nB\*.*$/, ''),
      'hla_nom.txt: it lacks B*07:02:01:01, which is in the allele list',
    ],
    [
      'wmda/rel_dna_ser.txt',
      (text: string) => text.replace(/\n[^\n]*02N.*/, ''),
      'rel_dna_ser.txt: it lacks A*01:01:01:02N, which is in the allele list',
    ],
    [
      'wmda/rel_dna_ser.txt',
      (text: string) => text.replace(';7;', ';99;'),
      'rel_dna_ser.txt: it has the antigen B99, which is not in hla_nom.txt',
    ],
  ] as const)('takes a broken promise of %s only when that is accepted', ([name, edit, warning]) => {
    const files = edited(name, edit)
    expect(() => checkFiles(files, R358)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('--accept-changed installs them') }),
    )
    expect(checkFiles(files, R358, { accepting: true }).warnings).toEqual([warning])
  })

  test.for([
    ['wmda/hla_nom_g.txt', (text: string) => text.replace(/\nB.*$/, '')],
    ['wmda/hla_nom_p.txt', (text: string) => text.replace('B*;07:02:01:01', 'B*;07:02:01:09')],
    ['wmda/rel_dna_ser.txt', (text: string) => text.replace('B*;07:02:01:01', 'B*;07:02:01:09')],
    [LIST, (text: string) => text.replace(/\nHLA00132.*$/, '')],
  ] as const)('accepts damage of %s in no way', ([name, edit]) => {
    expect(() => checkFiles(edited(name, edit), R358, { accepting: true })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('md5checksum.txt') }),
    )
  })

  test('warns of what was only observed', () => {
    const files = edited('wmda/hla_nom_p.txt', (text) => text.replace(';01:01P', '/01:01:01:02N;01:01P'))
    expect(checkFiles(files, R358).warnings).toEqual(['hla_nom_p.txt: it has the null allele A*01:01:01:02N'])
  })

  test('names a byte order mark', () => {
    const names = [...smallBranch('3.58.0').keys()].filter((name) => name.includes('/'))
    expect(names).toHaveLength(6)
    for (const name of names) {
      const marked = edited(name, (text) => `\uFEFF${text}`)
      expect(() => checkFiles(marked, R358)).toThrow(
        expect.objectContaining({
          code: 'bad-release-file',
          message: `/data/${name} begins with a byte order mark, which published files do not have`,
        }),
      )
    }
  })

  test('takes any version of other allele lists', () => {
    const other = published('Allelelist.3570.txt', '3.57.0', '2024-07-01', ['HLA00001,A*01:01:01:01'])
    const branch = smallBranch('3.58.0').set('allelelist/Allelelist.3570.txt', other)
    expect(checkFiles(fetched(branch), R358).alleles).toBe(3)
  })

  const row = (text: string) => (file: string) => file.replace(/\n[^\n#]*$/, `\n${text}`)
  const without = (pattern: RegExp) => (file: string) => file.replace(pattern, '')
  test.for([
    ['wmda/hla_nom_g.txt', without(/\nB.*$/), 'lacks B*07:02:01:01'],
    ['wmda/hla_nom_p.txt', without(/\nB.*$/), 'lacks B*07:02:01:01'],
    ['wmda/hla_nom_g.txt', (text: string) => text.replace('01:01:01G', '01:01P'), 'line 5 is not a group'],
    ['wmda/hla_nom_p.txt', (text: string) => text.replace('01:01P', '01:01:01G'), 'line 5 is not a group'],
    ['wmda/hla_nom_g.txt', (text: string) => text.replace(';01:01:01G', ';'), 'line 5 is not a group'],
    ['wmda/hla_nom_g.txt', row('B*;07:02:01:02;'), 'has B*07:02:01:02'],
    ['wmda/hla_nom_g.txt', row('B*;07:02:01:01;\nB*;07:02:01:01;'), 'has B*07:02:01:01 twice'],
    ['wmda/hla_nom_g.txt', row('B*;07:02:01:01;07:03:01G'), 'name B*07:03:01G in line 6'],
    ['wmda/hla_nom_p.txt', row('B*;07:02:01:01;07:03P'), 'name B*07:03P in line 6'],
    [
      'wmda/hla_nom_g.txt',
      (text: string) => text.replace('01:01:01:01', '\0\0\0\0\0\0\0\0\0\0\0'),
      'has A*\0',
    ],
    [LIST, without(/\nHLA00132.*$/), 'not in the allele list'],
    ['wmda/hla_nom.txt', without(/\nB\*.*$/), 'lacks B*07:02:01:01'],
    ['wmda/rel_dna_ser.txt', without(/\nB.*$/), 'lacks B*07:02:01:01'],
    ['wmda/rel_dna_ser.txt', (text: string) => text.replace(';7;', ';99;'), 'antigen B99'],
    ['wmda/rel_ser_ser.txt', (text: string) => text.replace('23/24', '23/25'), 'antigen A25'],
    [
      LIST,
      (text: string) => text.replace('HLA00002,A*01:01:01:02N', 'HLA00002,A*01:01:01:01'),
      'is repeated',
    ],
    [LIST, (text: string) => text.replace('01:01:01:02N', '01:01:0\u0000:02N'), 'bad line 7'],
  ] as const)('refuses files that contradict each other: %s (row %$)', ([name, edit, message]) => {
    expect(() => checkFiles(edited(name, edit), R358)).toThrow(
      expect.objectContaining({ code: 'bad-release-file', message: expect.stringContaining(message) }),
    )
  })

  test('lets a group keep the name of an allele that was deleted', () => {
    const branch = smallBranch('3.58.0')
    const deleted = 'A*;01:09:01;19890801;20000101;01:01:01:01;'
    branch.set('wmda/hla_nom.txt', Buffer.concat([branch.get('wmda/hla_nom.txt') ?? Buffer.of(), Buffer.from(`\n${deleted}`)])) // prettier-ignore
    branch.set('wmda/hla_nom_g.txt', Buffer.from(branch.get('wmda/hla_nom_g.txt')?.toString().replace('01:01:01G', '01:09:01G') ?? '')) // prettier-ignore
    expect(checkFiles(fetched(branch), R358).warnings).toEqual([])
  })

  test('warns only when published checksums say that this is how it was published', () => {
    const branch = smallBranch('3.58.0')
    branch.set('wmda/hla_nom_g.txt', Buffer.from(branch.get('wmda/hla_nom_g.txt')?.toString().replace(/\nB.*$/, '') ?? '')) // prettier-ignore
    expect(() => checkFiles(fetched(branch), R358)).toThrow('it lacks B*07:02:01:01')
    const { isVouched, warnings } = checkFiles(fetched(withChecksums(branch)), R358)
    expect(isVouched).toBe(true)
    expect(warnings).toEqual(['hla_nom_g.txt: it lacks B*07:02:01:01, which is in the allele list'])
    // a truncated allele list does not match the checksums
    const list = branch.get(LIST)?.toString() ?? ''
    branch.set(LIST, Buffer.from(list.slice(0, list.indexOf('\nHLA00132'))))
    expect(() => checkFiles(fetched(withChecksums(branch)), R358)).toThrow('not in the allele list')
  })

  test('refuses a list that is far shorter than that of the release before', () => {
    const rows = Array.from({ length: 5 }, (_, at) => `HLA0000${at + 1},A*01:0${at + 1}`)
    const before = published('Allelelist.3570.txt', '3.57.0', '2024-07-01', rows)
    const branch = smallBranch('3.58.0').set('allelelist/Allelelist.3570.txt', before)
    expect(() => checkFiles(fetched(branch), R358)).toThrow('it has 3 alleles, the list of 3.57.0 5')
  })

  test('a list has at least nine tenths of the alleles of the list before, and so has the list after', () => {
    const row = (at: number) => `HLA000${String(at + 10)},A*02:${String(at + 10)}`
    const listOf = (version: string, alleles: number) => published('x', version, '2024-07-01', Array.from({ length: alleles }, (_, at) => row(at)))
    const report = (...lists: (readonly [string, Buffer])[]) => {
      const branch = new Map([...smallBranch('3.58.0'), [LIST, listOf('3.58.0', 9)] as const, ...lists])
      return checkFiles(fetched(branch).filter(({ name }) => name.startsWith('allelelist/')), R358, { accepting: true })
    }
    const other = (minor: number, alleles: number, version = `3.${minor}.0`) => [`allelelist/Allelelist.3${minor}0.txt`, listOf(version, alleles)] as const
    const found = (...lists: (readonly [string, Buffer])[]) => report(...lists).warnings
    const eleven = ['Allelelist.3580.txt: it has 9 alleles, the list of 3.57.0 11']
    expect([found(other(57, 10)), found(other(57, 11))]).toEqual([[], eleven])
    expect(found(other(60, 8))).toEqual(['Allelelist.3580.txt: it has 9 alleles, the list of 3.60.0 8'])
    expect(found(other(60, 9), other(61, 1))).toEqual([])
    // only the nearest ones count, whatever their order
    expect(found(other(57, 9), other(56, 50), other(55, 50), other(60, 9), other(59, 8))).toEqual(['Allelelist.3580.txt: it has 9 alleles, the list of 3.59.0 8'])
    expect(found(other(57, 11), other(59, 8))).toEqual([...eleven, 'Allelelist.3580.txt: it has 9 alleles, the list of 3.59.0 8'])
    // of the same release, or of none
    expect(found(other(57, 20, '3.58.0'), ['allelelist/Allelelist.3560.txt', Buffer.from(Array.from({ length: 20 }, (_, at) => row(at)).join('\n'))])).toEqual([])
    expect([[9, 10], [8, 9], [0, 0], [89, 100], [90, 100]].map(([alleles = 0, before = 0]) => isFarFewer(alleles, before))).toEqual([false, true, false, true, false])
    expect(report()).toEqual({ date: 'undated', alleles: 9, notPublic: 0, md5: { matching: [], differing: [] }, isVouched: false, warnings: [] })
  }) // prettier-ignore

  test('four contradictions are told, and a promise that is broken beside damage is damage', () => {
    const files = edited('wmda/rel_dna_ser.txt', (text) => text.replace(';7;', ';99;'))
    const damaged = files.map((file) => file.name === LIST ? { ...file, bytes: Buffer.from(file.bytes.toString().replace(/\nHLA00132.*$/, '')) } : file)
    const which = 'it has B*07:02:01:01, which is not in the allele list'
    const damageHint = 'one of them is damaged or of another release: fetch all of them again, with wmda/md5checksum.txt; files that match it are installed as they are'
    expect(errorOf(() => checkFiles(damaged, R358))).toMatchObject({
      message: `the files of 3.58.0 contradict each other: hla_nom_g.txt: ${which}; hla_nom_p.txt: ${which}; rel_dna_ser.txt: ${which}; rel_dna_ser.txt: it has the antigen B99, which is not in hla_nom.txt`,
      hint: damageHint,
    })
    expect(errorOf(() => checkFiles(damaged, R358, { accepting: true }))?.message).toBe(
      `the files of 3.58.0 contradict each other: hla_nom_g.txt: ${which}; hla_nom_p.txt: ${which}; rel_dna_ser.txt: ${which}`,
    )
  }) // prettier-ignore

  test('compares published checksums, whatever the line ends', () => {
    const branch = withChecksums(smallBranch('3.58.0'))
    expect(checkFiles(fetched(branch), R358).md5).toEqual({ matching: expect.any(Array), differing: [] })
    const text = branch.get('wmda/hla_nom.txt')?.toString() ?? ''
    branch.set('wmda/hla_nom.txt', Buffer.from(text.replaceAll('\n', '\r\n')))
    expect(checkFiles(fetched(branch), R358).md5.differing).toEqual([])
    branch.set('wmda/hla_nom.txt', Buffer.from(`${text}\n`))
    const { matching, differing } = checkFiles(fetched(branch), R358).md5
    expect([matching.length, differing]).toEqual([4, ['wmda/hla_nom.txt']])
  })

  test('reads a list of checksums for the files beside it only', () => {
    const sums = 'MD5 (Deleted_alleles.txt) = 00000000000000000000000000000000\nMD5 (hla_nom.txt) = 0\n'
    const list = { name: 'md5checksum.txt', bytes: Buffer.from(sums), origin: '/data/md5checksum.txt' }
    const files = fetched(smallBranch('3.58.0'))
    const { md5 } = checkFiles([...files, list], R358)
    expect(md5).toEqual({ matching: [], differing: ['Deleted_alleles.txt'] })
    const elsewhere = { ...list, origin: '/data/Latest/md5checksum.txt' }
    expect(checkFiles([...files, elsewhere], R358).md5.differing).toEqual([])
  })
})

/** Resizes a row such as `A*;01:01;1;;;` to six or seven columns. */
function resize(row: string, columns: number): string {
  const cells = row.split(';').slice(0, columns)
  return [...cells, ...Array.from({ length: columns - cells.length }, () => '')].join(';')
}

describe('the epitope groups of DPB1', () => {
  const tce = (version: string) => {
    const lines = ['DPB1*01:01:01:01,DPB1*01:01,3,3,']
    return published('tce/dpb_tce.csv', version, '2024-10-09', lines)
  }
  const named = (bytes: Buffer) => fetched(smallBranch('3.58.0').set('tce/dpb_tce.csv', bytes))

  test('are of the release, or name none', () => {
    expect(checkFiles(named(tce('3.58.0')), R358).alleles).toBe(3)
    const nameless = Buffer.from(
      tce('3.58.0')
        .toString()
        .replace(/^# version.*\n/m, ''),
    )
    expect(checkFiles(named(nameless), R358).alleles).toBe(3)
    expect(() => checkFiles(named(tce('3.57.0')), R358)).toThrow(/dpb_tce.csv is of IPD-IMGT\/HLA 3.57.0/)
  })
})

describe.skipIf(!hasShared)('checkFiles on published files', () => {
  const upstream = (path: string) => readFileSync(sharedPath('upstream/IMGTHLA', path))

  test.for([
    ['3290', 17_344],
    ['3440', 30_523],
    ['3530', 37_619],
    ['3580', 41_433],
  ] as const)('accepts %s', ([compact, alleles]) => {
    const list = `Latest/allelelist/Allelelist.${compact}.txt`
    const wmda = readdirSync(sharedPath('upstream/IMGTHLA', compact, 'wmda')).map(
      (name) => `${compact}/wmda/${name}`,
    )
    const files = [...wmda, list].map((path) => ({
      name: path.slice(path.indexOf('/') + 1),
      bytes: upstream(path),
      origin: path,
    }))
    const report = checkFiles(files, parseReleaseNumber(compact))
    expect(report).toMatchObject({ alleles, warnings: [] })
  })

  test('accepts the allele list of every release', () => {
    const names = readdirSync(sharedPath('upstream/IMGTHLA/Latest/allelelist'))
    for (const name of names) {
      const file = { name: `allelelist/${name}`, bytes: upstream(`Latest/allelelist/${name}`), origin: name }
      const release = parseReleaseNumber(name.replace(/\D/g, '').replace('3131', '3130'))
      expect(checkFiles([file], release).alleles).toBeGreaterThan(4000)
    }
  })
})
