/** What explain says of each method and form of a name, on a small release and the starter set. */
import { describe, expect, test } from 'vitest'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { explain } from '../../src/engine/explain/explain.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { type Citations, readCitations, NO_CITATIONS } from '../../src/reference/citations.ts'
import { openStarter } from '../../src/reference/starter/open-starter.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readRelease } from '../../src/reference/release.ts'
import { errorOf } from '../support/errors.ts'
import { compileTexts, smallMacs, smallRelease, smallTexts } from '../support/small-release.ts'

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

  test.for([
    [
      'S',
      'A9',
      [
        'parse: antigen: A, number 9',
        'read as: broad antigen of A23 A24, rel_ser_ser.txt:2',
        'expand: 4 alleles: 2 unambiguous, 1 possible, 1 assumed',
        'serology: A9: A23 (A*23:01:01:01, unambiguous, rel_dna_ser.txt:40) is a split of it, rel_ser_ser.txt:2',
        'serology: A9: A24 (A*24:02:01:01, unambiguous, rel_dna_ser.txt:41) is a split of it, rel_ser_ser.txt:2',
        'serology: A9: A24 (A*24:02:01:02L, possible, rel_dna_ser.txt:42) is a split of it, rel_ser_ser.txt:2',
        'member: A*23:01:01:01 -> A9 A23: serology A9: A23 (A*23:01:01:01, unambiguous, rel_dna_ser.txt:40) is a split of it, rel_ser_ser.txt:2',
        'member: A*24:02:01:01 -> A9 A24: serology A9: A24 (A*24:02:01:01, unambiguous, rel_dna_ser.txt:41) is a split of it, rel_ser_ser.txt:2',
        'member: A*24:02:01:02L -> A9 A24: serology A9: A24 (A*24:02:01:02L, possible, rel_dna_ser.txt:42) is a split of it, rel_ser_ser.txt:2',
        'members: 1 more is reduced in the same way',
        'result: of 4 together: A9 A23 A24',
      ],
    ],
    [
      'lgx',
      'A203',
      [
        'parse: antigen: A, number 203',
        'read as: antigen, associated with A2',
        'expand: 2 alleles: 1 unambiguous, 1 assumed',
        'serology: A203 of A*02:03:01:01: unambiguous, rel_dna_ser.txt:23',
        'serology: A203 of A*02:03:01:06Q: assumed, rel_dna_ser.txt:24',
        'member: A*02:03:01:01 -> A*02:03: G group A*02:03:01G, hla_nom_g.txt:25',
        'member: A*02:03:01:06Q -> A*02:03: G group A*02:03:01G, hla_nom_g.txt:25',
        'result: of 2 together: A*02:03',
      ],
    ],
    [
      'S',
      'A*24:02:01:02L',
      [
        'parse: allele: locus A, fields 24 02 01 02, expression letter L',
        'known: Allelelist.3580.txt:43',
        'serology: A9: A24 (A*24:02:01:02L, possible, rel_dna_ser.txt:42) is a split of it, rel_ser_ser.txt:2',
        'serology: A24 of A*24:02:01:02L: possible, rel_dna_ser.txt:42',
        'rule: S is every antigen of the allele, and their broad antigens',
        'result: A9 A24',
      ],
    ],
    [
      'lgx',
      'HLA-A*01:01:02',
      [
        'parse: allele: locus A, fields 01 01 02; HLA- is put back on the answer',
        'known: Allelelist.3580.txt:4',
        'G group: none: alone on hla_nom_g.txt:2',
        'P group: A*01:01P, hla_nom_p.txt:1',
        'rule: lgx uses the G group; without one, the P group (ping) -> A*01:01P',
        'result: first two fields: HLA-A*01:01',
      ],
    ],
    [
      'lg',
      'A*02:131:02',
      [
        'parse: allele: locus A, fields 02 131 02',
        'known: Allelelist.3580.txt:35',
        'G group: none: alone on hla_nom_g.txt:8',
        'rule: lg uses the G group; without one, the name itself; lg stops here, but lgx gives A*02:16 (as in py-ard; with the option consistent-lg, lg gives A*02:16g)',
        'result: first two fields and g: A*02:131g',
      ],
    ],
    [
      'lg',
      'A*01:01',
      [
        'parse: allele: locus A, fields 01 01',
        'known: short for 4 alleles, the first A*01:01:01:01',
        'G group: A*01:01:01G through A*01:01:01:01, hla_nom_g.txt:1',
        'rule: lg uses the G group -> A*01:01:01G',
        'result: first two fields and g: A*01:01g',
      ],
    ],
    [
      'G',
      'A*02:01',
      [
        'parse: allele: locus A, fields 02 01',
        'known: short for 3 alleles, the first A*02:01:01:01',
        'G group: A*02:01:01G A*02:01:02G; A*02:01:01G through A*02:01:01:01, hla_nom_g.txt:23',
        'rule: a short name that is in several G groups gives all of them',
        'result: A*02:01:01G A*02:01:02G',
      ],
    ],
    [
      'P',
      'A*02:16:01G',
      [
        'parse: G group: locus A, fields 02 16 01',
        'known: G group of 4 alleles, hla_nom_g.txt:27',
        'known: A*02:16:01G of A*02:16 A*02:131:01:01 … (4 in all), hla_nom_g.txt:27',
        'rule: A*02:16:01 is not an allele: P of the members',
        'result: A*02:16P',
      ],
    ],
    [
      'P',
      'A*01:01P',
      [
        'parse: P group: locus A, fields 01 01',
        'known: P group of 4 alleles, hla_nom_p.txt:1',
        'P group: A*01:01P of A*01:01:01:01 A*01:01:02 … (4 in all), hla_nom_p.txt:1',
        'rule: a P group is returned unchanged',
        'result: A*01:01P',
      ],
    ],
    [
      'W',
      'A*01:03:01G',
      [
        'parse: G group: locus A, fields 01 03 01',
        'known: G group of 5 alleles, hla_nom_g.txt:22',
        'members: of A*01:03:01G, hla_nom_g.txt:22',
        'look up: 6 alleles below A*01:03:01G, the first A*01:03:01:01',
        'rule: W of a group is every allele below the short names of its members (the option members gives the group itself)',
        'result: A*01:03:01:01 A*01:03:01:02 A*01:03:02 A*01:03:03 A*01:287N A*01:315',
      ],
    ],
    [
      'W',
      'A*01:01:02',
      [
        'parse: allele: locus A, fields 01 01 02',
        'known: Allelelist.3580.txt:4',
        'rule: W leaves a full name unchanged',
        'result: A*01:01:02',
      ],
    ],
    [
      'exon',
      'A*01:04:01:01N',
      [
        'parse: allele: locus A, fields 01 04 01 01, expression letter N',
        'known: Allelelist.3580.txt:14',
        'G group: A*01:01:01G, hla_nom_g.txt:1',
        'rule: exon is three fields of an allele in a G group, and the expression letter, as the result is a short name',
        'result: A*01:04:01N',
      ],
    ],
    [
      'exon',
      'A*01:02:01:01',
      [
        'parse: allele: locus A, fields 01 02 01 01',
        'known: Allelelist.3580.txt:6',
        'G group: A*01:02:01G, hla_nom_g.txt:21',
        'rule: exon is three fields of an allele in a G group',
        'result: A*01:02:01',
      ],
    ],
    [
      'U2',
      'A*01:335',
      [
        'parse: allele: locus A, fields 01 335',
        'known: Allelelist.3580.txt:19',
        'G group: none: alone on hla_nom_g.txt:5',
        'P group: A*01:01P, hla_nom_p.txt:1',
        'rule: U2 uses the G group; without one, the P group (ping) -> A*01:01P, in place of its own A*01:335 (as in py-ard; with ping off it keeps its own)',
        'result: first two fields: A*01:01',
      ],
    ],
    [
      'U2',
      'A*02:01:01:02L',
      [
        'parse: allele: locus A, fields 02 01 01 02, expression letter L',
        'known: Allelelist.3580.txt:22',
        'rule: U2 gives two fields and the expression letter if an allele has that name',
        'result: A*02:01L',
      ],
    ],
    [
      'lgx',
      'A*69:CFFGM',
      [
        'parse: code: locus A, first field 69, letters CFFGM',
        'read as: MAC CFFGM = 32:15/69:01/69:02, filed under A*69',
        'expand: 3 of 3 names exist: A*32:15 A*69:01 A*69:02',
        'member: A*32:15 -> A*32:15: G group none: alone on hla_nom_g.txt:10',
        'member: A*69:01 -> A*69:01: G group A*69:01:01G through A*69:01:01:01, hla_nom_g.txt:38',
        'member: A*69:02 -> A*69:02: G group none: alone on hla_nom_g.txt:12',
        'result: of 3 together: A*32:15 A*69:01 A*69:02',
      ],
    ],
    [
      'lgx',
      'A*01:XX',
      [
        'parse: XX code: locus A, first field 01',
        'read as: XX code: every A*01',
        'expand: 9 two-field names: A*01:01 A*01:02 A*01:03 A*01:04 …, the first allele A*01:01:01:01',
        'member: A*01:01 -> A*01:01: G group A*01:01:01G through A*01:01:01:01, hla_nom_g.txt:1',
        'member: A*01:02 -> A*01:02: G group A*01:02:01G through A*01:02:01:01, hla_nom_g.txt:21',
        'member: A*01:03 -> A*01:03: G group A*01:03:01G through A*01:03:01:01, hla_nom_g.txt:22',
        'members: 6 more are reduced in the same way',
        'result: of 9 together: A*01:01 A*01:02 A*01:03',
      ],
    ],
    [
      'G',
      'C*10:XX',
      [
        'parse: XX code: locus C, first field 10',
        'read as: XX code: the broad family of C*03 C*04',
        'expand: 4 two-field names: C*03:03 C*04:01 C*04:59Q C*04:428Q, the first allele C*03:03:01:01',
        'note: C*10 covers C*03 and C*04, as py-ard has it; antigen Cw10 is a split of Cw3 alone',
        'member: C*03:03 -> C*03:03:01G: G group C*03:03:01G through C*03:03:01:01, hla_nom_g.txt:44',
        'member: C*04:01 -> C*04:01:01G: G group C*04:01:01G through C*04:01:01:01, hla_nom_g.txt:45',
        'member: C*04:59Q -> C*04:59:01G: G group C*04:59:01G, hla_nom_g.txt:46',
        'members: 1 more is reduced in the same way',
        'result: of 4 together: C*03:03:01G C*04:01:01G C*04:59:01G',
      ],
    ],
    [
      'P',
      'B*15:XX',
      [
        'parse: XX code: locus B, first field 15',
        'read as: XX code: every B*15',
        'expand: 1 two-field name: B*15:01, the first allele B*15:01:01:01',
        'member: B*15:01 -> B*15:01P: P group B*15:01P through B*15:01:01:01, hla_nom_p.txt:40',
        'result: of 1 together: B*15:01P',
      ],
    ],
    [
      'lgx',
      'A*01:01:999',
      [
        'parse: allele: locus A, fields 01 01 999',
        'known: A*01:01:999 is not listed; A*01:01 is (A*01:01:01:01), and further fields are not checked',
        'G group: none for A*01:01:999',
        'P group: none for A*01:01:999',
        'G group: A*01:01:01G through A*01:01:01:01, hla_nom_g.txt:1',
        'rule: lgx uses the G group; without one, the P group (ping), unless other alleles of A*01:01 have a G group -> A*01:01:01G',
        'result: first two fields: A*01:01',
      ],
    ],
    [
      'lgx',
      'A*0104',
      [
        'parse: name without colons: locus A, 0104',
        'read as: A*01:04:01:01N, an exception listed in old-names.csv',
        'known: Allelelist.3580.txt:14',
        'G group: A*01:01:01G, hla_nom_g.txt:1',
        'rule: lgx uses the G group -> A*01:01:01G',
        'result: first two fields: A*01:01',
      ],
    ],
    [
      'lgx',
      'DPA1*02:07',
      [
        'parse: allele: locus DPA1, fields 02 07',
        'known: short for 7 alleles, the first DPA1*02:07:01:01',
        'G group: DPA1*02:02:02G DPA1*02:07:01G; DPA1*02:02:02G through DPA1*02:07:04, hla_nom_g.txt:56',
        'rule: lgx uses the G group -> DPA1*02:02:02G DPA1*02:07:01G: the lowest two fields of them (as py-ard; G answers all of them)',
        'result: first two fields: DPA1*02:02',
      ],
    ],
    [
      'lgx',
      'A*02:17:01G',
      [
        'parse: G group: locus A, fields 02 17 01',
        'read as: A*02:17:02G, as G groups are named by their first member',
        'known: G group of 2 alleles (published as A*02:17:01G), hla_nom_g.txt:28',
        'G group: A*02:17:02G (published as A*02:17:01G) through A*02:17:02:01, hla_nom_g.txt:28',
        'rule: lgx uses the G group -> A*02:17:02G',
        'result: first two fields: A*02:17',
      ],
    ],
    [
      '1F',
      'A*01:01:01:01',
      [
        'parse: allele: locus A, fields 01 01 01 01',
        'known: Allelelist.3580.txt:2',
        'rule: 1F is the first field, the part before the first colon',
        'result: A*01',
      ],
    ],
  ] as const)('every step of %s of %s is told, in order', ([method, input, expected]) => {
    const { leaves } = explain(engine, citations, input, method)
    expect(leaves.map(({ steps }) => steps.map(({ title, text }) => `${title}: ${text}`))).toEqual([expected])
  })

  test('a step has the line that it cites', () => {
    const [leaf] = explain(engine, citations, 'A*69:01:01:01', 'S').leaves
    expect(leaf).toMatchObject({ leaf: 'A*69:01:01:01', result: 'A28/A69' })
    expect(
      leaf?.steps.map(({ citation }) => citation && [citation.file, citation.line, citation.text]),
    ).toEqual([
      undefined,
      ['Allelelist.3580.txt', 53, 'HLA51,A*69:01:01:01'],
      ['rel_ser_ser.txt', 6, 'A;28;68/69;'],
      ['rel_dna_ser.txt', 52, 'A*;69:01:01:01;69;;;'],
      undefined,
      undefined,
    ])
  })

  test('one name comes with its answers by the other methods, several with none', () => {
    expect(explain(engine, citations, 'A*01:04:01:01N', 'exon').other).toEqual({
      G: 'A*01:01:01G',
      P: 'A*01:04:01:01N',
      lg: 'A*01:01g',
      lgx: 'A*01:01',
      W: 'A*01:04:01:01N',
      U2: 'A*01:04N',
    })
    expect(explain(engine, citations, 'A*01:01+A*01:02', 'exon').other).toEqual({})
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
