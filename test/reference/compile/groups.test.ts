/** G and P group files -> reduction tables. */
import { describe, expect, test } from 'vitest'
import { compileGGroups, compilePGroups } from '../../../src/reference/compile/groups.ts'
import { parseGroups } from '../../../src/reference/sources/groups.ts'

const G = `
A*;01:01:01:01/01:01:01:02N/01:04:01:01N;01:01:01G
A*;01:01:02;
A*;02:01:01:01/02:01:05;02:01:01G
A*;02:01:02:01/02:09;02:01:02G
A*;02:17:02:01/02:17:02:02;02:17:01G
A*;11:403N/11:441;11:403:01G
DPA1*;02:02:02:01;02:02:02G
DPA1*;02:07:01:01/02:12:01;02:07:01G
DPA1*;02:02:03/02:07:04;02:02:03G
`
const P = `
A*;01:01:01:01/01:01:02/01:335;01:01P
A*;02:16/02:131:02;02:16P
A*;99:01:01/99:02;99:01P
A*;03:21N;
`

describe('compileGGroups', () => {
  const { g, gDuplicates, lgx, exon, aliases, members, twoFieldMembers } = compileGGroups(parseGroups(G))

  test.for([
    ['A*01:01:01:01', 'A*01:01:01G'],
    ['A*01:01:01', 'A*01:01:01G'],
    ['A*01:01', 'A*01:01:01G'],
    ['A*01:04', 'A*01:01:01G'],
    ['A*02:01', 'A*02:01:02G'],
    ['A*11:441', 'A*11:403:01G'],
    ['A*01:01:02', undefined],
  ] as const)('%s is in %s', ([name, group]) => {
    expect(g.get(name)).toBe(group)
  })

  test('a name in several groups has them all', () => {
    expect(Object.fromEntries(gDuplicates)).toEqual({
      'A*02:01': ['A*02:01:01G', 'A*02:01:02G'],
      'DPA1*02:07': ['DPA1*02:02:03G', 'DPA1*02:07:01G'],
      'DPA1*02:02': ['DPA1*02:02:02G', 'DPA1*02:02:03G'],
    })
  })

  test.for([
    ['A*02:01', 'A*02:01'],
    ['A*02:09', 'A*02:01'],
    ['A*11:403N', 'A*11:403'],
    ['DPA1*02:07', 'DPA1*02:02'],
    ['DPA1*02:07:01:01', 'DPA1*02:07'],
    ['DPA1*02:07:04', 'DPA1*02:02'],
  ] as const)('lgx of %s is %s: the lowest of several, only for two fields', ([name, short]) => {
    expect(lgx.get(name)).toBe(short)
  })

  test('a group is named after its first member; the published name is kept beside it', () => {
    expect(aliases).toEqual({ 'A*02:17:01G': 'A*02:17:02G' })
    expect(members.get('A*02:17:02G')).toEqual(['A*02:17:02:01', 'A*02:17:02:02'])
  })

  test('exon is three fields, of members only', () => {
    expect(exon.get('A*01:04:01:01N')).toBe('A*01:04:01')
    expect(exon.get('A*11:403N')).toBe('A*11:403N')
    expect(exon.get('A*01:01:02')).toBeUndefined()
    expect(twoFieldMembers.has('A*01:04')).toBe(true)
  })
})

describe('compilePGroups', () => {
  const { p, pNotG, members } = compilePGroups(parseGroups(P), new Set(['A*01:01', 'A*02:16']))

  test.for([
    ['A*01:01', 'A*01:01P'],
    ['A*01:335', 'A*01:01P'],
    ['A*02:131:02', 'A*02:16P'],
    ['A*02:131', 'A*02:16P'],
    ['A*03:21N', undefined],
  ] as const)('%s is in %s', ([name, group]) => {
    expect(p.get(name)).toBe(group)
  })

  test('members whose two fields are in no G group lead to the P group by their full name', () => {
    expect(Object.fromEntries(pNotG)).toEqual({
      'A*01:335': 'A*01:01',
      'A*02:131:02': 'A*02:16',
      'A*99:01:01': 'A*99:01',
      'A*99:02': 'A*99:01',
    })
    expect(members.get('A*99:01P')).toEqual(['A*99:01:01', 'A*99:02'])
  })
})
