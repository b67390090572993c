/** Documents written back: the result of each typing in its place, and the refusals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertRecords } from '../../support/record-tables.ts'

const SAME = { outputFormat: 'same' } as const
type Options = Parameters<typeof convertRecords>[1]

// the date of an allele assignment is that of the run
const before = process.env['SOURCE_DATE_EPOCH']
beforeAll(() => void (process.env['SOURCE_DATE_EPOCH'] = '1767312000'))
afterAll(() => {
  if (before === undefined) delete process.env['SOURCE_DATE_EPOCH']
  else process.env['SOURCE_DATE_EPOCH'] = before
})

const OURS = 'date="2026-01-02" allele-db="IMGT/HLA" allele-version="3.58.0"'

function hml(...typings: string[]): string {
  return `<hml version="1.0.1"><sample id="S1">${typings.map((one) => `<typing>${one}</typing>`).join('')}</sample></hml>`
}

function assignment(inside: string, said = 'allele-version="3.25.0"'): string {
  return `<allele-assignment ${said}>${inside}</allele-assignment>`
}

function gl(text: string): string {
  return `<glstring>${text}</glstring>`
}

function ours(text: string): string {
  return assignment(gl(text), OURS)
}

async function convertXml(text: string, options: Options = {}) {
  return convertRecords({ 'f.xml': text }, { ...SAME, inputFormat: 'hml', ...options })
}

describe('HML', () => {
  test.each([
    ['a genotype', gl('HLA-A*02:01:01:01+HLA-A*24:02:01:01'), 'HLA-A*02:01+HLA-A*24:02'],
    ['without the prefix', gl('A*02:01:01:01'), 'A*02:01'],
    ['two loci', gl('HLA-A*02:01:01:01+HLA-A*02:01:01:01^HLA-B*07:02:01:01+HLA-B*08:01:01:01'), 'HLA-A*02:01+HLA-A*02:01^HLA-B*07:02+HLA-B*08:01'], // prettier-ignore
    ['a GL String Code', gl('hla#3.58.0#HLA-A*02:01:01:01'), 'hla#3.58.0#HLA-A*02:01'],
    ['what is the same in our release too', gl('HLA-A*02:01'), 'HLA-A*02:01'],
    ['haploids', '<haploid locus="HLA-A" method="DNA" type="02:01:01:01"/><haploid locus="HLA-A" method="DNA" type="24:02:01:01"/>', 'HLA-A*02:01+HLA-A*24:02'], // prettier-ignore
    ['a haploid that repeats the GL String', `${gl('A*02:01:01:01')}<haploid locus="A" method="DNA" type="02:01"/>`, 'A*02:01'], // prettier-ignore
  ])('%s gets an allele assignment behind it', async (_, inside, expected) => {
    const { output, failures } = await convertXml(hml(assignment(inside)))
    expect([output, failures]).toEqual([hml(assignment(inside) + ours(expected)), []])
  })

  test('it is laid out as the one before it, with its prefix', async () => {
    const text = (more: string) =>
      `<h:hml xmlns:h="http://schemas.nmdp.org/spec/hml/1.0.1" version="1.0.1">\r\n<h:sample id="1">\r\n\t<h:typing>\r\n\t\t<h:allele-assignment>\r\n\t\t\t<h:glstring>A*02:01:01:01</h:glstring>\r\n\t\t</h:allele-assignment>${more}\r\n\t</h:typing>\r\n</h:sample></h:hml>\r\n`
    const added = `\r\n\t\t<h:allele-assignment ${OURS}>\r\n\t\t\t<h:glstring>A*02:01</h:glstring>\r\n\t\t</h:allele-assignment>`
    for (const piece of [1, 5, 100_000])
      expect((await convertXml(text(''), { piece })).output).toBe(text(added))
  })

  test('what was added is not added again', async () => {
    const { output } = await convertXml(hml(assignment(gl('A*02:01:01:01'))))
    expect((await convertXml(output)).output).toBe(output)
  })

  test('allele assignments that agree get one, and others none: which is meant nobody knows', async () => {
    const [one, other] = [assignment(gl('A*02:01:01:01')), assignment(gl('A*02:01'))]
    expect((await convertXml(hml(one + other))).output).toBe(hml(one + other + ours('A*02:01')))
    const text = hml(one + assignment(gl('A*24:02')))
    const { output, failures, record } = await convertXml(text)
    expect([output, record?.codes]).toEqual([text, { 'surplus-typing': 2 }])
    expect(failures[0]).toMatch(/^f\.xml:1:\/hml\/sample\[1\]\/typing\[1\]:glstring: allele assignments of one typing do not agree/) // prettier-ignore
  })

  test('in its place, it says its release and its day, and what else it said', async () => {
    const said = `x='1'\n allele-version = '3.25.0' date="2014-10-14"`
    const text = hml(
      assignment(` ${gl('\n HLA-A*02:01:01:01+HLA-A*01:01\n')} `, said) + assignment(gl('A*02:01')),
    )
    const { output } = await convertXml(text, { into: 'replace' })
    const now = ` allele-db="IMGT/HLA" x='1'\n allele-version = '3.58.0' date="2026-01-02"`.slice(1)
    expect(output).toBe(
      hml(assignment(` ${gl('\n HLA-A*01:01+HLA-A*02:01\n')} `, now) + assignment(gl('A*02:01'))),
    )
  })

  test('in their place, haploids keep how they are written', async () => {
    const haploid = (type: string, method = 'DNA') =>
      `<haploid locus="HLA-A" method="${method}" type='${type}'/>`
    const text = hml(assignment(haploid('02:01:01:01') + haploid('A*24:02:01:01') + haploid('2', 'serology')))
    const { output, record } = await convertXml(text, { into: 'replace' })
    expect([output, record?.codes, record?.notes]).toEqual([text, {}, { 'antigen-kept': 1 }])
    const dna = assignment(haploid('02:01:01:01') + haploid('A*24:02:01:01'))
    const now = assignment(haploid('02:01') + haploid('A*24:02'), `${OURS.replace(/ ?allele-version="3.58.0"/, '')} allele-version="3.58.0"`) // prettier-ignore
    expect((await convertXml(hml(dna), { into: 'replace' })).output).toBe(hml(now))
  })

  test('comments and sections in a GL String stay', async () => {
    const inside = (text: string) =>
      `<glstring><![CDATA[ ${text} ]]></glstring><glstring>${text}<!-- b --></glstring>`
    const { output } = await convertXml(hml(assignment(inside('A*02:01:01:01'))), { into: 'replace' })
    expect(output).toContain(inside('A*02:01'))
  })

  test('an allele assignment of which one typing fails stays as it is, and the others do not', async () => {
    const bad = assignment(gl('A*99:99') + gl('B*07:02:01:01'))
    const good = assignment(gl('A*02:01:01:01'))
    for (const into of ['after', 'replace'] as const) {
      const { output, failures, record } = await convertXml(hml(bad, good), { into })
      expect(output).toBe(
        hml(bad, into === 'after' ? good + ours('A*02:01') : assignment(gl('A*02:01'), OURS)),
      )
      expect(failures).toHaveLength(1)
      expect(record?.status).toMatchObject({ ok: 2, error: 1 })
    }
  })

  test('genotype elements that would say something else are not passed over', async () => {
    const text = hml(assignment(`${gl('A*02:01:01:01')}<genotype/>`))
    const { output, record } = await convertXml(text, { into: 'replace' })
    expect([output, record?.codes]).toEqual([text, { 'unfit-answer': 1 }])
  })

  test('an antigen stays where the answer is none, and is one where it is', async () => {
    const text = hml(assignment(gl('HLA-A*02:01+HLA-A24')))
    const { output, record } = await convertXml(text)
    expect([output, record?.notes]).toEqual([text, expect.objectContaining({ 'antigen-kept': 1 })])
    const { output: antigens } = await convertXml(hml(assignment(gl('HLA-A*02:01'))), { methods: ['S'] })
    expect(antigens).toContain(ours('HLA-A2'))
  })

  test('typings of other genes stay, and are told', async () => {
    const text = hml(assignment(gl('KIR2DL1*001')), assignment(gl('A*02:01:01:01')))
    const { output, record, planText } = await convertXml(text)
    expect(output).toBe(hml(assignment(gl('KIR2DL1*001')), assignment(gl('A*02:01:01:01')) + ours('A*02:01')))
    expect(record?.unread?.map(({ columns }) => columns)).toEqual([['KIR2DL1']])
    expect(planText).toContain(
      'unread     KIR2DL1          KIR2DL1 is not a locus of this release -> it stays as it is\n',
    )
  })

  test('of a sample that cannot be read nothing is changed', async () => {
    const sample = (id: string, inside: string) => `<sample id="${id}"><typing>${inside}</typing></sample>`
    const [good, uri] = [assignment(gl('A*02:01:01:01')), assignment('<glstring uri="http://x/1"/>')]
    const text = (...samples: string[]) => `<hml version="1.0.1">${samples.join('')}</hml>`
    const bad = sample('S1', `${good}${uri}`)
    const { output, failures, record } = await convertXml(text(bad, sample('S2', good), sample('S2', good)))
    expect(output).toBe(text(bad, sample('S2', good + ours('A*02:01')), sample('S2', good)))
    expect([failures.length, record?.rows, record?.codes]).toEqual([2, 3, { 'bad-record': 2 }])
  })
})

function donors(...typings: string[]): string {
  return `{"donors": [${typings.map((one, at) => `{"recordId": ${at + 1}, "hla": {"A": {"dna": {"field1": ${one}, }}}},`).join('\n')}]}`
}

async function convertJson(text: string, options: Options = {}) {
  return convertRecords({ 'f.json': text }, { ...SAME, ...options })
}

describe('donor JSON', () => {
  test.each([
    ['"*02:01:01:01"', '"*02:01"'],
    ['"02:01:01:01"', '"02:01"'],
    ['"A*02:01:01:01"', '"A*02:01"'],
    ['"HLA-A*02:01:01:01"', '"HLA-A*02:01"'],
    ['" *02:01 "', '" *02:01 "'],
    ['"\\u002a02:01"', '"\\u002a02:01"'],
    ['"*02:01:01:01/02:03:01:01"', '"*02:01/02:03"'],
    ['"*02:03/02:01"', '"*02:03/02:01"'],
    ['"NNNN"', '"NNNN"'],
    ['null', 'null'],
  ])('%s becomes %s', async (typing, expected) => {
    const { output, failures } = await convertJson(donors(typing, '"*24:02:01:01"'))
    expect([output, failures]).toEqual([donors(expected, '"*24:02"'), []])
  })

  const serology = (typing: string) => donors('null').replace('"dna": {"field1": null, }', `"ser": {"field1": ${typing}}, "dna": null`) // prettier-ignore

  test.each(['"2"', '2', '"A2"'])('the antigen %s stays, unless an antigen is asked for', async (typing) => {
    const { output, record } = await convertJson(serology(typing))
    expect([output, record?.notes]).toEqual([
      serology(typing),
      expect.objectContaining({ 'antigen-kept': 1 }),
    ])
    const { output: kept } = await convertJson(serology(typing), { methods: ['S'] })
    expect(kept).toBe(serology(typing))
  })

  test('a typing whose answer the field cannot hold stays, and is told', async () => {
    const text = donors('"*02:01"', '"*24:02:01:01"')
    const { output, failures, record } = await convertJson(text, { methods: ['S'] })
    expect([output, record?.codes]).toEqual([text, { 'unfit-answer': 2 }])
    expect(failures[0]).toMatch(/^f\.json:1:\/donors\[1\]\/hla\/a\/dna\/field1:A_1: A2: a field of A can hold only names of A/) // prettier-ignore
  })

  test('what fails stays as it was, is taken out, or ends the run', async () => {
    const text = donors('"*99:99"', '"*24:02:01:01"')
    expect((await convertJson(text)).output).toBe(donors('"*99:99"', '"*24:02"'))
    expect((await convertJson(text, { onError: 'blank' })).output).toBe(donors('""', '"*24:02"'))
    await expect(convertJson(text, { onError: 'fail' })).rejects.toThrow(
      /^f\.json:1:\/donors\[1\]\/hla\/a\/dna\/field1:A_1: A\*99:99/,
    )
  })

  test('a donor that cannot be read stays as it is', async () => {
    const text = donors('"*02:01:01:01"', '[]', '"*24:02:01:01"')
    const { output, record } = await convertJson(text)
    expect([output, record?.codes]).toEqual([donors('"*02:01"', '[]', '"*24:02"'), { 'bad-record': 1 }])
  })

  test('loci that the release has not stay, and are told', async () => {
    const text = donors('"*02:01"').replace('"A"', '"XYZ"')
    const { output, record } = await convertJson(text)
    expect([output, record?.unread?.[0]?.columns]).toEqual([text, ['XYZ']])
  })
})

function inventory(...items: string[]): string {
  return `<INVENTORIES><INVENTORY SCHEMA_VERSION="2.3">${items.join('')}</INVENTORY></INVENTORIES>`
}

function item(id: string, dna: string, serology = '', more = ''): string {
  return `<DONOR><ID>${id}</ID><HLA><A><SER>${serology}</SER><DNA>${dna}</DNA></A></HLA>${more}</DONOR>`
}

describe('WMDA inventories', () => {
  const one = (text: string) => `<FIELD1>${text}</FIELD1>`
  test.each([
    ['02:01:01:01', '02:01'],
    ['*02:01:01:01', '*02:01'],
    [' 02:01:01:01\n', ' 02:01\n'],
    ['<![CDATA[02:01:01:01]]>', '<![CDATA[02:01]]>'],
    ['02:01:01:01<!-- a -->', '02:01<!-- a -->'],
    ['0&#x32;:01', '0&#x32;:01'],
    ['02:01/03', '02:01/03'],
    ['NNNN', 'NNNN'],
  ])('%j becomes %j', async (typing, expected) => {
    const text = (of: string) =>
      inventory(item('D1', `${one(of)}<FIELD2/>`, one('2')), item('D2', one('24:02')))
    const { output, failures } = await convertXml(text(typing), { inputFormat: 'wmda' })
    expect([output, failures]).toEqual([text(expected), []])
  })

  test('what fails stays, and is told by donor, line and path; of a donor that cannot be read nothing is changed', async () => {
    const text = inventory(item('D1', one('99:99')), item('D2', one('02:01:01:01')), item('D2', one('02:01:01:01')))
    const { output, failures, record } = await convertXml(text, { inputFormat: 'wmda' })
    expect(output).toBe(inventory(item('D1', one('99:99')), item('D2', one('02:01')), item('D2', one('02:01:01:01'))))
    expect([record?.rows, record?.codes]).toEqual([3, { 'unknown-allele': 1, 'bad-record': 1 }])
    expect(failures[0]).toMatch(/^f\.xml:1:\/INVENTORIES\/INVENTORY\[1\]\/DONOR\[1\]\/HLA\/A\/DNA\/FIELD1:A_1: A\*99:99/)
  }) // prettier-ignore

  test('a failed typing is taken out where that is asked for; the HLA of a mother is not the donor’s', async () => {
    const mother = `<MAT><HLA><A><DNA>${one('02:01:01:01')}</DNA></A></HLA></MAT>`
    const text = (of: string) => inventory(item('D1', one(of), '', mother))
    const options = { inputFormat: 'wmda', onError: 'blank' } as const
    expect((await convertXml(text('99:99'), options)).output).toBe(text(''))
  })

  test('antigens are asked for as antigens', async () => {
    const text = (of: string) => inventory(item('D1', '', one(of)))
    const { output, record } = await convertXml(text('2'), { inputFormat: 'wmda' })
    expect([output, record?.notes]).toEqual([text('2'), expect.objectContaining({ 'antigen-kept': 1 })])
  })
})

test('a text without an end ends no run: its person stays as it is', async () => {
  const long = 'A*02:01/'.repeat(6 << 20)
  const sample = (id: string, text: string) =>
    `<sample id="${id}"><typing>${assignment(gl('A*02:01:01:01'))}</typing><typing>${assignment(gl(text))}</typing></sample>`
  const message = `<hml version="1.0.1">${sample('S1', long)}${sample('S2', 'B*07:02:01:01')}</hml>`
  const { output, record } = await convertXml(message)
  expect(output === message.replace(/(?<=S2).*$/s, (rest) => rest.replace('allele-assignment></typing>', `allele-assignment>${ours('A*02:01')}</typing>`).replace('B*07:02:01:01</glstring></allele-assignment>', (end) => end + ours('B*07:02')))).toBe(true) // prettier-ignore
  expect(record?.codes).toEqual({ 'bad-record': 1 })
  const donor = (id: string, text: string) => item(id, `<FIELD1>${text}</FIELD1>`)
  const inventories = await convertXml(inventory(donor('D1', long), donor('D2', '02:01:01:01')), { inputFormat: 'wmda' }) // prettier-ignore
  expect(inventories.output === inventory(donor('D1', long), donor('D2', '02:01'))).toBe(true)
  expect(inventories.record?.codes).toEqual({ 'bad-record': 1 })
})

describe('what is refused', () => {
  const json = donors('"*02:01"')
  const xml = hml(assignment(gl('A*02:01')))
  test.each([
    ['a table', 'id,A_1,A_2\n1,01:01,02:01\n', {}, /cannot write .* in its own format \(supported: hml, wmda, donor-json\)/],
    ['a place that a format has not', json, { into: 'after' }, /--into after is not for donor-json: a field of a donor/],
    ['a place that tables have', xml, { into: 'append' }, /--into append is not for hml/],
    ['two methods', json, { methods: ['lgx', 'G'] }, /writes one result per typing, not lgx, G/],
    ['options of tables', json, { columns: 'A', shape: 'long', header: false }, /^-H -c --shape: not for/],
    ['columns of a report', json, { onError: 'report' }, /^--on-error report: not for/],
    ['an empty GL String', xml, { onError: 'blank' }, /--on-error blank cannot be used with hml/],
    ['bytes of no encoding', Buffer.concat([Buffer.from(xml), Buffer.from([0x0a, 0xff])]), { encoding: 'utf8' }, /bytes that are not UTF-8/],
    ['a message that is cut', xml.slice(0, -8), {}, /is not XML that can be read/],
    ['donors that are cut', json.slice(0, -3), {}, /is cut short/],
  ] as const)('%s', async (_, text, options, message) => {
    await expect(convertRecords({ f: text }, { ...SAME, ...options })).rejects.toThrow(message)
  }) // prettier-ignore

  test('several files', async () => {
    await expect(convertRecords({ a: json, b: json }, SAME)).rejects.toThrow(
      /writes one document, and several/,
    )
  })
})

test('the plan says what is written', async () => {
  const { planText } = await convertXml(hml(assignment(gl('HLA-A*02:01:01:01'))))
  expect(planText).toMatch(/^input +f\.xml {2}HML, UTF-8\nread as +the GL Strings of samples\n/)
  expect(planText).toMatch(/\noutput +HML as it was read, with an allele-assignment by 3\.58\.0 after the existing ones of each typing\n$/) // prettier-ignore
})
