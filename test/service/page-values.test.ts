/** Functions of the page that need no browser: how it splits typings, words messages, and reads the description of the service. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type ErrorRecord, isFailed } from '../../src/service/page/answers.ts'
import { readRoutes, schemaName } from '../../src/service/page/docs/routes.ts'
import { sampleRequest } from '../../src/service/page/docs/sample-request.ts'
import { PageFailure, sentence } from '../../src/service/page/service.ts'
import { readConverted } from '../../src/service/page/table/answer.ts'
import { correctable, replaceValue } from '../../src/service/page/table/failed-values.ts'
import { readRows } from '../../src/service/page/table/first-rows.ts'
import { fileOfPasted, isPastedTable } from '../../src/service/page/table/pasted.ts'
import {
  allelesIn,
  blendIn,
  codesIn,
  distinct,
  locusIn,
  typingsOfLoci,
} from '../../src/service/page/typing/names.ts'
import { formatTitle, judge } from '../../src/service/page/typing/verdict.ts'
import { sizeText } from '../../src/web/page/size.ts'
import { replaceCells, splitRows } from '../../src/web/page/csv.ts'

describe('parts of a typing', () => {
  test.for([
    ['A*01:01', []],
    ['A*01:01^B*07:02', ['A*01:01', 'B*07:02']],
    ['A*01:01?A*02:01^B*07:02', []],
    [Array.from({ length: 30 }, () => 'A*01:01').join('^'), Array.from({ length: 30 }, () => 'A*01:01')],
    [Array.from({ length: 31 }, () => 'A*01:01').join('^'), []],
  ] as const)('loci of %s', ([text, loci]) => expect(typingsOfLoci(text)).toEqual(loci)) // prettier-ignore

  test.for([
    ['HLA-DRB1*15:01+DRB1*01:01', 'DRB1'],
    ['hla-dqb1*06:02', 'DQB1'],
    ['x A*01:01', 'x A*01:01'],
    ['A2', 'A2'],
    ['*01:01', '*01:01'],
  ] as const)('locus of %s', ([typing, locus]) => expect(locusIn(typing)).toBe(locus))

  test('names on one chromosome are each asked about once', () => {
    expect(allelesIn('A*01:01+A*02:01/A*02:02|A*01:01~B*07:02?C*07:01^^DRB1*01:01+')).toEqual([
      'A*01:01',
      'A*02:01/A*02:02',
      'B*07:02',
      'C*07:01',
      'DRB1*01:01',
    ])
  })

  test('codes and lists that may have one', () => {
    const text =
      'A*01:AB+HLA-B*07:XX/B*08:01|A*01:01~C*07:ABC?A*01:AB^DRB1*01:A+xA*01:AB1+DQB1*02:ab+A*:AB+*01:AB'
    expect(codesIn(text)).toEqual(['A*01:AB', 'HLA-B*07:XX', 'C*07:ABC', 'HLA-B*07:XX/B*08:01'])
    // a code is the whole of a name
    expect(codesIn('x-A*01:AB')).toEqual([])
  })

  test('twelve different parts at most', () => {
    const texts = Array.from({ length: 14 }, (_, at) => `A*${at + 10}`)
    expect(distinct(['', ...texts, ...texts])).toEqual(texts.slice(0, 12))
  })

  test.for([
    ['DRB1*03:01+DRB1*04:01', undefined],
    ['DRB3*01:01^DRB4*01:01', undefined],
    ['DRB1*03:01+DRB1*04:01^A*01:01', undefined],
    ['DRB1*03:01^DRB5*01:01', { DRB1_SLUG: 'DRB1*03:01', DRB3: '', DRB4: '', DRB5: 'DRB5*01:01' }],
    ['DRB4*01:03^DRB1*03:01^DRB3*01:01', { DRB1_SLUG: 'DRB1*03:01', DRB3: 'DRB3*01:01', DRB4: 'DRB4*01:03', DRB5: '' }],
  ] as const)('blend of %s', ([text, asked]) => expect(blendIn(text)).toEqual(asked)) // prettier-ignore
})

describe('verdicts', () => {
  const problem = { code: 'unknown', message: 'no such name', offending: 'A*1', position: [0, 3] as const, suggestions: [] } // prettier-ignore
  const outcome = (some: object) => ({ gl_string: 'A*1', valid: false, malformed: false, ...some }) as never // the fields that the page reads

  test.for([
    [{ valid: true, verdict: 'valid' }, 'valid', 'Valid in 3.58.0'],
    [{ valid: true, verdict: 'merged' }, 'valid', 'Valid in 3.58.0: merged'],
    [{ valid: true, unlisted: true, verdict: 'unlisted' }, 'unlisted', 'Valid, but not listed in 3.58.0'],
    [{ valid: true, unlisted: true, verdict: 'short' }, 'unlisted', 'Valid, but not listed in 3.58.0: short'],
    [{ verdict: 'invalid', problems: [problem] }, 'invalid', 'Not valid in 3.58.0'],
    [{ verdict: 'unknown', problems: [problem] }, 'invalid', 'Not valid in 3.58.0: unknown'],
    [{ verdict: 'invalid', problems: [problem, problem] }, 'invalid', 'Not valid in 3.58.0: 2 problems'],
    [{ verdict: 'unknown', problems: [problem, problem] }, 'invalid', 'Not valid in 3.58.0: unknown, 2 problems'],
    [{ malformed: true, verdict: 'malformed', problems: [problem] }, 'malformed', 'Not a GL String'],
    [{ malformed: true, verdict: 'malformed', problems: [problem, problem] }, 'malformed', 'Not a GL String: 2 problems'],
  ] as const)('%j', ([answer, kind, title]) => {
    const judged = judge(outcome(answer), 'A*1')
    expect(judged).toMatchObject({ kind, text: 'A*1', problems: 'problems' in answer ? answer.problems : [], notes: [] })
    expect(formatTitle(judged, '3.58.0')).toBe(title)
  }) // prettier-ignore

  test('the notes of a verdict are its messages', () => {
    const answer = outcome({ valid: true, verdict: 'valid', notes: [{ code: 'one', message: 'first' }, { code: 'two', message: 'second' }] }) // prettier-ignore
    expect(judge(answer, 'A*1')).toEqual({
      kind: 'valid',
      word: undefined,
      text: 'A*1',
      problems: [],
      notes: ['first', 'second'],
    })
  })

  test('a refusal is about the whole typing, or about the place that it names', () => {
    const error = { code: 'starter', message: 'not covered', hint: 'install it', suggestions: ['A*01:01'] }
    const judged = judge({ error }, 'A*1')
    expect(judged).toEqual({ kind: 'refused', text: 'A*1', problems: [{ ...error, offending: '', position: [0, 3] }], notes: [] }) // prettier-ignore
    expect(formatTitle(judged, '3.58.0')).toBe('Cannot be answered here')
    const placed: ErrorRecord = { ...error, offending: '1', position: [2, 3] }
    expect(judge({ error: placed }, 'A*1').problems).toEqual([placed])
  })

  test('a failed outcome is an object with an error', () => {
    expect([{ error: {} }, { ard: '' }, null, 'error'].map((one) => isFailed(one as never))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('messages', () => {
  test.for([
    ['', ''],
    ['nothing here', 'Nothing here.'],
    ['nothing here.', 'Nothing here.'],
    ['is it?', 'Is it?'],
    ['please stop!', 'Please stop!'],
    ['é is no locus', 'é is no locus.'],
    ['and so on …', 'And so on …'],
    ['number 5. is wrong', 'Number 5. is wrong.'],
    // names of programs, methods and alleles keep their letters
    ['hla data install', 'hla data install.'],
    ['lgx and others', 'lgx and others.'],
    ['lg and others', 'lg and others.'],
    ['exon and others', 'exon and others.'],
    ['hats and others', 'hats and others.'],
    ['exons and others', 'Exons and others.'],
    ['the hla', 'The hla.'],
    ['gl_string is missing', 'gl_string is missing.'],
    ['it\'s "here"', 'It\'s "here".'],
    ['well, then; a: b-c', 'Well, then; a: b-c.'],
    ['A*01:01 is missing', 'A*01:01 is missing.'],
  ] as const)('%j is %j', ([text, shown]) => expect(sentence(text)).toBe(shown))

  test('a failure is its message and the lines of its hint', () => {
    const failure = new PageFailure({ code: 'usage', message: 'no columns', hint: 'name them\nor not', suggestions: [] }) // prettier-ignore
    expect(failure).toMatchObject({ message: 'No columns. Name them. Or not.', code: 'usage', reason: 'No columns.' }) // prettier-ignore
    expect(new PageFailure({ code: 'x', message: 'no columns', suggestions: [] }).message).toBe('No columns.')
  })

  test.for([
    [0, '0 bytes'],
    [1, '1 byte'],
    [2, '2 bytes'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [12_345, '12.3 kB'],
    [999_499, '999 kB'],
    [1_000_000, '1 MB'],
    [1_234_567, '1.23 MB'],
  ] as const)('%d bytes are %s', ([bytes, shown]) => expect(sizeText(bytes)).toBe(shown))
})

describe('pasted text', () => {
  test.for([
    ['A*01:01', false],
    ['\tA*01:01\n', false],
    ['A*01:01\nA*02:01', true],
    ['A*01:01\rA*02:01', true],
    ['A*01:01\tA*02:01', true],
  ] as const)('%j is a table: %s', ([text, isTable]) => expect(isPastedTable(text)).toBe(isTable))

  test.for([
    ['a\tb\n1\t2\n\n', 'pasted.tsv', 'a\tb\n1\t2\n'],
    ['  a,b\n1,2', 'pasted.csv', 'a,b\n1,2\n'],
  ] as const)('%j is a file', async ([text, name, content]) => {
    const file = fileOfPasted(text)
    expect([file.name, file.type, await file.text()]).toEqual([name, 'text/plain', content])
  })
})

describe('tables', () => {
  test('a last cell that is empty counts only in a whole text', () => {
    expect(splitRows('a,b\nc,', ',', 100, false)).toEqual([['a', 'b']])
    expect(splitRows('a,b\nc,', ',', 1, true)).toEqual([['a', 'b']])
  })

  test('cells are replaced by value and column, whatever their quotes; the rest stays as it is', () => {
    const asked: [string, number][] = []
    const made = replaceCells('a;"b;c";\r\nb;"a" ;$&\n', ';', (cell, column) => {
      asked.push([cell, column])
      return cell === 'a' || cell === 'b;c' ? '$&' : undefined
    })
    expect(made).toBe('$&;"$&";\r\nb;"a" ;$&\n')
    expect(asked).toEqual([['a', 0], ['b;c', 1], ['b', 0], ['a ', 1], ['$&', 2]]) // prettier-ignore
  })

  test('the first rows of a file begin behind its byte order mark', async () => {
    expect(await readRows(new Blob(['\uFEFFa;b\n1;2\n3;4\n']), 2)).toEqual([['a', 'b'], ['1', '2']]) // prettier-ignore
    expect(await readRows(new Blob(['a\n1']), 9)).toEqual([['a'], ['1']])
    // what stands behind 64 kB is not read, and a row that is cut there is left out
    const long = 'x'.repeat(65_533)
    expect(await readRows(new Blob([`a\n${long}\nb`]), 9)).toEqual([['a'], [long]])
    expect(await readRows(new Blob([`a\n${long}x\nb`]), 9)).toEqual([['a']])
    expect(await readRows(new Blob([`a\n${long}x`]), 9)).toEqual([['a'], [`${long}x`]])
  })

  const columns = [{ name: 'id', read: 'id', locus: '' }, { name: 'A_1', read: 'typing', locus: 'A' }, { name: 'note', read: 'no', locus: '' }, { name: 'A_2', read: 'typing', locus: 'A' }] as const // prettier-ignore
  const TEXT = '\uFEFFid;A_1;note;A_2\n1:1;1:1;1:1;1:1\n2;"1:1";x;02:01\n'
  const failed = { value: '1:1', message: '', hint: '', replacements: [], cells: 2, columns: ['A_1', 'note'], lines: [] } // prettier-ignore

  test('a value is replaced in the typing columns where it failed', async () => {
    const file = new File([TEXT], 'a.csv', { type: 'text/csv' })
    const table = await correctable(file, columns)
    if (table === undefined) throw new Error('not correctable')
    expect(table).toEqual({ text: TEXT, separator: ';', columns })
    const { file: made, count } = await replaceValue(file, table, failed, '01:01')
    expect([made.name, made.type, count]).toEqual(['a.csv', 'text/csv', 2])
    expect(Buffer.from(await made.arrayBuffer()).toString()).toBe('\uFEFFid;A_1;note;A_2\n1:1;01:01;1:1;1:1\n2;"01:01";x;02:01\n') // prettier-ignore
  })

  test('a packed file stays packed', async () => {
    const file = new File([gzipSync(TEXT)], 'a.TSV.GZ')
    const table = await correctable(file, columns)
    if (table === undefined) throw new Error('not correctable')
    const { file: made } = await replaceValue(file, table, failed, '01:01')
    expect(gunzipSync(await made.arrayBuffer()).toString()).toContain('\n2;"01:01";x;02:01\n')
  })

  test.for([
    ['a.csv', true],
    ['a.tsv', true],
    ['a.tab', true],
    ['a.txt', true],
    ['a.CSV', true],
    ['a.csv.zip', false],
    ['acsv', false],
    ['a.xlsx', false],
  ] as const)('%s is changed here: %s', async ([name, isText]) => {
    expect((await correctable(new File([TEXT], name), columns)) !== undefined).toBe(isText)
  })

  test('a header alone, and a first cell in quotes behind a byte order mark, have the columns that were read', async () => {
    const [header] = TEXT.split('\n')
    for (const text of [header ?? '', '\uFEFF"i;d";A_1;note;A_2\n'])
      expect(await correctable(new File([text], 'a.gz.csv'), columns)).toEqual({
        text,
        separator: ';',
        columns,
      })
  })

  test('what is not the table that was read is left alone', async () => {
    expect(await correctable(new File([TEXT], 'a.csv'), columns.slice(1))).toBeUndefined()
    expect(await correctable(new File([Buffer.from([0xff, 0x3b, 0x3b, 0x3b])], 'a.csv'), columns)).toBeUndefined()
    expect(await correctable(new File([TEXT], 'a.csv.gz'), columns)).toBeUndefined()
  }) // prettier-ignore

  test('an answer has its parts', async () => {
    const query = new URLSearchParams('into=after')
    const form = new FormData()
    form.set('table', new File(['a\n'], 'a.csv'))
    form.set('errors', 'no file')
    form.set('summary', '{"rows":1}')
    const read = await readConverted(new Response(form), query)
    expect(read).toEqual({ query, table: expect.any(File), errors: undefined, summary: { rows: 1 }, failure: undefined }) // prettier-ignore
    const broken = new FormData()
    broken.set('summary', new File(['{}'], 'summary'))
    broken.set('errors', new File(['row\n'], 'a.errors.csv'))
    broken.set('error', JSON.stringify({ code: 'internal', message: 'it broke', hint: 'try again' }))
    expect(await readConverted(new Response(broken), query)).toEqual({ query, table: undefined, errors: expect.any(File), summary: undefined, failure: 'It broke. Try again.' }) // prettier-ignore
  })
})

describe('the description of the service', () => {
  const level = { enum: ['usual', 'broad'] }
  const text = { type: 'string' }
  const schemas = {
    Ask: { properties: { gl_string: text, options: { $ref: '#/components/schemas/Options' }, more: { properties: { deep: text } } }, required: ['gl_string'] },
    Options: { properties: { antigens: level } },
  } // prettier-ignore
  const routes = readRoutes({
    tags: [],
    info: { title: '', version: '' },
    components: { schemas },
    paths: {
      '/redux': {
        post: {
          operationId: 'redux',
          tags: ['questions'],
          summary: 'Reduces.',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Ask' }, example: { gl_string: 'A*01:01' } } } },
          responses: { 200: { description: 'Done', content: { 'application/json': { schema: { $ref: '#/components/schemas/Ask' } } } }, 413: { description: 'Too large' } },
        },
      },
      '/mac/{allele_code}': {
        get: {
          operationId: 'mac',
          tags: ['compatible'],
          summary: 'Expands.',
          parameters: [{ name: 'allele_code', in: 'path', required: true, schema: text }, { name: 'x', in: 'query', schema: text }, { name: 'y', in: 'query', required: true, schema: text, example: 'a b' }],
          responses: { 200: { description: 'Text', content: { 'text/plain': { schema: text } } } },
        },
        delete: { operationId: 'drop', tags: ['compatible'], summary: 'Drops.', responses: {} },
      },
      '/table': {
        post: {
          operationId: 'table',
          tags: ['tables'],
          summary: 'Converts.',
          parameters: [{ name: 'name', in: 'query', schema: text }, { name: 'gl', in: 'query', schema: text }, { name: 'name', in: 'header', schema: text }],
          requestBody: { content: { 'application/octet-stream': { schema: { type: 'string' }, example: 'id,A\n' } } },
          responses: { 200: { description: 'Table', content: {} } },
        },
      },
    },
  } as never) // prettier-ignore
  const shownBy = (id: string) => {
    const route = routes.find((one) => one.id === id)
    if (route === undefined) throw new Error(id)
    return route
  }

  test('each route is listed with its method, in order', () => {
    expect(routes.map(({ id, method, path, tag, summary }) => [id, method, path, tag, summary])).toEqual([
      ['redux', 'POST', '/redux', 'questions', 'Reduces.'],
      ['mac', 'GET', '/mac/{allele_code}', 'compatible', 'Expands.'],
      ['drop', 'DELETE', '/mac/{allele_code}', 'compatible', 'Drops.'],
      ['table', 'POST', '/table', 'tables', 'Converts.'],
    ])
  })

  test('a body is its values, with those of a named schema inside', () => {
    const { body, answers, parameters, responses } = shownBy('redux')
    expect(body).toEqual({
      type: 'application/json',
      example: { gl_string: 'A*01:01' },
      values: [
        { name: 'gl_string', required: true, schema: text },
        { name: 'options', required: false, schema: { $ref: '#/components/schemas/Options' } },
        { name: 'options.antigens', required: false, schema: level },
        { name: 'more', required: false, schema: { properties: { deep: text } } },
      ],
    })
    expect([answers, parameters]).toEqual(['application/json', []])
    expect(responses).toEqual([
      { status: '200', description: 'Done', schema: { $ref: '#/components/schemas/Ask' } },
      { status: '413', description: 'Too large', schema: { type: 'nothing' } },
    ])
    expect(shownBy('table').body).toEqual({
      type: 'application/octet-stream',
      values: [{ name: 'the body', required: true, schema: text }],
      example: 'id,A\n',
    })
    expect([shownBy('drop').body, shownBy('drop').answers]).toEqual([undefined, ''])
    expect([schemaName({ $ref: '#/components/schemas/Ask' }), schemaName({})]).toEqual(['Ask', ''])
  })

  test.for([
    ['redux', { method: 'POST', path: 'redux', body: '{\n  "gl_string": "A*01:01"\n}', type: 'application/json', isJson: true }],
    ['mac', { method: 'GET', path: 'mac/A*01%3AAB?y=a+b', body: undefined, type: undefined, isJson: false }],
    ['table', { method: 'POST', path: 'table?name=donors.csv', body: 'id,A\n', type: 'application/octet-stream', isJson: false }],
  ] as const)('%s has a sample request', ([id, request]) => expect(sampleRequest(shownBy(id))).toEqual(request)) // prettier-ignore

  test.for([
    ['gl_string', 'A*01:01+A*02:01'],
    ['allele', 'A*24:02'],
    ['allele_code', 'A*01:AB'],
    ['xx_code', 'A*01'],
    ['allele_prefix', 'A*01:01:01:0'],
    ['anything', ''],
  ] as const)('a place named %s is filled with %j', ([name, value]) => {
    const route = { ...shownBy('mac'), path: `/ask/{${name}}/{${name}}`, parameters: [] }
    expect(sampleRequest(route).path).toBe(`ask/${encodeURIComponent(value)}/${encodeURIComponent(value)}`)
    const given = { ...route, parameters: [{ name, in: 'path', schema: text, example: 'B*07:02' }] }
    expect(sampleRequest(given).path).toBe('ask/B*07%3A02/B*07%3A02')
  })
})
