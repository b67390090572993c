/** The catalogues of common and well-documented alleles. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  CATALOGUE_IDS,
  cataloguePath,
  cwd2Catalogue,
  DEFAULT_FILTER,
  fileCatalogue,
  FILE_CATALOGUES,
  fileCatalogueIds,
  installCatalogue,
  installedCatalogues,
  readCatalogue,
} from '../../src/reference/catalogues.ts'
import { parseCiwd, parseEurcwd } from '../../src/reference/sources/catalogue-files.ts'
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

describe('parseEurcwd', () => {
  test('gives the category of a name', () => {
    const table = parseEurcwd('\uFEFFA*01:01,C\r\nDQA1*01:07,WD\r\n')
    expect([...table]).toEqual([['A*01:01', ['C']], ['DQA1*01:07', ['WD']]]) // prettier-ignore
  })

  test.for([
    ['', 'has no names'],
    ['A*01:01,C\nA*01:02,I', 'line 2 of the EURCWD catalogue'],
    ['A*01:01,C,C', 'line 1'],
    ['A0101,C', 'line 1'],
    ['A*01:01,C\nA*01:01,WD', 'line 2'],
    [ROWS, 'line 1'],
  ] as const)('refuses %j', ([text, message]) => {
    const error = errorOf(() => parseEurcwd(text))
    expect(error?.code).toBe('bad-release-file')
    expect(error?.message).toContain(message)
  })

  test('its catalogue has the categories that it publishes', () => {
    const catalogue = fileCatalogue('eurcwd', parseEurcwd('A*01:01,C\nA*01:06,WD'))
    expect([catalogue.title, catalogue.isMember('A*01:06')]).toEqual(['EURCWD (C, WD)', true])
    const common = fileCatalogue('eurcwd', parseEurcwd('A*01:06,WD'), {
      categories: ['C'],
      populations: ['TOTAL'],
    })
    expect([common.title, common.isMember('A*01:06')]).toEqual(['EURCWD (C)', false])
  })
})

describe('a catalogue of CIWD', () => {
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
    const catalogue = fileCatalogue('ciwd3', parseCiwd(ROWS), { categories, populations })
    expect(names.filter((name) => catalogue.isMember(name))).toEqual(members)
  })
})

test('a catalogue tells what it is', () => {
  const ciwd = fileCatalogue('ciwd3', parseCiwd(ROWS))
  expect(ciwd).toEqual({
    isMember: expect.any(Function),
    categoriesOf: expect.any(Function),
    id: 'ciwd3',
    name: 'CIWD 3.0.0',
    title: 'CIWD 3.0.0 (C, I, WD in TOTAL)',
    release: '3.31.0',
    size: 3,
    populations: ['TOTAL', 'AFA', 'API', 'EURO', 'HIS', 'MENA', 'NAM', 'UNK'],
  })
  expect(ciwd.categoriesOf('A*01:02')).toEqual(['WD', 'R', 'R', 'I', 'R', 'R', 'R', 'R'])
  expect([ciwd.categoriesOf('A*99:99'), ciwd.isMember('A*99:99')]).toEqual([undefined, false])
  const filter = { categories: ['I', 'C'], populations: ['EURO', 'UNK'] } as const
  expect(fileCatalogue('ciwd3', parseCiwd(ROWS), filter).title).toBe('CIWD 3.0.0 (I, C in EURO, UNK)')
  const small = fileCatalogue('eurcwd', parseEurcwd('A*01:01,C'))
  expect({ ...small, isMember: small.isMember('A*01:01'), categoriesOf: small.categoriesOf('A*01:01') }).toEqual({
    id: 'eurcwd',
    name: 'EURCWD',
    title: 'EURCWD (C, WD)',
    release: '3.20.0',
    size: 1,
    isMember: true,
    categoriesOf: ['C'],
    populations: ['TOTAL'],
  })
  const cwd2 = cwd2Catalogue()
  const [named, other] = ['A*01:01', 'A*99:99']
  expect([cwd2.isMember(named), cwd2.categoriesOf(named), cwd2.isMember(other), cwd2.categoriesOf(other)]).toEqual([true, ['CWD'], false, undefined])
  expect(cwd2).toMatchObject({ id: 'cwd2', name: 'CWD 2.0.0', title: 'CWD 2.0.0', release: '3.9.0', size: 1063, populations: ['TOTAL'] })
  expect([CATALOGUE_IDS, fileCatalogueIds(), DEFAULT_FILTER]).toEqual([
    ['cwd2', 'ciwd3', 'eurcwd'],
    ['ciwd3', 'eurcwd'],
    { categories: ['C', 'I', 'WD'], populations: ['TOTAL'] },
  ])
  expect(Object.values(FILE_CATALOGUES).map(({ citation, url }) => [citation, url])).toEqual([
    ['Hurley et al., HLA 2020, 95:516', 'https://raw.githubusercontent.com/nmdp-bioinformatics/CIWD/master/ciwd.3.0.0.csv'],
    ['Sanchez-Mazas et al., HLA 2017, 89:104', 'https://raw.githubusercontent.com/kosoegawa/HATS/HEAD/EURCWD/EURCWD.csv'],
  ])
}) // prettier-ignore

describe('installed CIWD 3.0.0', () => {
  const temp = tempFolder()

  test('is kept as published, and read again', () => {
    const dirs = { own: temp('own'), system: temp('system') }
    expect(readCatalogue(dirs, 'ciwd3')).toBeUndefined()
    installCatalogue(dirs, 'ciwd3', Buffer.from(ROWS))
    expect(readCatalogue(dirs, 'ciwd3')?.size).toBe(3)
    expect(readCatalogue({ own: temp('other'), system: dirs.own }, 'ciwd3')?.size).toBe(3)
  })

  test('is one of the catalogues behind answers, own before the system', () => {
    const dirs = { own: temp('mine'), system: temp('theirs') }
    expect(installedCatalogues(dirs)).toEqual([])
    installCatalogue({ own: dirs.system, system: '' }, 'ciwd3', Buffer.from(`${HEADER}\nA*01:01,C,C,C,C,C,C,C,C`))
    installCatalogue(dirs, 'eurcwd', Buffer.from('A*01:01,C'))
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const eurcwd = { name: 'eurcwd', sha256: sha256('A*01:01,C') }
    expect(installedCatalogues(dirs)).toEqual([
      { name: 'ciwd3', sha256: sha256(`${HEADER}\nA*01:01,C,C,C,C,C,C,C,C`) },
      eurcwd,
    ])
    expect(installCatalogue(dirs, 'ciwd3', Buffer.from(ROWS)).size).toBe(3)
    expect(installedCatalogues(dirs)).toEqual([{ name: 'ciwd3', sha256: sha256(ROWS) }, eurcwd])
    expect(readFileSync(cataloguePath(dirs.own, 'ciwd3'), 'utf8')).toBe(ROWS)
    expect(cataloguePath('/data', 'ciwd3')).toBe('/data/catalogues/ciwd3.csv')
    mkdirSync(temp('odd/catalogues/ciwd3.csv'), { recursive: true })
    expect(() => readCatalogue({ own: temp('odd'), system: '' }, 'ciwd3')).toThrow('EISDIR')
  }) // prettier-ignore

  test('is not kept when it cannot be read', () => {
    const dirs = { own: temp('damaged'), system: temp('system') }
    expect(errorOf(() => installCatalogue(dirs, 'ciwd3', Buffer.from('<html>')))?.code).toBe(
      'bad-release-file',
    )
    expect(readCatalogue(dirs, 'ciwd3')).toBeUndefined()
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

  test('EURCWD is read whole', () => {
    expect(parseEurcwd(readFileSync(sharedPath('upstream/cwd/EURCWD.csv'), 'utf8')).size).toBe(1048)
  })

  test('names of EURCWD are those of 3.20.0, and of no other release as many', () => {
    const names = [...parseEurcwd(readFileSync(sharedPath('upstream/cwd/EURCWD.csv'), 'utf8')).keys()]
    const missing = (release: string) => {
      const known = twoFieldNames(release)
      return names.filter((name) => !known.has(name))
    }
    expect(missing('3200')).toEqual(['DQB1*03:191'])
    expect(missing('3210')).toEqual(['DQA1*01:07'])
    const lacking = ['3170', '3180', '3190'].map((release) => missing(release).length)
    expect([lacking, FILE_CATALOGUES.eurcwd.release]).toEqual([[3, 2, 1], '3.20.0'])
  })
})

/** Names of two fields, with the letter of an allele that has more. */
function twoFieldNames(release: string): ReadonlySet<string> {
  const path = sharedPath(`upstream/IMGTHLA/Latest/allelelist/Allelelist.${release}.txt`)
  const names = readFileSync(path, 'utf8').match(/(?<=[ ,])\w+\*\S+/g) ?? []
  return new Set(
    names.flatMap((name) => {
      const two = name.split(':').slice(0, 2).join(':')
      const letter = /[A-Z]$/.exec(name)?.[0] ?? ''
      return [two, two.endsWith(letter) ? two : two + letter]
    }),
  )
}
