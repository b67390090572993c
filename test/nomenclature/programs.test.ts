/** Names of programs that predict peptide binding: read without a release, and names that no program has. */
import { describe, expect, test } from 'vitest'
import { partnerOf, readNotation, spellNoted, writeMolecule } from '../../src/nomenclature/programs.ts'

describe('a name', () => {
  test.for([
    ['HLA-A02:01', 'HLA-A*02:01'],
    ['A02:01', 'A*02:01'],
    ['HLA-A0201', 'HLA-A*0201'],
    ['A0201', 'A*0201'],
    ['HLA-B15:123', 'HLA-B*15:123'],
    ['hla_a_02_01_01', 'A*02:01:01'],
    ['HLA_C_07_02', 'C*07:02'],
    ['Cw0702', 'C*0702'],
    ['DRB1_0101', 'DRB1*0101'],
    ['DRB10101', 'DRB1*0101'],
    ['HLA-DRB1_01_01', 'HLA-DRB1*01:01'],
    ['DPB10401', 'DPB1*0401'],
    ['DQA10501-DQB10201', 'DQA1*0501~DQB1*0201'],
    ['HLA-DQA10501-DQB10201', 'HLA-DQA1*0501~HLA-DQB1*0201'],
    ['DQA1*05:01-DQB1*02:01', 'DQA1*05:01~DQB1*02:01'],
    ['HLA-DPA10103-DPB10401', 'HLA-DPA1*0103~HLA-DPB1*0401'],
    ['dra0101-drb1_0101', 'DRA*0101~DRB1*0101'],
    [' A02_01 ', 'A*02:01'],
    ['a02:01', 'A*02:01'],
    ['cw0702', 'C*0702'],
    ['hla-a02:01', 'HLA-A*02:01'],
    ['hla_a_01_04n', 'A*01:04N'],
    ['HLA-DQA10501-HLA-DQB10201', 'HLA-DQA1*0501~HLA-DQB1*0201'],
    [' DQA10501/DQB10201 ', 'DQA1*0501~DQB1*0201'],
  ])('%s is %s', ([text = '', name]) => expect(readNotation(text)).toBe(name))

  test.for(['A*02:01', 'HLA-A*02:01', 'A2', 'A203', 'B15123', 'A*0201', 'DRB1', 'A_1', 'DQB10201-DQA10501', 'A0201-B0702', 'DR0401', '0201', 'DQA1*05:01', 'x A02:01', 'A02:01 x', 'DQA10501-A0201', 'A02x01', 'DQA10501xDQB10201', 'DQA10501-DQB10201 x', ''])(
    '%j is not written so',
    (text) => expect(readNotation(text)).toBeUndefined(),
  ) // prettier-ignore
})

describe('digits as the release knows them', () => {
  // the last one without colons, as a former release may have it
  const listed = ['DPB1*1001:01', 'DPB1*100:101', 'DPB1*1001:02', 'A*02:01', 'B*15:01', 'DPB1*100102']
  const spell = (name: string) =>
    spellNoted(
      name,
      (one) => listed.includes(one),
      (old) => (old === 'A*0201' ? 'A*02:01' : old),
    )

  test.for([
    ['HLA-A*01:01', 'HLA-A*01:01'],
    ['HLA-A*0201', 'HLA-A*02:01'],
    ['B*1501', 'B*15:01'],
    ['HLA-DPB1*100102', 'HLA-DPB1*1001:02'],
    // two divisions are listed
    ['DPB1*100101', undefined],
    ['A*9999', 'A*9999'],
  ] as const)('%s is %s', ([name, spelled]) => expect(spell(name)).toBe(spelled))

  test('a name with colons is no old name', () => {
    expect(
      spellNoted(
        'A*02:01',
        () => true,
        () => 'A*02:02',
      ),
    ).toBe('A*02:01')
  })
})

test.for([
  ['A*02:01', 'HLA-A02:01'],
  ['B*07:02:01', 'HLA-B07:02'],
  ['C*07:02', 'HLA-C07:02'],
  ['E*01:01', 'HLA-E01:01'],
  ['F*01:01', 'HLA-F01:01'],
  ['G*01:01', 'HLA-G01:01'],
  ['DRB1*15:01', 'DRB1_1501'],
  ['DRB3*01:01', 'DRB3_0101'],
  ['DRB4*01:03L', 'DRB4_0103L'],
  ['DRB5*01:01', 'DRB5_0101'],
  ['DQA1*05:01~DQB1*02:01', 'HLA-DQA10501-DQB10201'],
  ['DPA1*01:03~DPB1*04:01', 'HLA-DPA10103-DPB10401'],
] as const)('the molecule of %s is %s', ([chains, molecule]) => {
  expect(writeMolecule(chains.split('~'), 'netmhcpan')).toBe(molecule)
})

test('the partner of a first chain is the second', () => {
  expect(['DQA1', 'DPA1', 'DQB1', 'DPB1', 'DRB1', 'DMA1', 'A'].map(partnerOf)).toEqual([
    'DQB1',
    'DPB1',
    ...Array<undefined>(5).fill(undefined),
  ])
})

describe('a name without a molecule', () => {
  test.for([
    ['A*02:01:01G', 'only alleles of two fields or more name a protein'],
    ['hA*02:01', 'only alleles of two fields or more name a protein'],
    ['A*:01', 'only alleles of two fields or more name a protein'],
    ['A*02', 'only alleles of two fields or more name a protein'],
    ['A*02:01:01:02N', 'a null allele makes no protein'],
    ['MICA*002:01', 'it has no molecules of MICA'],
    ['DQA1*05:01', 'it names molecules of two chains, such as DQA1*05:01~DQB1*02:01'],
    ['DQB1*02:01', 'it names molecules of two chains, such as DQA1*05:01~DQB1*02:01'],
    ['DPA1*01:03', 'it names molecules of two chains, such as DQA1*05:01~DQB1*02:01'],
    ['DPB1*04:01', 'it names molecules of two chains, such as DQA1*05:01~DQB1*02:01'],
    ['DQB1*02:01~DQA1*05:01', 'two genes make one molecule only as DQA1 and DQB1, or DPA1 and DPB1'],
    ['DQA1*05:01~DPB1*04:01', 'two genes make one molecule only as DQA1 and DQB1, or DPA1 and DPB1'],
  ] as const)('%s: %s', ([chains, message]) => {
    const error = errorIn(() => writeMolecule(chains.split('~'), 'netmhcpan'))
    expect(error).toMatchObject({ message, lacksPartner: message.startsWith('it names') })
  })
})

test.for(['DRB1*15:01', 'DQA1*05:01', 'DQA1*05:01~DQB1*02:01'])(
  'a program of class I has no molecule of %s',
  (chains) => {
    const error = errorIn(() => writeMolecule(chains.split('~'), 'mhcflurry'))
    expect(error).toMatchObject({ message: 'it knows molecules of class I only', lacksPartner: false })
  },
)

function errorIn(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
