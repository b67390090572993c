/** HML and donor JSON: typings, their places, and refusals. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { planNotes } from '../../../src/table/plan/recognition/table-notes.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

const OPTIONS = { into: 'replace', outDelimiter: ',' } as const

const assignment = (content: string, version = '3.25.0') =>
  `<typing gene-family="HLA">\n<allele-assignment allele-db="IMGT/HLA" allele-version="${version}">\n${content}\n</allele-assignment>\n</typing>\n`
const gl = (text: string, version?: string) => assignment(`<glstring>${text}</glstring>`, version)
const sample = (id: string, ...typings: string[]) => `<sample id="${id}">\n${typings.join('')}</sample>\n`
const hml = (...samples: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0.1" version="1.0.1">\n${samples.join('')}</hml>\n`

const TWO = hml(
  sample('S1', gl('HLA-A*02:01+HLA-A*24:02'), gl('\n  HLA-B*07:02+\n  HLA-B*07:02\n ', '3.14.0')),
  sample('S2', gl('HLA-A*02:01+HLA-A*02:01^HLA-B*07:02+HLA-B*07:02')),
  sample('S3'),
)

describe('HML', () => {
  test('a row is a sample, in whatever pieces it comes', async () => {
    const { output, failures, plan } = await convertRecords({ 'f.xml': TWO }, OPTIONS)
    const table = 'sample,A_1,A_2,B_1,B_2\nS1,A*02:01,A*24:02,B*07:02,B*07:02\nS2,A*02:01,A*02:01,B*07:02,B*07:02\nS3,,,,\n' // prettier-ignore
    expect([output, failures, plan?.source?.format]).toEqual([table, [], 'HML'])
    for (const more of [{ piece: 1 }, { piece: 7 }, { inputFormat: 'hml' }])
      expect((await convertRecords({ 'f.xml': TWO }, { ...OPTIONS, ...more })).output).toBe(table)
    const wide = Buffer.from(`\ufeff${TWO}`, 'utf16le')
    expect((await convertRecords({ 'f.xml': wide }, OPTIONS)).output).toBe(table)
  })

  test.for([
    // the newest not above ours, 3.58.0
    [['3.25.0', '3.44.0', '3.59.0'], '3.44.0'],
    [['3.44.0', '3.25.0'], '3.44.0'],
    [['3.61.0', '3.60.0'], '3.60.0'],
  ] as const)('of the allele assignments of one typing with releases %j, that of %s is read', async ([versions, chosen]) => {
    const allele = (version: string) => (version === chosen ? 'HLA-A*02:01+HLA-A*24:02' : 'HLA-A*01:01+HLA-A*24:02')
    const all = versions.map((version) => gl(allele(version), version).replaceAll(/<\/?typing[^>]*>\n/g, ''))
    const other = assignment('<glstring>HLA-B*07:02+HLA-B*07:02</glstring>', '3.25.0')
    const typing = `<typing gene-family="HLA">\n${all.join('')}</typing>\n`
    const { output, failures, plan } = await convertRecords({ 'f.xml': hml(sample('S1', typing, other)) }, OPTIONS)
    expect(failures).toEqual([])
    expect(output).toBe('sample,A_1,A_2,B_1,B_2\nS1,A*02:01,A*24:02,B*07:02,B*07:02\n')
    expect(plan?.source?.ignored).toEqual(['allele assignments of other releases'])
  }) // prettier-ignore

  test('which releases the typings were made with is noted', async () => {
    const { plan } = await convertRecords({ 'f.xml': TWO }, OPTIONS)
    if (plan === undefined) throw new Error('no plan')
    expect(planNotes(plan)).toEqual([
      expect.objectContaining({
        level: 'note',
        code: 'source-releases',
        message: expect.stringContaining('made with IMGT/HLA 3.25.0 (2), IMGT/HLA 3.14.0 (1);') as string,
      }),
    ])
  })

  test.for(['3.53.0.0', '3.999.0', 'latest'])(
    'names made with %s are read as they stand, with one note',
    async (version) => {
      const typing = 'HLA-A*02:01+HLA-A*24:02'
      const { plan, output } = await convertRecords(
        { 'f.xml': hml(sample('S1', gl(typing, version))) },
        OPTIONS,
      )
      if (plan === undefined) throw new Error('no plan')
      const release = plan.groups[0]?.context.facts.label
      expect(planNotes(plan)).toEqual([
        {
          level: 'note',
          code: 'source-releases',
          message: `typings state that they were made with IMGT/HLA ${version} (1), which is unknown or later than ${release}: these names are read unchanged`,
        },
      ])
      expect(output).toBe('sample,A_1,A_2\nS1,A*02:01,A*24:02\n')
    },
  )

  test('failures name line and path, and only the cell fails', async () => {
    const file = { 'f.xml': hml(sample('S1', gl('HLA-A*02:01+HLA-A*24:02')), sample('S2', gl('HLA-A*02:01+HLA-A*24:02'), gl('HLA-B*99:99+HLA-B*07:02'))) } // prettier-ignore
    const { output, failures } = await convertRecords(file, OPTIONS)
    expect(failures).toEqual([
      expect.stringMatching(/^f\.xml:18:\/hml\/sample\[2\]\/typing\[2\]:B_1: .*B\*99:99/),
    ])
    expect(output).toContain('S1,A*02:01,A*24:02')
  })

  test('haploids are read where there is no GL String, by their method', async () => {
    const haploids = (...all: string[]) => assignment(all.join('\n'))
    const one = (locus: string, method: string, type: string) =>
      `<haploid locus="${locus}" method="${method}" type="${type}"/>`
    const file = {
      'f.xml': hml(
        sample('S1', haploids(one('HLA-A', 'DNA', '02:01'), one('HLA-A', 'DNA', '24:02'))),
        sample('S2', haploids('<glstring>HLA-A*02:01+HLA-A*02:01</glstring>', one('HLA-A', 'DNA', '24:02'))),
        sample('S3', haploids(one('HLA-A', 'DNA', '02:01/03'))),
      ),
    }
    const { output } = await convertRecords(file, { into: 'none', glOut: 'gl', outDelimiter: ',' })
    expect(output.split('\n').map((line) => line.split(',').slice(0, 3).join(','))).toEqual([
      'sample,A_1,A_2',
      'S1,A*02:01,A*24:02',
      'S2,A*02:01,A*02:01',
      'S3,A*02:01/A*02:03,',
      '',
    ])
  })

  test('empty lines before the declaration are read over and counted', async () => {
    const { output } = await convertRecords({ 'f.xml': `\n\n${TWO}` }, OPTIONS)
    expect(output.split('\n')[1]).toMatch(/^S1,/)
    await expect(convertRecords({ 'f.xml': `\n\n${TWO.replace('</typing>', '</typed>')}` }, OPTIONS)).rejects.toThrow('line 10') // prettier-ignore
  })

  test('several messages are one table; a sample typed in two of them fails', async () => {
    const files = { 'a.xml': hml(sample('S1', gl('HLA-A*02:01+HLA-A*24:02'))), 'b.xml': hml(sample('S2', gl('HLA-B*07:02+HLA-B*07:02')), sample('S1', gl('HLA-A*02:01+HLA-A*02:01'))) } // prettier-ignore
    const { output, failures } = await convertRecords(files, { ...OPTIONS, merge: true })
    expect(output.split('\n').map((line) => line.split(',')[0])).toEqual(['sample', 'S1', 'S2', ''])
    expect(failures).toEqual([expect.stringContaining('2 files type A of one person')])
  })

  const nested = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
  const bomb = `<?xml version="1.0"?>\n<!DOCTYPE hml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<hml version="1.0.1"><sample id="&b;"/></hml>`

  test.each([
    ['a uri', hml(sample('S1', assignment('<glstring uri="http://x/1"/>'))), /line 6: \/hml\/sample\[1\]\/typing\[1\]: its GL String is at "http:\/\/x\/1", which hla does not fetch/], // prettier-ignore
    ['genotypes alone', hml(sample('S1', assignment('<genotype/>'))), /sample\[1\]\/typing\[1\]: its typing has only genotype elements/], // prettier-ignore
    ['a text without a locus', hml(sample('S1', gl('unknown'))), /line 6: .*typing\[1\]: "unknown" names no locus/], // prettier-ignore
    ['a sample without id', hml('<sample center-code="1"></sample>'), /line 3: \/hml\/sample\[1\]: the sample has no id/], // prettier-ignore
    ['another version', TWO.replace('version="1.0.1">', 'version="0.9.4">'), /line 2: \/hml: version "0.9.4" of HML is not read/], // prettier-ignore
    ['a cut message', TWO.slice(0, -30), /is not XML that can be read: /],
    ['a wrong end', TWO.replace('</typing>', '</typed>'), /line 8: f\.xml is not XML that can be read: unexpected close tag/], // prettier-ignore
    ['an entity bomb', bomb, /document type/],
    ['an entity nobody knows', hml(sample('&lol;')), /undefined entity/],
    ['1,000 levels', hml(nested(1000)), /more than 200 nested elements/],
    ['another document', '<?xml version="1.0"?>\n<x><y/></x>', /this is not HML, whose first element is hml/],
  ])('%s is refused', async (_, text, message) => {
    await expect(convertRecords({ 'f.xml': text }, { ...OPTIONS, inputFormat: 'hml' })).rejects.toThrow(
      message,
    )
  })

  test('a GL String without an end is refused, a sequence without one is passed by', async () => {
    const long = 'ACGT'.repeat(600_000)
    await expect(convertRecords({ 'f.xml': hml(sample('S1', gl(long))) }, OPTIONS)).rejects.toThrow(
      'longer than 1048576 characters',
    )
    const text = hml(
      sample('S1', gl('HLA-A*02:01+HLA-A*24:02'), `<typing><sequence>${long}</sequence></typing>`),
    )
    expect((await convertRecords({ 'f.xml': text }, OPTIONS)).output).toBe(
      'sample,A_1,A_2\nS1,A*02:01,A*24:02\n',
    )
  })
})

const DONORS = `\ufeff{
  "updateMode": "full",
  "Donors": [
    { "RecordId": 2, "ChangeType": "N", "DonorType": "C", "Hla": {
        "A": { "Dna": { "Field1": "*02:01", "Field2": "*24:02", },
          "ser": null, },
        "b": { "dna": { "field1": "07:02", "field2": null }, "ser": { "field1": "8" } },
    } },
    { "recordId": "D {\\"1", "changeType": "D", "donorType": "D" },
    { "recordId": "3", "hla": { "A": { "dna": { "field1": "*02:01/03", "field2": "" } }, "B": { "Ser": { "field1": "7" } } } },
  ],
}
`

const donor = (text: string) => `{"donors": [{"recordId": "1", "hla": {"A": {"dna": {"field1": "*02:01"}}}},\n${text}]}` // prettier-ignore

describe('donor JSON', () => {
  test.each([
    ['alone', ''],
    ['behind a donor without loci', '{"recordId": "S0", "hla": {}},\n'],
    ['behind another locus', '{"recordId": "S0", "hla": {"B": {"dna": {"field1": "*07:02"}}}},\n'],
  ])('the typing of an empty locus is a bad record, %s', async (_, before) => {
    const bad = `${before}{"recordId": "S2", "hla": {"": {"dna": {"field1": "*02:01"}}}}`
    const { failures } = await convertRecords({ 'f.json': donor(bad) }, OPTIONS)
    expect(failures).toEqual([expect.stringContaining('a typing of no locus')])
  })

  test('a row is a donor, in whatever pieces it comes', async () => {
    const options = { into: 'none', glOut: 'gl', outDelimiter: ',' } as const
    const { output, plan } = await convertRecords({ 'f.json': DONORS }, options)
    expect(plan?.source?.format).toBe('donor JSON')
    expect(output.split('\n').map((line) => line.split(',').slice(0, 7).join(','))).toEqual([
      'recordId,changeType,donorType,A_1,A_2,B_1,B_2',
      '2,N,C,A*02:01,A*24:02,B*07:02,',
      '"D {""1",D,D,,,,',
      '3,,,A*02:01/A*02:03,,B7,',
      '',
    ])
    for (const more of [{ piece: 1 }, { piece: 5 }, { inputFormat: 'donor-json' }])
      expect((await convertRecords({ 'f.json': DONORS }, { ...options, ...more })).output).toBe(output)
  })

  test('a number is kept as it is written', async () => {
    const { output } = await convertRecords(
      { 'f.json': donor('{"recordId": 12345678901234567890}') },
      OPTIONS,
    )
    expect(output.split('\n')[2]).toBe('12345678901234567890,,,,')
  })

  test('a file of more than 256 MiB is refused', async () => {
    async function* bytes() {
      yield Buffer.from('{"donors": [')
      const piece = Buffer.alloc(1024 ** 2, ' ')
      for (let at = 0; at < 256; at += 1) yield await Promise.resolve(piece)
      yield Buffer.from(']}')
    }
    await expect(convertRecords({ 'f.json': bytes }, OPTIONS)).rejects.toMatchObject({
      code: 'io',
      message: 'f.json is larger than 256 MiB, and must be read as a whole',
      hint: 'divide its donors among several files',
    })
  })

  test('failures name line and path', async () => {
    const { failures } = await convertRecords({ 'f.json': DONORS.replace('*24:02', '*99:99') }, OPTIONS)
    expect(failures).toContainEqual(
      expect.stringMatching(/^f\.json:5:\/donors\[1\]\/hla\/a\/dna\/field2:A_2: .*A\*99:99/),
    )
  })

  test.each([
    ['with escapes', '"\\u002a99:99"'],
    ['where a text before says the same', '"*99:99"'],
  ])('a failure names the line of a typing %s', async (_, typing) => {
    const text = `{"donors": [{"recordId": "1", "note": "*99:99", "hla": {"A": {"dna": {\n"field1": "*02:01",\n"field2": ${typing}}}}}]}`
    const { failures } = await convertRecords({ 'f.json': text }, OPTIONS)
    expect(failures).toEqual([expect.stringMatching(/^f\.json:3:\/donors\[1\]\/hla\/a\/dna\/field2:A_2: /)])
  })

  test.each([
    ['a missing comma', donor('{"recordId": 2} {"recordId": 3}'), /line 2: .*a comma is missing/],
    ['something else in the list', donor('7'), /line 2: .*"donors" holds something else than objects/],
    [
      'a broken object',
      donor('{"recordId": 2 "a": 3}'),
      /line 2: f\.json is not valid JSON: a comma is missing/,
    ],
    ['a cut document', DONORS.slice(0, -5), /it is cut short/],
    ['broken text around', donor('{"recordId": 2}').replace('{"donors"', '{x, "donors"'), /line 1: f\.json is not valid JSON: the name of a field is expected/], // prettier-ignore
    ['no list', '{"x": 1}', /it has no list "donors"/],
    ['1,000 levels', donor(`{"recordId": 2, "x": ${'['.repeat(1000)}`), /more than 100 nested brackets/],
    ['a text without an end', donor('{"recordId": "xxx').slice(0, -4), /it is cut short/],
    ['a text with a line break', donor('{"recordId": "x\n"}'), /line 2: .*a string is not terminated/],
    ['a value that is none', donor('{"recordId": 02}'), /line 2: .*"02" is not a value/],
    ['a comma without a value', donor('{"recordId": 2, "x": [1,,2]}'), /line 2: .*a value is expected/],
    ['text after its end', `${donor('{"recordId": 2}')}]`, /there is text after its end/],
    ['two lists', donor('{"recordId": 2}').replace(/\}$/, ', "Donors": []}'), /"donors" occurs twice/],
  ])('%s is refused', async (_, text, message) => {
    await expect(convertRecords({ 'f.json': text }, { ...OPTIONS, inputFormat: 'donor-json' })).rejects.toThrow(message) // prettier-ignore
  })
})

describe('a typing of a locus that does not exist', () => {
  const A = gl('HLA-A*02:01+HLA-A*24:02')
  const donorQ = (text: string) => donor(`{"recordId": "S2", "hla": {"A": {"dna": {"field1": "*24:02"}}, "zz": ${text}}}`) // prettier-ignore
  const CASES = [
    ['HML, a GL String', 'f.xml', hml(sample('S1', A), sample('S2', A, gl('HLA-ZZ*01:01+HLA-ZZ*02:01'))), 2, '/hml/sample[2]/typing[2]'],
    ['HML, a haploid', 'f.xml', hml(sample('S1', A), sample('S2', A, assignment('<haploid locus="HLA-ZZ" method="SER" type="7"/>'))), 1, '/hml/sample[2]/typing[2]'],
    ['donors, DNA', 'f.json', donorQ('{"dna": {"field1": "*01:01"}}'), 1, '/donors[2]/hla/zz/dna/field1'],
    ['donors, serology', 'f.json', donorQ('{"ser": {"field1": "7"}}'), 1, '/donors[2]/hla/zz/ser/field1'],
  ] as const // prettier-ignore

  test.each(CASES)('%s: fails with its place, wherever it stands', async (...[, name, text, count, path]) => {
    const { failures, output } = await convertRecords({ [name]: text }, OPTIONS)
    expect([failures.length, failures.every((one) => one.includes(`:${path}:ZZ_`))]).toEqual([count, true])
    expect(output.split('\n')[2]).toMatch(/^S2,.*A\*24:02/)
    const many = name === 'f.xml' ? text : text.replace('"donors": [', `"donors": [${Array.from({ length: 1500 }, (__, at) => `{"recordId": "X${at}"}`).join(',')},`) // prettier-ignore
    expect((await convertRecords({ [name]: many }, OPTIONS)).failures.length).toBe(count)
    const left = await convertRecords({ [name]: text }, { ...OPTIONS, exclude: 'ZZ_1,ZZ_2' })
    expect(left.failures).toEqual([])
  })
})

describe('a person that cannot be read', () => {
  const A = gl('HLA-A*02:01+HLA-A*24:02')
  const hmlCases = [
    ['no id', '<sample center-code="1"><typing></typing></sample>\n', 'f.xml:10:/hml/sample[2]: the sample has no id [bad-record]'],
    ['an id that is there twice', sample('S1', A), 'f.xml:10:/hml/sample[2]: sample "S1" occurs twice [bad-record]'],
    ['a uri', sample('S2', A, assignment('<glstring uri="http://x/1"/>')), 'f.xml:18:/hml/sample[2]/typing[2]: its GL String is at "http://x/1", which hla does not fetch; give the typing as the text of a glstring element [bad-record]'],
    ['elements in a GL String', sample('S2', gl('HLA-A*02:01<b/>+HLA-A*24:02')), 'f.xml:13:/hml/sample[2]/typing[1]: its GL String contains elements; give the typing as the text of a glstring element [bad-record]'],
    ['genotypes alone', sample('S2', assignment('<genotype/>')), 'f.xml:12:/hml/sample[2]/typing[1]: its typing has only genotype elements, which hla does not read; give the typing as the text of a glstring element [bad-record]'],
    ['a text without a locus', sample('S2', gl('unknown'), A), 'f.xml:13:/hml/sample[2]/typing[1]: "unknown" names no locus [bad-record]'],
    ['a haploid without a type', sample('S2', assignment('<haploid locus="HLA-A"/>')), 'f.xml:13:/hml/sample[2]/typing[1]: a haploid has no locus, or no type [bad-record]'],
    ['a GL String without an end', sample('S2', gl('ACGT'.repeat(600_000))), 'f.xml:13:/hml/sample[2]/typing[1]: its GL String is longer than 1048576 characters [bad-record]'],
  ] as const // prettier-ignore
  const donorCases = [
    ['no id', '{"hla": {}}', '/donors[2]: the donor has no recordId'],
    ['an id that is there twice', '{"recordId": 1}', '/donors[2]: donor "1" occurs twice'],
    ['another type of donor', '{"recordId": 2, "donorType": "X"}', '/donors[2]: donorType "X" is not one of D C B'],
    ['two names that differ in case', '{"recordId": 2, "RecordID": 3}', '/donors[2]: "RecordID" occurs twice'],
    ['two fields of one name', '{"recordId": 2, "recordId": 3}', '/donors[2]: "recordId" occurs twice'],
    ['a typing that is a list', '{"recordId": 2, "hla": {"A": {"dna": {"field1": []}}}}', '/donors[2]/hla/a/dna/field1: a typing must be a string or a number'],
    ['a method that is spelled otherwise', '{"recordId": 2, "hla": {"A": {"dnb": {"field1": "*02:01"}}}}', '/donors[2]/hla/a: "dnb" is not one of dna ser'],
    ['a field that is spelled otherwise', '{"recordId": 2, "hla": {"A": {"dna": {"field3": "*02:01"}}}}', '/donors[2]/hla/a/dna: "field3" is not one of field1 field2'],
    ['typings of no locus', '{"recordId": 2, "hla": {"": {"dna": {"field1": "*02:01"}}}}', '/donors[2]/hla/: a typing of no locus'],
    ['a list of typings', '{"recordId": 2, "hla": []}', '/donors[2]/hla: an object is expected'],
    ['typings that are a text', '{"recordId": 2, "hla": "A*02:01"}', '/donors[2]/hla: an object is expected'],
  ] as const // prettier-ignore
  const CASES = [
    ...hmlCases.map(
      ([what, text, said]) =>
        [`HML: ${what}`, 'f.xml', hml(sample('S1', A), text, sample('S3', A)), said] as const,
    ),
    ...donorCases.map(
      ([what, text, said]) =>
        [`donors: ${what}`, 'f.json', donor(`${text},\n{"recordId": "S3", "hla": {"A": {"dna": {"field1": "*24:02"}}}}`), `f.json:2:${said} [bad-record]`] as const,
    ),
  ] // prettier-ignore

  test.each(CASES)(
    '%s: is one failure with its place, and a row without typings',
    async (_, name, text, said) => {
      for (const piece of [1 << 16, 50]) {
        const { output, failures } = await convertRecords({ [name]: text }, { ...OPTIONS, piece })
        expect(failures).toEqual([said])
        const [, first = '', second = '', third = '', ...rest] = output.split('\n')
        expect([first, third].map((row) => /A\*(02:01|24:02)/.test(row)).concat(/\*/.test(second))).toEqual([true, true, false]) // prettier-ignore
        expect(rest).toEqual([''])
      }
    },
  )

  test.each(CASES)('%s: ends the table where the first failure does', async (_, name, text, said) => {
    const [place = ''] = said.split(';')
    const asked = convertRecords({ [name]: text }, { ...OPTIONS, onError: 'fail' })
    await expect(asked).rejects.toMatchObject({ code: 'bad-record', message: place.replace(' [bad-record]', '') }) // prettier-ignore
  })

  test('is not filled up, and says so in its row', async () => {
    const text = hml(sample('S1', A), sample('S2', gl('unknown')))
    const { output } = await convertRecords(
      { 'f.xml': text },
      { ...OPTIONS, ragged: 'pad', onError: 'report' },
    )
    expect(output.split('\n').slice(2)).toEqual(['S2,,,error,bad-record', ''])
  })

  test('is told as it is where nobody can be read', async () => {
    const text = hml(sample('S1', gl('unknown')), sample('', A))
    await expect(convertRecords({ 'f.xml': text }, OPTIONS)).rejects.toMatchObject({ code: 'bad-record', message: 'line 6: /hml/sample[1]/typing[1]: "unknown" names no locus' }) // prettier-ignore
    const { failures } = await convertRecords({ 'f.xml': text }, { ...OPTIONS, long: ['loci=A'] })
    expect(failures.length).toBe(2)
  })
})

describe.skipIf(!hasShared)('published documents', () => {
  const folder = hasShared ? sharedPath('formats/hml') : ''
  test.each(hasShared ? readdirSync(folder) : [])('%s', async (name) => {
    const bytes = readFileSync(`${folder}/${name}`)
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    const { plan, output } = await convertRecords({ [name]: text }, OPTIONS)
    expect(plan?.source?.format).toBe('HML')
    expect(output.split('\n').length).toBe(3)
    expect(plan?.source?.releases.size).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasShared)('published donor files', () => {
  test.each([
    ['atlas-bankedDonor.json', 2],
    ['atlas-serologyTypedDonor.json', 1],
    ['atlas-validDonorTypes.json', 2],
  ] as const)('%s', async (name, persons) => {
    const file = { [name]: readFileSync(sharedPath(`formats/donors/${name}`)) }
    const { plan, output } = await convertRecords(file, OPTIONS)
    expect([plan?.source?.format, output.trimEnd().split('\n').length]).toEqual(['donor JSON', 1 + persons])
  })

  test('atlas-invalidDonorType.json: its donor is the failure', async () => {
    const name = 'atlas-invalidDonorType.json'
    const file = { [name]: readFileSync(sharedPath(`formats/donors/${name}`)) }
    const { failures } = await convertRecords(file, OPTIONS)
    expect(failures.filter((one) => one.includes('bad-record'))).toEqual([
      expect.stringMatching(/:\/donors\[1\]: donorType "Not-recognised" is not one of D C B \[bad-record\]$/),
    ])
  })

  test.each([['atlas-MalformedImport.json', 'is not valid JSON']] as const)(
    '%s is refused',
    async (name, message) => {
      const file = { [name]: readFileSync(sharedPath(`formats/donors/${name}`)) }
      await expect(convertRecords(file, OPTIONS)).rejects.toThrow(message)
    },
  )
})
