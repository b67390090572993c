/** What is found wrong with published files before anything is made of them. */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkFiles } from '../../src/reference/checks.ts'
import type { FetchedFile } from '../../src/reference/published/fetched-file.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { type Branch, published, smallBranch, withChecksums } from '../support/published-release.ts'
import { hasShared, sharedPath } from '../support/shared.ts'

const R358 = parseReleaseNumber('3.58.0')

function fetched(branch: Branch, folder = '/data/'): FetchedFile[] {
  return [...branch].map(([name, bytes]) => ({ name, bytes, origin: folder + name }))
}

/** The small release with one file changed as text. */
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
      md5: { listed: 0, differing: [] },
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
    ['wmda/rel_dna_ser.txt', (text: string) => text.replaceAll(/;$/gm, ';;'), 'unknown-format'],
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

  test('expects seven serology columns from 3.64.0 on', () => {
    const R364 = parseReleaseNumber('3.64.0')
    expect(checkFiles(fetched(smallBranch('3.64.0')), R364).alleles).toBe(3)
    const six = edited('wmda/rel_dna_ser.txt', (text) => text.replaceAll(/;$/gm, ''), '3.64.0')
    expect(() => checkFiles(six, R364)).toThrow(expect.objectContaining({ code: 'unknown-format' }))
  })

  test('takes any version of other allele lists', () => {
    const other = published('Allelelist.3570.txt', '3.57.0', '2024-07-01', ['HLA00001,A*01:01:01:01'])
    const branch = smallBranch('3.58.0').set('allelelist/Allelelist.3570.txt', other)
    expect(checkFiles(fetched(branch), R358).alleles).toBe(3)
  })

  test('warns when serology and allele list are of different length', () => {
    const files = edited('wmda/rel_dna_ser.txt', (text) => text.slice(0, text.lastIndexOf('\n')))
    expect(checkFiles(files, R358).warnings).toHaveLength(1)
  })

  test('compares published checksums without enforcing them', () => {
    const branch = withChecksums(smallBranch('3.58.0'))
    expect(checkFiles(fetched(branch), R358).md5).toEqual({ listed: 5, differing: [] })
    const crlf = Buffer.from(branch.get('wmda/hla_nom.txt')?.toString().replaceAll('\n', '\r\n') ?? '')
    branch.set('wmda/hla_nom.txt', crlf)
    expect(checkFiles(fetched(branch), R358).md5).toEqual({ listed: 5, differing: ['wmda/hla_nom.txt'] })
  })

  test('reads a list of checksums for the files beside it only', () => {
    const sums = 'MD5 (Deleted_alleles.txt) = 00000000000000000000000000000000\nMD5 (hla_nom.txt) = 0\n'
    const list = { name: 'md5checksum.txt', bytes: Buffer.from(sums), origin: '/data/md5checksum.txt' }
    const files = fetched(smallBranch('3.58.0'))
    expect(checkFiles([...files, list], R358).md5).toEqual({ listed: 1, differing: ['Deleted_alleles.txt'] })
    expect(checkFiles([...files, { ...list, origin: '/data/Latest/md5checksum.txt' }], R358).md5.listed).toBe(
      0,
    )
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
