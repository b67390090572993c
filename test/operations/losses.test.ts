/** Names that an answer loses, members of codes and expression letters: every operation says so. */
import { describe, expect, test } from 'vitest'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { redux } from '../../src/engine/redux.ts'
import { publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('renamed members of codes', () => {
  const knowledge = () =>
    makeKnowledge({ release: realRelease('3580'), mac: realMacs(), history: publishedHistory })
  const ask = (operation: string, input: object) => localExecutor(knowledge()).execute(operation, input)

  test('a warning where the answer changes by one', () => {
    const engine = knowledge().engine()
    expect(redux(engine, 'B*14:CAVKT', 'U2')).toMatchObject({
      text: 'B*14:01/B*14:81',
      notes: [
        {
          level: 'warning',
          code: 'renamed-member',
          offending: 'B*14:CAVKT',
          message: 'B*14:78N is B*14:78 now, and is left out of B*14:CAVKT',
          losses: [{ name: 'B*14:78N', kind: 'renamed', present: ['B*14:78'] }],
        },
      ],
    })
    // the answer by 1F is B*14 with or without it
    expect(redux(engine, 'B*14:CAVKT', '1F').notes).toEqual([])
  })

  test('mac and validate always name them', () => {
    expect(ask('validate', { gl_string: 'B*07:02+B*14:CAVKT' })).toMatchObject({
      valid: true,
      notes: [{ code: 'renamed-member', position: [8, 18] }],
    })
    expect(ask('mac', { gl_string: 'B*14:CAVKT' })).toMatchObject({ notes: [{ code: 'renamed-member' }] })
  })

  test('explain names them, whatever the method', () => {
    const asked = { gl_string: 'B*14:CAVKT', reduction_method: '1F' }
    expect(JSON.stringify(ask('explain', asked))).toContain('B*14:78N is B*14:78 now, and is left out')
  })

  test('it is read so by every method', () => {
    const engine = knowledge().engine()
    // CCMS is 03/59, and C*04:59 is C*04:59Q
    expect(redux(engine, 'C*04:CCMS', 'U2')).toMatchObject({
      text: 'C*04:03',
      notes: [{ level: 'warning', code: 'renamed-member' }],
    })
    expect(redux(engine, 'C*04:CCMS', '1F').text).toBe('C*04')
  })

  test('members that never were names are passed over', () => {
    expect(ask('validate', { gl_string: 'A*01:AB' })).not.toHaveProperty('notes')
    // A*01:584 was never a name, and A*0105N was retired before the first list
    for (const [gl_string, ard, name] of [
      ['A*01:ANMUF', 'A*01:11N/A*01:69', 'A*01:11'],
      ['A*01:AUJB', 'A*01:56N', 'A*01:56'],
    ])
      expect(ask('redux', { gl_string, reduction_method: 'U2', lift: true })).toMatchObject({
        ard,
        notes: [{ losses: [{ name }] }],
      })
  })

  describe('with lift', () => {
    const lifted = (operation: string, input: object) => ask(operation, { ...input, lift: true })
    const read = (member: string, name: string, code: string, position: readonly number[]) => ({
      level: 'note',
      code: 'renamed-member',
      message: `${member} is ${name} now, and is read so in ${code}`,
      position,
      losses: [{ name: member, kind: 'renamed', present: [name], lifted: true }],
    })

    test('members are read by their present names, each told where it changes the answer', () => {
      const text = 'HLA-B*14:CAVKT/B*14:02+B*14:01^C*04:CCMS'
      expect(lifted('redux', { gl_string: text, reduction_method: 'U2' })).toMatchObject({
        ard: 'B*14:01+HLA-B*14:01/B*14:02/HLA-B*14:78/HLA-B*14:81^C*04:03/C*04:59Q',
        notes: [
          read('B*14:78N', 'B*14:78', 'B*14:CAVKT', [0, 14]),
          read('C*04:59', 'C*04:59Q', 'C*04:CCMS', [31, 40]),
        ],
      })
      const one = { gl_string: 'B*14:CAVKT', reduction_method: '1F' }
      expect(lifted('redux', one)).toMatchObject({ ard: 'B*14' })
      expect(lifted('redux', one)).not.toHaveProperty('notes')
    })

    test('a name of another length before the code moves no place', () => {
      expect(lifted('redux', { gl_string: 'A*24:459:02+B*14:CAVKT', reduction_method: 'U2' })).toMatchObject({
        notes: expect.arrayContaining([
          expect.objectContaining(read('B*14:78N', 'B*14:78', 'B*14:CAVKT', [12, 22])),
        ]),
      })
    })

    test('a code of renamed members alone has an answer', () => {
      const asked = { gl_string: 'A*01:CVR', reduction_method: 'U2' }
      expect(() => ask('redux', asked)).toThrow('leaves no valid allele')
      expect(lifted('redux', asked)).toMatchObject({ ard: 'A*01:15N/A*01:16N' })
      expect(lifted('validate', asked)).toMatchObject({ valid: true })
      expect(JSON.stringify(lifted('explain', asked))).toContain('A*01:15 is A*01:15N now, and is read so')
    })

    test('mac and cwd read them so', () => {
      expect(lifted('mac', { gl_string: 'B*14:CAVKT' })).toMatchObject({
        alleles: ['B*14:01', 'B*14:81', 'B*14:78'],
        notes: [{ code: 'renamed-member', message: 'B*14:78N is B*14:78 now, and is read so in B*14:CAVKT' }],
      })
      expect(lifted('mac', { gl_string: 'A*01:CVR' })).toMatchObject({ alleles: ['A*01:15N', 'A*01:16N'] })
      expect(lifted('cwd', { gl_string: 'B*14:CAVKT' })).toMatchObject({
        cwd: 'B*14:01',
        notes: [{ code: 'renamed-member' }],
      })
      expect(lifted('cwd', { gl_string: 'B*14:CAVKT', category: true })).toMatchObject({
        names: ['B*14:01', 'B*14:81', 'B*14:78'].map((name) => ({ name })),
        notes: [{ code: 'renamed-member' }],
      })
    })

    test('what is asked without it is answered as before, whichever came first', () => {
      const executor = localExecutor(knowledge())
      const asked = { gl_string: 'B*14:CAVKT', reduction_method: 'U2' }
      for (const [lift, ard] of [
        [true, 'B*14:01/B*14:78/B*14:81'],
        [false, 'B*14:01/B*14:81'],
        [true, 'B*14:01/B*14:78/B*14:81'],
      ] as const)
        // prettier-ignore
        expect(executor.execute('redux', { ...asked, lift })).toMatchObject({ ard })
    })
  })

  describe('with from, codes are read by that release', () => {
    const of = (operation: string, gl_string: string, more: object = {}) =>
      ask(operation, { gl_string, from: '3.29.0', ...more })
    const U2 = { reduction_method: 'U2' }

    test.for([
      // A*43:02N and A*43:03 are later
      ['A*43:XX', 'A*43:01'],
      ['hla#3.29.0#A*43:XX', 'A*43:01'],
      ['DPB1*02:BDMBP', 'DPB1*02:01'],
      // A*30:100, a member, was A*30:02:12, and is another allele now
      [
        'A*30:CBWDN',
        'A*30:02/A*30:32/A*30:33/A*30:47/A*30:50/A*30:51/A*30:64/A*30:67/A*30:68/A*30:70N/A*30:101Q/A*30:107/A*30:119',
      ],
      // at loci without groups, too, where a first field could be a name
      ['MICA*002:AB', 'MICA*002:01/MICA*002:02'],
      ['MICB*003:XX', 'MICB*003:01'],
    ] as const)('redux of %s', ([gl_string, ard]) => {
      expect(of('redux', gl_string, U2)).toMatchObject({ ard })
    })

    test('a renamed name of a family is read as its present one, and said', () => {
      expect(of('redux', 'C*03:XX', U2)).toMatchObject({
        ard: expect.stringMatching(/^C\*01:169\/.*C\*03:23N\//) as string,
        notes: [
          {
            level: 'note',
            code: 'renamed-member',
            losses: [
              { name: 'C*03:23', kind: 'renamed', present: ['C*03:23N'], lifted: true },
              { name: 'C*03:99', kind: 'renamed', present: ['C*01:169'], lifted: true },
            ],
          },
        ],
      })
    })

    test('mac, cwd, validate, match and explain, too', () => {
      expect(of('mac', 'A*43:XX', { xx: true })).toMatchObject({ alleles: ['A*43:01'] })
      const later = {
        code: 'later-member',
        losses: [{ name: 'DPB1*678:01', kind: 'later', since: '3.30.0' }],
      }
      for (const operation of ['mac', 'cwd', 'validate'])
        expect(of(operation, 'DPB1*02:BDMBP')).toMatchObject({ notes: [later] })
      expect(of('validate', 'A*43:XX', { nulls: true })).toMatchObject({ nulls: [] })
      expect(of('explain', 'A*43:XX')).toMatchObject({ ard: 'A*43:01' })
      expect(
        ask('match', { patient: 'A*43:XX+A*43:XX', donor: 'A*43:01+A*43:01', from: '3.29.0' }),
      ).toMatchObject({
        loci: [{ verdict: 'match' }],
      })
      expect(ask('match', { patient: 'A*43:XX+A*43:XX', donor: 'A*43:01+A*43:01' })).toMatchObject({
        loci: [{ verdict: 'potential' }],
      })
    })

    test('an unknown release, a family that it lacks, and codes of two releases are refused', () => {
      expect(() => ask('redux', { gl_string: 'A*43:XX', from: '3.99.0' })).toThrow('no release 3.99.0')
      expect(() => of('redux', 'MICA*300:XX')).toThrow('there is no MICA*300 in IPD-IMGT/HLA 3.29.0')
      const [patient, donor] = ['hla#3.29.0#HLA-A*43:XX', 'hla#3.58.0#HLA-A*43:XX']
      expect(() => ask('match', { patient, donor })).toThrow('of different releases')
    })
  })

  describe('members that only a later release has', () => {
    const early = () =>
      localExecutor(
        makeKnowledge({ release: realRelease('3290'), mac: realMacs(), history: publishedHistory }),
      )
    const later = {
      level: 'warning',
      code: 'later-member',
      message: 'DPB1*678:01 is first named in 3.30.0, and is left out of DPB1*02:BDMBP',
      losses: [{ name: 'DPB1*678:01', kind: 'later', since: '3.30.0' }],
    }
    const asked = { gl_string: 'DPB1*02:BDMBP' }

    test.for(['redux', 'mac', 'cwd', 'validate'])('%s names them', (operation) => {
      expect(early().execute(operation, asked)).toMatchObject({ notes: [later] })
    })

    test('ard and explain name them', () => {
      expect(early().execute('ard', { allele: 'DPB1*02:BDMBP' })).toMatchObject({ notes: [later] })
      expect(JSON.stringify(early().execute('explain', asked))).toContain('first named in 3.30.0')
    })

    test('the first field is the same with or without them', () => {
      expect(early().execute('redux', { ...asked, reduction_method: '1F' })).toMatchObject({
        ard: 'DPB1*02',
        notes: [later],
      })
      expect(early().execute('redux', { gl_string: 'DPB1*02:BDMBP', reduction_method: 'U2' })).toMatchObject({
        notes: [later],
      })
    })
  })

  test('a number that the family never had is no loss of a generic code, but of one that lists alleles', () => {
    expect(ask('redux', { gl_string: 'B*44:AB' })).toMatchObject({ ard: 'B*44:02' })
    for (const operation of ['redux', 'mac', 'cwd', 'validate'])
      // B*4401 was retired before 2010
      expect(ask(operation, { gl_string: 'B*44:AB' })).not.toHaveProperty('notes')
    expect(ask('mac', { gl_string: 'A*02:BDMBP' })).toMatchObject({
      notes: [{ code: 'unknown-member', losses: [{ name: 'A*678:01', kind: 'unknown' }] }],
    })
  })

  test('a member whose alleles another member has is no loss', () => {
    // A*24:02Q too has alleles, so A*24:02L is no name of two fields
    const asked = { gl_string: 'A*24:DXTW' }
    // and A*24:02, another member, holds A*24:02:01:02L
    for (const operation of ['mac', 'redux', 'validate'])
      expect(ask(operation, asked)).not.toHaveProperty('notes')
    expect(ask('redux', { ...asked, reduction_method: 'W', lift: true })).toMatchObject({
      ard: expect.stringContaining('A*24:02:01:02L') as string,
    })
  })

  test('cwd says which members a code loses, and which letters lgx drops', () => {
    expect(ask('cwd', { gl_string: 'B*14:CAVKT' })).toMatchObject({
      notes: [{ code: 'renamed-member', position: [0, 10] }],
    })
    expect(ask('cwd', { gl_string: 'A*02:01/A*01:01:01:02N' })).toMatchObject({
      cwd: 'A*01:01/A*02:01',
      notes: [
        {
          level: 'note',
          code: 'expression-lost',
          position: [8, 22],
          losses: [{ name: 'A*01:01:01:02N', kind: 'letter' }],
        },
      ],
    })
  })

  describe('an unlisted name without a letter, below two fields that only null alleles have', () => {
    const losses = ['A*01:04:01:01N', 'A*01:04:01:02N'].map((name) => ({ name, kind: 'letter' }))
    const lost = { level: 'note', code: 'expression-lost', losses }

    test.for([
      ['lgx', 'A*01:01', [lost]],
      ['lg', 'A*01:04g', [lost]],
      ['1F', 'A*01', [lost]],
      // the names that validation warns of
      ['U2', 'A*01:04', []],
      ['G', 'A*01:04:99', []],
      ['P', 'A*01:04:99', []],
      ['W', 'A*01:04:99', []],
      ['exon', 'A*01:04:99', []],
    ] as const)('by %s', ([reduction_method, ard, more]) => {
      expect(ask('redux', { gl_string: 'A*01:04:99', reduction_method })).toMatchObject({
        ard,
        notes: [{ code: 'unlisted-fields' }, ...more],
      })
    })

    test('has no antigen, and is an empty place of match', () => {
      const antigen = { gl_string: 'A*01:04:99', reduction_method: 'S' }
      expect(() => ask('redux', antigen)).toThrow('no known antigen')
      for (const name of ['A*01:04:99', 'A*01:04N'])
        expect(ask('match', { patient: `${name}+A*02:01`, donor: 'A*01:01+A*02:01' })).toMatchObject({
          loci: [{ verdict: 'mismatch', gvh: [0, 0], hvg: [1, 1] }],
        })
    })

    test('is told wherever lgx answers with another name', () => {
      const engine = knowledge().engine()
      const { release } = engine
      let count = 0
      for (let id = 0; id < release.size; id += 1) {
        const name = release.nameOf(id)
        if (!/^(?!MIC)[^:]+:\d+$/.test(name) || release.listOf('shortNull', `${name}N`) === undefined)
          continue
        if (release.listOf('who', name)?.every((one) => one.endsWith('N')) !== true) continue
        count += 1
        const { text, notes } = redux(engine, `${name}:99`, 'lgx')
        expect({ name, codes: notes.map(({ code }) => code) }).toEqual({
          name,
          codes: ['unlisted-fields', ...(text === name ? [] : ['expression-lost'])],
        })
      }
      expect(count).toBeGreaterThan(20)
    })
  })
})
