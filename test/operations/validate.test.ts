/** The output of validate as records and as lines. */
import { describe, expect, test } from 'vitest'
import { cellVerdict } from '../../src/operations/answers/verdict.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { HlaError } from '../../src/errors.ts'
import { cwdOperation } from '../../src/operations/questions/cwd.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { errorOf } from '../support/errors.ts'
import { smallMacs, smallRelease } from '../support/small-release.ts'

describe.skipIf(!hasShared)('validateOperation', () => {
  const run = (gl_string: string) =>
    validateOperation.run({ gl_string }, makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))

  test('answers as the service does', () => {
    expect(run('A*01:01+A*99:99')).toEqual({
      gl_string: 'A*01:01+A*99:99',
      valid: false,
      malformed: false,
      verdict: 'unknown',
      names: [
        {
          name: 'A*99:99',
          position: [8, 15],
          verdict: 'unknown',
          code: 'unknown-allele',
          message: 'A*99:99 is not a valid Allele',
          suggestions: [],
        },
      ],
      message: 'Provided GL String is invalid: A*01:01+A*99:99',
      cause: 'A*99:99 is not a valid Allele',
      code: 'unknown-allele',
      position: [8, 15],
      suggestions: [],
      problems: [
        expect.objectContaining({ code: 'unknown-allele', offending: 'A*99:99', position: [8, 15] }),
      ],
    })
    expect(run('A*01:01')).toEqual({ gl_string: 'A*01:01', valid: true, malformed: false, verdict: 'valid' })
  })

  test('malformed wins, and gives the code and place', () => {
    const answer = run('A*99:99+A**01:01')
    expect(answer).toMatchObject({
      malformed: true,
      code: 'bad-syntax',
      position: [10, 11],
      cause: 'a name has only one "*"',
    })
    expect(answer.problems).toHaveLength(2)
  })

  test('unlisted fields have a verdict of their own, in every form', () => {
    const answer = run('A*01:01:999')
    expect(answer).toMatchObject({ valid: true, unlisted: true, notes: [{ code: 'unlisted-fields' }] })
    expect(validateOperation.http.statusOf?.(answer)).toBe(200)
    expect(cellVerdict(answer)).toEqual({
      results: [
        'unlisted',
        'unlisted-fields',
        'A*01:01:999 is not listed in 3.58.0; it is read by its first two fields, A*01:01',
        '',
      ],
      kind: 'unlisted',
    })
  })

  test.for([
    [{ options: { exact: true } }, 'unknown\tA*01:01:999 is not a valid Allele'],
    [{ level: 'grammar' }, 'valid'],
  ] as const)('%j: %s', ([asked, line]) => {
    const knowledge = makeKnowledge({ release: realRelease('3580'), mac: realMacs() })
    const answer = validateOperation.run({ gl_string: 'A*01:01:999', ...asked }, knowledge)
    expect(validateOperation.toText(answer)).toBe(line)
  })

  test.for([
    ['A*01:01', 'valid', false],
    [
      'A*01:01:999',
      'unlisted\tA*01:01:999 is not listed in 3.58.0; it is read by its first two fields, A*01:01',
      false,
    ],
    ['DRB3*NNNN', 'absent\tDRB3*NNNN: the gene is absent', false],
    ['A*01:01+A*99:99', 'unknown\tA*99:99 is not a valid Allele', true],
    [
      'A*01:01+A*02:01^B*07:02/07:06+B*08:01^',
      'malformed\tlocus missing in "07:06"; nothing after the last "^"',
      true,
    ],
  ] as const)('%s is %s', ([text, line, negative]) => {
    const answer = run(text)
    expect(validateOperation.toText(answer)).toBe(line)
    expect(validateOperation.isNegative?.(answer)).toBe(negative)
  })
})

describe('in a small release', () => {
  const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })
  const run = (gl_string: string, asked = {}) => validateOperation.run({ gl_string, ...asked }, knowledge)
  const { table, cells, http, brief } = validateOperation

  test('the null alleles that a typing may be stand behind its verdict', () => {
    const asked = { gl_string: 'A*01:01+A*43:XX', nulls: true }
    const answer = run(asked.gl_string, asked)
    expect(answer).toEqual({
      gl_string: 'A*01:01+A*43:XX',
      valid: true,
      malformed: false,
      verdict: 'valid',
      nulls: ['A*01:01:01:02N', 'A*43:02N'],
    })
    expect(validateOperation.toText(answer)).toBe('valid\tA*01:01:01:02N/A*43:02N')
    expect(cells?.outcome(answer, asked)).toEqual({
      results: ['valid', 'A*01:01:01:02N/A*43:02N', '', '', ''],
      kind: 'valid',
    })
    expect(table?.row(answer, asked)).toEqual(['A*01:01+A*43:XX', 'valid', 'ok', '', '', '', 'A*01:01:01:02N/A*43:02N']) // prettier-ignore
    expect(table?.row(answer, { gl_string: '' })).toHaveLength(6)
  })

  test('columns are those that were asked for', () => {
    const columns = table?.columns as (input: object) => readonly string[]
    const of = cells?.columns as (input: object) => readonly string[]
    const own = ['input', 'verdict', 'status', 'code', 'message', 'suggestion']
    expect([columns({}), columns({ nulls: true }), columns({ accession: true, nulls: true })]).toEqual([
      own,
      [...own, 'nulls'],
      [...own, 'accession', 'nulls'],
    ])
    expect([of({}), of({ accession: true, nulls: true }), cells?.detailColumns]).toEqual([
      ['verdict'],
      ['verdict', 'accession', 'nulls'],
      ['code', 'message', 'suggestion'],
    ])
  })

  test('every wrong name is told, each cause once, and the first decides', () => {
    const answer = run('A*01:01+A*99:99/A*99:99^B*99:01')
    const wrong = (name: string, position: number[]) => ({ name, position, verdict: 'unknown', code: 'unknown-allele', message: `${name} is not a valid Allele`, suggestions: [] }) // prettier-ignore
    expect(answer).toMatchObject({
      verdict: 'unknown',
      names: [wrong('A*99:99', [8, 15]), wrong('A*99:99', [16, 23]), wrong('B*99:01', [24, 31])],
      message: 'Provided GL String is invalid: A*01:01+A*99:99/A*99:99^B*99:01',
      cause: 'A*99:99 is not a valid Allele; B*99:01 is not a valid Allele',
      code: 'unknown-allele',
      position: [8, 15],
    })
    expect(table?.row(answer, { gl_string: '' })).toEqual([
      'A*01:01+A*99:99/A*99:99^B*99:01',
      'unknown',
      'error',
      'unknown-allele',
      'A*99:99 is not a valid Allele; B*99:01 is not a valid Allele',
      '',
    ])
    expect(cells?.outcome(answer, { gl_string: '' }).fault).toMatchObject({
      code: 'unknown-allele',
      message: 'A*99:99 is not in IPD-IMGT/HLA 3.58.0; B*99:01 is not in IPD-IMGT/HLA 3.58.0',
      offending: 'A*99:99',
    })
  })

  test('a malformed text says so before what is unknown in it', () => {
    const answer = run('A*01:01+A*99:99^')
    expect(answer).toMatchObject({
      malformed: true,
      verdict: 'malformed',
      message: 'Provided GL String is malformed: A*01:01+A*99:99^',
      cause: 'nothing after the last "^"',
      position: [15, 16],
    })
    expect(answer.names?.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['A*99:99', 'unknown'],
      ['^', 'malformed'],
    ])
    expect([run('A*01:01'), run('A*99:99'), answer].map((one) => http.statusOf?.(one))).toEqual([
      200, 404, 400,
    ])
    expect([run('A*01:01'), run('A*99:99')].map((one) => http.plain?.(one))).toEqual(['true', 'false'])
  })

  test('the copies of a person are checked, unless they are not to be', () => {
    const text = 'A*01:01+A*02:01+A*03:01'
    const message = '"+" joins 3 copies; a person has two of each locus'
    const answer = run(text)
    expect(answer.notes).toEqual([{ level: 'warning', code: 'three-copies', message, position: [0, 23] }])
    expect(cells?.outcome(answer, { gl_string: text })).toEqual({
      results: ['valid', 'three-copies', message, ''],
      kind: 'valid',
    })
    expect(run(text, { no_plausibility: true })).not.toHaveProperty('notes')
    const checks = [{}, { no_plausibility: true }, { level: 'grammar' }, { level: 'strict' }] as const
    expect(checks.map((asked) => cells?.checksPersons?.({ gl_string: '', ...asked }))).toEqual([true, false, false, true]) // prettier-ignore
    expect([brief?.(run('A*01:01')), brief?.(answer), brief?.(run('A*99:99'))]).toEqual([
      true,
      undefined,
      undefined,
    ])
  })

  test('a warning about a row stands where the verdict has no reason', () => {
    const warning = { level: 'warning', code: 'three-copies', message: 'three' } as const
    const warned = (results: readonly string[], asked = {}) => cells?.warned?.(results, warning, { gl_string: '', ...asked }) // prettier-ignore
    expect(warned(['valid', '', '', ''])).toEqual(['valid', 'three-copies', 'three', ''])
    expect(warned(['valid', 'HLA00001', '', '', ''], { accession: true })).toEqual(['valid', 'HLA00001', 'three-copies', 'three', '']) // prettier-ignore
    expect(warned(['absent', 'absent-gene', 'no gene', ''])).toEqual(['absent', 'absent-gene', 'no gene', ''])
  })

  test('a cell that is no typing of its column has a verdict, unless it is undecided', () => {
    const failed = (code: 'locus-mismatch' | 'unknown-allele' | 'starter', asked = {}) =>
      cells?.failed?.(new HlaError(code, 'why', { offending: 'x', suggestions: ['a', 'b'] }), { gl_string: '', ...asked }) // prettier-ignore
    expect(failed('locus-mismatch', { nulls: true })).toMatchObject({
      results: ['malformed', '', 'locus-mismatch', 'why', 'a b'],
      kind: 'malformed',
    })
    expect(failed('unknown-allele')).toMatchObject({
      results: ['unknown', 'unknown-allele', 'x is not a valid Allele', 'a b'],
      kind: 'unknown',
    })
    expect(failed('starter')).toBeUndefined()
  })

  test.for([
    [200, { valid: true }, { gl_string: 'x', valid: true, malformed: false }],
    [
      404,
      { valid: false, message: 'no' },
      { gl_string: 'x', valid: false, malformed: false, message: 'no', cause: 'no' },
    ],
    [
      400,
      { valid: false, message: 'no', cause: 'why' },
      { gl_string: 'x', valid: false, malformed: true, message: 'no', cause: 'why' },
    ],
    [404, { valid: false, malformed: true, more: 1 }, { valid: false, malformed: true, more: 1 }],
    [200, { valid: 'true' }, undefined],
    [500, { valid: true }, undefined],
    [200, [true], undefined],
  ] as const)('a reply %i with %j of another service', ([status, body, answer]) => {
    expect(http.fromReply?.({ status, body }, { gl_string: 'x' })).toEqual(answer)
  })

  describe('cwd', () => {
    const keep = (gl_string: string, asked = {}) => cwdOperation.run({ gl_string, ...asked }, knowledge)
    const faces = (answer: ReturnType<typeof keep>, asked = {}) => {
      const input = { gl_string: '', ...asked }
      const columns = cwdOperation.cells?.columns as (input: object) => readonly string[]
      const details = cwdOperation.cells?.detailColumns as (input: object) => readonly string[]
      return {
        text: cwdOperation.toText(answer),
        columns: [...columns(input), ...details(input)],
        results: cwdOperation.cells?.outcome(answer, input).results,
        row: cwdOperation.table?.row(answer, input),
      }
    }

    test('keeps what is listed, with its code, and says what it drops', () => {
      const answer = keep('A*01:01/A*01:02/A*99:99')
      expect(answer).toEqual({
        gl_string: 'A*01:01/A*01:02/A*99:99',
        cwd: 'A*01:01/A*01:02',
        cwd_mac: 'A*01:AB',
        catalogue: 'CWD 2.0.0',
        dropped: ['A*99:99'],
        notes: [
          {
            level: 'note',
            code: 'unknown-allele',
            message: 'A*99:99 is not in IPD-IMGT/HLA 3.58.0',
            offending: 'A*99:99',
            position: [16, 23],
          },
        ],
      })
      expect(faces(answer)).toEqual({
        text: 'A*01:01/A*01:02\tA*01:AB',
        columns: ['cwd', 'cwd_mac', 'dropped', 'catalogue'],
        results: ['A*01:01/A*01:02', 'A*01:AB', 'A*99:99', 'CWD 2.0.0'],
        row: undefined,
      })
      const bare = keep('A*01:01/A*01:02', { no_mac: true })
      expect(bare).toEqual({ gl_string: 'A*01:01/A*01:02', cwd: 'A*01:01/A*01:02', cwd_mac: '', catalogue: 'CWD 2.0.0' }) // prettier-ignore
      expect(faces(bare, { no_mac: true })).toMatchObject({
        columns: ['cwd', 'dropped', 'catalogue'],
        results: ['A*01:01/A*01:02', '', 'CWD 2.0.0'],
      })
    })

    test('says how common each name is', () => {
      const asked = { category: true }
      const answer = keep('A*01:01+A*43:01', asked)
      expect(answer).toEqual({
        gl_string: 'A*01:01+A*43:01',
        cwd: 'A*01:01+A*43:01',
        cwd_mac: '',
        catalogue: 'CWD 2.0.0',
        names: [
          { name: 'A*01:01', position: [0, 7], category: 'CWD' },
          { name: 'A*43:01', position: [8, 15], category: 'CWD' },
        ],
      })
      expect(faces(answer, asked)).toEqual({
        text: 'A*01:01\tCWD\nA*43:01\tCWD',
        columns: ['category', 'categories', 'catalogue'],
        results: ['CWD', 'A*01:01=CWD A*43:01=CWD', 'CWD 2.0.0'],
        row: ['A*01:01+A*43:01', 'CWD', 'A*01:01=CWD A*43:01=CWD', 'CWD 2.0.0', 'ok', '', ''],
      })
    })

    test('has a column for each population', () => {
      const columns = cwdOperation.table?.columns as (input: object) => readonly string[] | undefined
      expect(columns({ category: true, populations: ['TOTAL', 'EURO'] })).toEqual([
        'input', 'category', 'category_EURO', 'categories', 'catalogue', 'status', 'code', 'message',
      ]) // prettier-ignore
      expect(columns({ populations: ['EURO'] })).toBeUndefined()
      const names = [
        { name: 'A*01:01', position: [0, 7], category: 'C', populations: { AFA: 'C', EURO: 'I' } },
        { name: 'A*43:01', position: [8, 15], category: 'R', populations: { AFA: 'WD', EURO: 'R' } },
        { name: 'A*99:99', position: [16, 23], category: 'none' },
      ] as const
      const answer = { gl_string: 'x', cwd: '', cwd_mac: '', catalogue: 'CIWD 3.0.0', names }
      expect(faces(answer as never, { category: true, populations: ['EURO', 'TOTAL'] })).toMatchObject({
        text: 'A*01:01\tC\tAFA C, EURO I\nA*43:01\tR\tAFA WD, EURO R\nA*99:99\tnone',
        results: ['I', 'C', 'A*01:01=C A*43:01=R A*99:99=none', 'CIWD 3.0.0'],
      })
    })

    test.for([
      [
        { categories: ['C'] },
        'bad-request',
        'CWD 2.0.0 has no categories or populations; those are of ciwd3',
      ],
      [
        { populations: ['EURO'] },
        'bad-request',
        'CWD 2.0.0 has no categories or populations; those are of ciwd3',
      ],
      [
        { catalogue: 'eurcwd', populations: ['TOTAL', 'EURO'] },
        'bad-request',
        'EURCWD has no populations; those are of ciwd3',
      ],
      [
        { catalogue: 'eurcwd', categories: ['C', 'I'] },
        'bad-request',
        'EURCWD has the categories C and WD only',
      ],
      [{ catalogue: 'ciwd3' }, 'no-catalogue', 'the CIWD 3.0.0 catalogue is not installed'],
      [
        { catalogue: 'eurcwd', categories: ['C', 'WD'] },
        'no-catalogue',
        /^the EURCWD catalogue is not installed$/,
      ],
    ] as const)('%j is refused', ([asked, code, message]) => {
      const error = errorOf(() => keep('A*01:01', asked))
      expect(error?.code).toBe(code)
      expect(error?.message).toMatch(message)
    })
  })
})
