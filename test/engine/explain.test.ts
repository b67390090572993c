/** explain gives the answer of redux, and cites the line of every fact. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { explain, type Step } from '../../src/engine/explain/explain.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { twoFields } from '../../src/nomenclature/allele.ts'
import { sortNames } from '../../src/nomenclature/order.ts'
import { type Citations, readCitations, NO_CITATIONS } from '../../src/reference/citations.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { compileTexts, smallMacs, smallRelease, smallTexts } from '../support/small-release.ts'
import { realSources } from '../support/sources.ts'

function smallCitations(): Citations {
  const texts = smallTexts()
  const files: Readonly<Record<string, string>> = {
    'Allelelist.3580.txt': texts.alleleList,
    'hla_nom_g.txt': texts.gGroups,
    'hla_nom_p.txt': texts.pGroups,
    'rel_dna_ser.txt': texts.dnaSerology,
    'rel_ser_ser.txt': texts.serology,
  }
  return readCitations((name) => files[name], '3.58.0')
}

/** `title: text` of the steps of all leaves, without the first (the form) and the last (the answer) of each. */
function told(engine: Engine, citations: Citations, method: Method, glString: string): string[] {
  const { leaves } = explain(engine, citations, glString, method)
  return leaves.flatMap(({ steps }) => steps.slice(1, -1).map(({ title, text }) => `${title}: ${text}`))
}

describe('explain, on a small release', () => {
  const engine = makeEngine(smallRelease(), smallMacs())
  const citations = smallCitations()

  test.for([
    ['lgx', 'A*01:01:02', 'rule: lgx uses the G group; without one, the P group (ping) -> A*01:01P'],
    ['lgx', 'A*01:335', 'P group: A*01:01P, hla_nom_p.txt:1'],
    ['lgx', 'A*02:17:02:01', 'G group: A*02:17:02G (published as A*02:17:01G), hla_nom_g.txt:'],
    ['lgx', 'A*02:17:02G', 'known: G group of 2 alleles (published as A*02:17:01G), hla_nom_g.txt:'],
    ['lgx', 'A*02:17:01G', 'read as: A*02:17:02G, as G groups are named by their first member'],
    [
      'lg',
      'A*02:131:02',
      'lg stops here, but lgx gives A*02:16 (as in py-ard; with the option consistent-lg, lg gives A*02:16g)',
    ],
    ['G', 'A*01:01:01G', 'rule: a G group is returned unchanged'],
    ['G', 'A*02:01', 'rule: a short name that is in several G groups gives all of them'],
    ['G', 'A*01:335', 'G group: none: alone on hla_nom_g.txt:'],
    ['P', 'A*01:22N', 'rule: without a P group, the name is returned unchanged'],
    ['P', 'A*02:16:01G', 'rule: A*02:16:01 is not an allele: P of the members'],
    ['P', 'A*02:16:01G', 'known: A*02:16:01G of A*02:16 A*02:131:01:01 … (4 in all), hla_nom_g.txt:27'],
    ['W', 'A*01:02', 'look up: 4 alleles below A*01:02, the first A*01:02:01:01'],
    ['W', 'A*01:03:01G', 'rule: W of a group is every allele below the short names of its members'],
    [
      'exon',
      'A*01:04:01:01N',
      'rule: exon is three fields of an allele in a G group, and the expression letter, as the result is a short name',
    ],
    ['exon', 'A*01:335', 'rule: exon leaves an allele that is in no G group unchanged'],
    ['exon', 'A*01:02', 'rule: exon of a short name or group is three fields of every allele below it'],
    [
      'U2',
      'A*01:04:01:01N',
      'rule: U2 gives two fields and the expression letter if an allele has that name',
    ],
    ['U2', 'A*02:01', 'rule: U2 leaves a two-field name unchanged'],
    ['S', 'A*01:01:38L', 'serology: A1 of A*01:01:38L: possible, rel_dna_ser.txt:4'],
    ['S', 'A*01:315', 'serology: A1 of A*01:315: assumed, rel_dna_ser.txt:'],
    ['1F', 'A*01:01', 'rule: 1F is the first field, the part before the first colon'],
    ['lgx', 'HLA-A*0104', 'read as: A*01:04:01:01N, an exception listed in old-names.csv'],
    ['lgx', 'A*010102', 'read as: A*01:01:02, with colons, as names are written since April 2010'],
    ['lgx', 'A*01:AB', 'read as: MAC AB = 01/02, valid with any first field'],
    ['lgx', 'A*02:AB', 'expand: 1 of 2 names exist: A*02:01; not in 3.58.0: A*02:02'],
    [
      'lgx',
      'A*01:AB',
      'member: A*01:02 -> A*01:02: G group A*01:02:01G through A*01:02:01:01, hla_nom_g.txt:',
    ],
    ['lgx', 'A*01:XX', 'read as: XX code: every A*01'],
    [
      'lgx',
      'A*01:04N',
      'read as: short for the names under A*01:04 that end in N: A*01:04:01:01N A*01:04:01:02N',
    ],
    ['lgx', 'A1', 'read as: antigen'],
    ['lgx', 'A203', 'read as: antigen, associated with A2'],
    [
      'lgx',
      'A*01:01:999',
      'known: A*01:01:999 is not listed; A*01:01 is (A*01:01:01:01), and further fields',
    ],
    ['lgx', 'A*01:01:01:01', 'known: Allelelist.3580.txt:2'],
  ] as const)('%s of %s says "%s"', ([method, input, expected]) => {
    expect(told(engine, citations, method, input).join('\n')).toContain(expected)
  })

  test('the answer, its notes and its errors are those of redux', () => {
    for (const method of METHOD_NAMES) {
      for (const input of [
        'A*01:AB+HLA-A2^A*03:01:01:01',
        'A*01:04N',
        'A*01:22N/A1',
        'A*01:01~A*03:01',
        'A*99:01',
        '',
      ]) {
        const ours = errorOf(() => explain(engine, citations, input, method))
        const theirs = errorOf(() => redux(engine, input, method))
        expect([ours?.code, ours?.message, ours?.position]).toEqual([
          theirs?.code,
          theirs?.message,
          theirs?.position,
        ])
        if (theirs !== undefined) continue
        const { text, notes } = explain(engine, citations, input, method)
        expect({ text, notes }).toEqual(redux(engine, input, method))
      }
    }
  })

  test.for([
    ['A*01:01+A*01:01', ['+ both copies are kept, sorted']],
    [
      'A*01:01/A*01:02+A*02:01',
      ['/ 2 names reduce to 2, sorted by their fields', '+ copies are kept, sorted'],
    ],
    ['A*01:01:01:01/A*01:01:02', ['/ 2 names reduce to 2, 1 repeat is dropped, sorted by their fields']],
    ['A*03:01~A*01:01', ['~ phased names keep their order']],
    [
      'A*01:01+A*02:01|A*01:01+A*02:01',
      ['+ copies are kept, sorted', '| genotypes are sorted; 1 repeat is dropped'],
    ],
  ] as const)('the names of %s are put together as told', ([input, expected]) => {
    const { together } = explain(engine, citations, input, 'lgx')
    expect(together.map(({ title, text }) => `${title} ${text}`)).toEqual(expected)
  })

  test('what is left out of a genotype is told', () => {
    const { together, leaves } = explain(engine, citations, 'A*01:22N+A*02:10', 'S')
    expect(together[0]?.text).toBe('1 of 2 left out because their result is empty; copies are kept, sorted')
    expect(leaves[0]?.steps.at(-1)?.text).toBe('nothing')
  })

  test('an answer of nothing comes with its reason', () => {
    const error = errorOf(() => explain(engine, citations, 'A*01:22N', 'S'))
    expect(error?.code).toBe('no-serology')
    expect(error?.hint).toContain('serology: A*01:22N has 0 (unambiguous), rel_dna_ser.txt:15')
    expect(error?.hint).toContain('a null allele is not expressed')
  })

  test('a leaf that is left as it is says why', () => {
    const kept = {
      ...engine,
      options: { ...DEFAULT_OPTIONS, ignoredSuffixes: ['NNNN'], keep: ['2field' as const] },
    }
    expect(told(kept, citations, 'lgx', 'A*NNNN')).toEqual(['rule: the part after "*" is an ignored suffix'])
    expect(told(kept, citations, 'lgx', 'A*01:01')).toEqual(['rule: names of this kind are kept as typed'])
  })

  test('a member of a code is no name that is left alone, and that is said', () => {
    const options = { ...DEFAULT_OPTIONS, ignoredSuffixes: ['01:02'] }
    const members = told({ ...engine, options }, citations, 'G', 'A*01:AB').filter((text) => text.startsWith('member')) // prettier-ignore
    expect(members.map((text) => text.includes('not to members of codes'))).toEqual([false, true])
    const plain = told(engine, citations, 'G', 'A*01:AB').join()
    expect(plain).not.toContain('not to members of codes')
  })

  test('the column of HATS antigens is cited', () => {
    const texts = smallTexts()
    const dnaSerology = texts.dnaSerology.replaceAll(/^(A\*;01:0.*)$/gm, '$1;1')
    const hats = makeEngine(readRelease(encodeRelease(compileTexts({ ...texts, dnaSerology }))))
    const cited = readCitations((name) => (name === 'rel_dna_ser.txt' ? dnaSerology : undefined), '3.58.0')
    expect(told(hats, cited, 'hats', 'A*01:01:02')).toContain('HATS: A1 of A*01:01:02, rel_dna_ser.txt:3')
  })

  test('of many names only the first are explained', () => {
    const many = Array.from({ length: 30 }, (_, at) => `A*01:01:${at + 100}`).join('/')
    const { leaves, unexplained } = explain(engine, citations, many, 'lgx')
    expect([leaves.length, unexplained]).toEqual([12, 18])
  })
})

test('the starter set is cited as itself', () => {
  const { release, mac } = openStarter()
  const steps = told(makeEngine(release, mac), NO_CITATIONS, 'S', 'A*25:01')
  expect(steps).toEqual([
    'known: a short name of the release, built-in starter set',
    'serology: A10 of A*25:01, built-in starter set',
    'serology: A25 of A*25:01, built-in starter set',
    'rule: S of two fields is every antigen of an allele whose lgx name is A*25:01',
  ])
})

/** Names and antigens of a step and of the steps before it, as cells of the published files spell them. */
function cellsOf(leaf: string, steps: readonly Step[]): Set<string> {
  const text = [leaf, ...steps.map((step) => step.text)].join(' ')
  const names = text.match(/[A-Z][A-Z0-9]*\*\d[\d:]*\d[A-Z]?|[A-Z]+w?\d+|[A-Z]{2,}/g) ?? []
  return new Set(names.flatMap((name) => [name, name.replace(/^.*\*|^[A-Z]+w?(?=\d)/, '')]))
}

function expectCitations(leaf: string, steps: readonly Step[]): void {
  const cells = cellsOf(leaf, steps)
  for (const { text, citation } of steps) {
    if (citation === undefined) continue
    const line = citation.text.split(/[;,/\t]/)
    expect(
      line.some((cell) => cells.has(cell)),
      `${leaf}: ${text}\n${citation.text.slice(0, 200)}`,
    ).toBe(true)
    expect(text).toContain(`${citation.file}:${citation.line}`)
  }
}

describe.skipIf(!hasShared)('explain, on 3.58.0', () => {
  let engine: Engine
  let citations: Citations
  let names: readonly string[]
  // inside beforeAll, because the body of a skipped suite still runs
  beforeAll(() => {
    engine = makeEngine(realRelease('3580'), realMacs())
    citations = readCitations(realSources('3580'), '3.58.0')
    names = sample(2000)
  })

  test.for(['G', 'P', 'lgx', 'S'] as const)(
    '%s of 2,000 names: the answer is that of redux, every line holds its name',
    (method) => {
      for (const name of names) {
        if (errorOf(() => redux(engine, name, method))?.code === 'no-serology') continue
        const { text, leaves } = explain(engine, citations, name, method)
        expect(text).toBe(redux(engine, name, method).text)
        const steps = leaves[0]?.steps ?? []
        expectCitations(name, steps)
        const result = (steps.at(-1)?.text ?? '').replace(/^.*: /, '')
        if (!result.includes('…')) expect(result.replaceAll(' ', '/')).toBe(text)
        const found = steps.find(({ title }) => title === `${method} group`)?.text ?? 'none'
        if (!found.startsWith('none')) expect(`${found} `).toContain(text.split('/', 4).join(' '))
      }
    },
  )

  test('the rule of lgx leads to the answer', () => {
    for (const name of names) {
      const { text, leaves } = explain(engine, citations, name, 'lgx')
      const rule = leaves[0]?.steps.find(({ title }) => title === 'rule')?.text ?? ''
      const [, groups] = / -> ([^:,]*(?::[^ :,]+)*)/.exec(rule) ?? []
      if (groups === undefined || rule.includes('then the same')) continue
      const [lowest] = sortNames(new Set(groups.split(' ').map(twoFields)))
      expect(`${name} ${lowest}`).toBe(`${name} ${text}`)
    }
  })

  test('codes, antigens and old names: every line holds its name', () => {
    for (const method of METHOD_NAMES.filter((one) => one !== 'hats')) {
      for (const input of [
        'A*02:AB',
        'A*69:CFFGM',
        'A*02:XX',
        'C*10:XX',
        'A10',
        'B15',
        'DR51',
        'Cw3',
        'A*01101',
        'B*44:23N',
      ]) {
        if (errorOf(() => redux(engine, input, method)) !== undefined) continue
        const { leaves, text } = explain(engine, citations, input, method)
        expect(text).toBe(redux(engine, input, method).text)
        for (const { leaf, steps } of leaves) expectCitations(leaf, steps)
        expect(leaves[0]?.steps.length).toBeLessThan(12)
      }
    }
  })

  /** Valid input names from a seeded generator, the same in each run. */
  function sample(count: number): string[] {
    const { release } = engine
    const found: string[] = []
    for (let seed = 26; found.length < count;) {
      seed = (seed * 16_807) % 2_147_483_647
      const id = seed % release.size
      if (release.isKind('allele', id)) found.push(release.nameOf(id))
    }
    return found
  }
})
