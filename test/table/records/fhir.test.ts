/**
 * FHIR: genotype Observations as lines, in a Bundle, alone and as the summary of a report; skipped and refused input.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { convertRecords } from '../../support/record-tables.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'

const OPTIONS = { into: 'replace', outDelimiter: ',' } as const

const coding = (code: string, system = 'http://glstring.org') => ({ coding: [{ system, code }] })
const observation = (person: string | undefined, code: string, more: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  code: coding('84413-4', 'http://loinc.org'),
  ...(person === undefined ? {} : { subject: { reference: `Patient/${person}` } }),
  valueCodeableConcept: coding(code),
  ...more,
})
const report = (person: string, code: string, more: object = {}) => ({
  resourceType: 'DiagnosticReport',
  status: 'final',
  subject: { reference: `Patient/${person}` },
  extension: [
    { url: 'http://example.org/other', valueString: 'x' },
    {
      url: 'http://fhir.nmdp.org/ig/hla-reporting/StructureDefinition/hla-genotype-summary',
      valueCodeableConcept: coding(code),
    },
  ],
  ...more,
})
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const bundle = (...all: readonly object[]) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: all.map((resource) => ({ resource })) }, null, 1) // prettier-ignore

const A = 'hla#3.58.0#HLA-A*01:01+HLA-A*02:01'
const B = 'hla#3.58.0#HLA-B*07:02+HLA-B*08:01'
const TABLE = 'subject,A_1,A_2,B_1,B_2\nP1,A*01:01,A*02:01,B*07:02,B*08:01\nP2,A*02:01,A*01:01,,\n'
const THREE = [observation('P1', A), observation('P1', B), observation('P2', 'hla#3.58.0#A*02:01+A*01:01')]

describe('what is read', () => {
  test.for([
    ['a resource a line', lines(...THREE)],
    ['lines that end otherwise, and empty ones', lines(...THREE).replaceAll('\n', '\r\n\r\n')],
    ['a Bundle', bundle({ resourceType: 'Patient', id: 'P1' }, ...THREE)],
    ['a Bundle in one line', JSON.stringify(JSON.parse(bundle(...THREE)))],
    ['several loci of a code', lines(observation('P1', `${A}^HLA-B*07:02+HLA-B*08:01`), THREE[2] ?? {})],
    ['the summary of a report', lines(report('P1', `${A}^HLA-B*07:02+HLA-B*08:01`), report('P2', 'hla#3.58.0#HLA-A*02:01+HLA-A*01:01'))],
    ['the Observations of a subject before its summary', bundle(report('P1', A), ...THREE)],
    ['other resources and Observations beside', lines({ resourceType: 'Patient', id: 'P1' }, ...THREE, { ...observation('P1', 'hla#3.58.0#A*03:01'), code: coding('84414-2', 'http://loinc.org') })],
    ['a subject by its identifier', lines(...THREE.map((one) => ({ ...one, subject: { identifier: { value: one.subject?.reference.slice(8) } } })))],
  ] as const)('%s', async ([, text]) => {
    for (const piece of [1 << 16, 7]) {
      const { output, failures, plan } = await convertRecords({ 'f.json': text }, { ...OPTIONS, piece })
      expect([output, failures, plan?.made?.format]).toEqual([TABLE, [], 'FHIR'])
    }
    const asked = await convertRecords({ 'f.json': text }, { ...OPTIONS, inputFormat: 'fhir' })
    expect(asked.output).toBe(TABLE)
  }) // prettier-ignore

  test('one resource alone, of nobody who is named, is of the file', async () => {
    const text = JSON.stringify(observation(undefined, A), null, 2)
    const { output } = await convertRecords({ 'S7.json': text }, OPTIONS)
    expect(output).toBe('subject,A_1,A_2\nS7,A*01:01,A*02:01\n')
  })

  test.for(['cancelled', 'entered-in-error'])(
    'a typing that is %s is none, and its subject stays',
    async (status) => {
      const text = lines(observation('P1', A), observation('P2', A, { status }), observation('P3', A, { valueCodeableConcept: undefined, dataAbsentReason: coding('unknown') })) // prettier-ignore
      const { output } = await convertRecords({ 'f.json': text }, OPTIONS)
      expect(output).toBe('subject,A_1,A_2\nP1,A*01:01,A*02:01\nP2,,\nP3,,\n')
    },
  )

  test('a failure names line and path, and each code its release', async () => {
    const wrong = bundle(observation('P1', A), observation('P1', 'hla#3.58.0#HLA-B*99:99+HLA-B*08:01'))
    const { failures } = await convertRecords({ 'f.json': wrong }, OPTIONS)
    const line = wrong.split('\n').findIndex((one) => one.includes('B*99:99')) + 1
    expect(failures).toEqual([
      `f.json:${line}:/entry[2]/resource/valueCodeableConcept/coding[1]:B_1: B*99:99 is not in IPD-IMGT/HLA 3.58.0 [unknown-allele]`,
    ])
    const other = await convertRecords({ 'f.json': lines(observation('P1', 'hla#9.9.9#A*01:01')) })
    expect(other.failures).toEqual([expect.stringMatching(/^f\.json:1:.*\[(?:no-data|unknown-release)\]/)])
  })

  test('two Observations of a locus are told, not merged', async () => {
    const text = lines(observation('P1', A), observation('P1', 'hla#3.58.0#A*03:01'))
    const { failures } = await convertRecords({ 'f.json': text }, OPTIONS)
    expect(failures).toEqual([expect.stringMatching(/\[surplus-typing\]$/)])
  })
})

describe('what is refused', () => {
  test.for([
    ['a broken line', `${lines(observation('P1', A))}{"resourceType": "Observation"\n`, /line 2: it is not valid JSON/],
    ['a list', `${lines(observation('P1', A))}[]\n`, /line 2: a resource is an object/],
    ['an object without a type', `${lines(observation('P1', A))}{"id": "x"}\n`, /line 2: it has no resourceType/],
    ['other resources alone', lines({ resourceType: 'Patient' }), /line 1: "Patient" holds no typings/],
    ['a name twice', `{"resourceType": "Observation", "status": "final", "status": "cancelled"}\n`, /line 1: two fields of one object have the same name/],
    ['a name twice in a Bundle', bundle(observation('P1', A)).replace('"status"', '"status": "final", "status"'), /\/entry\[1\]: two fields/],
    ['no code', lines(observation('P1', A, { valueCodeableConcept: coding(A, 'http://x.org') })), /line 1: \/valueCodeableConcept: no GL String Code/],
    ['two codes', lines(observation('P1', A, { valueCodeableConcept: { coding: [...coding(A).coding, ...coding(B).coding] } })), /2 GL String Codes/],
    ['a GL String', lines(observation('P1', 'HLA-A*01:01')), /coding\[1\]: "HLA-A\*01:01" is not a GL String Code/],
    ['a code that names no locus', lines(observation('P1', 'hla#3.58.0#01:01+02:01')), /names no locus/],
    ['one without a subject among others', lines(observation('P1', A), observation(undefined, B)), /line 2: some typings of the document have a subject, others have none/],
    ['a Bundle that is cut', bundle(observation('P1', A)).slice(0, -4), /cut short/],
    ['a list in something else', bundle(observation('P1', A)).replace('"Bundle"', '"Basket"'), /line 1: "Basket" holds no typings/],
    ['a Bundle in a list of something else', JSON.stringify({ resourceType: 'Basket', entry: [{ resource: { resourceType: 'Bundle' } }] }), /line 1: a list of entries must be a Bundle/],
    ['a resource without an end', `{"resourceType": "Observation", "x": "${'y'.repeat(1_100_000)}`, /longer than/],
    ['1,000 levels', `{"resourceType": "Bundle", "entry": [{"resource": ${'['.repeat(1000)}`, /more than 100 nested brackets/],
  ] as const)('%s', async ([, text, message]) => {
    await expect(convertRecords({ 'f.json': text }, { ...OPTIONS, inputFormat: 'fhir' })).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(message) as string,
    })
  }) // prettier-ignore
})

describe('what is written', () => {
  const written = (text: string) => convertRecords({ 't.csv': text }, { outputFormat: 'fhir' })
  const codes = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            subject: { identifier: { value: string } }
            valueCodeableConcept: { coding: readonly { code: string }[] }
          },
      ) // prettier-ignore
      .map(({ subject, valueCodeableConcept: { coding: all } }) => [subject.identifier.value, all[0]?.code])

  test('an Observation a genotype, which is read back as it was', async () => {
    const table = 'id,A_1,A_2,B_1,B_2\nP1,A*01:01,A*02:01,B*07:02,\n"Ä, 2",A*01:AB,A*02:01,,\n3,A*01:01+A*02:01|A*01:02+A*02:03,,B*07:02,B*08:01\n' // prettier-ignore
    const { output, failures } = await written(table)
    expect(failures).toEqual([])
    expect(codes(output)).toEqual([
      ['P1', 'hla#3.58.0#HLA-A*01:01+HLA-A*02:01'],
      ['P1', 'hla#3.58.0#HLA-B*07:02'],
      ['Ä, 2', 'hla#3.58.0#HLA-A*01:01/HLA-A*01:02+HLA-A*02:01'],
      ['3', 'hla#3.58.0#HLA-A*01:01+HLA-A*02:01|HLA-A*01:02+HLA-A*02:03'],
      ['3', 'hla#3.58.0#HLA-B*07:02+HLA-B*08:01'],
    ])
    // ASCII, valid in any encoding
    expect(output).toMatch(/^[\n -~]*$/)
    const back = await convertRecords({ 'f.jsonl': output }, { into: 'replace', outDelimiter: ',' })
    expect(back.output).toBe('subject,A_1,A_2,B_1,B_2\nP1,A*01:01,A*02:01,B*07:02,\n"Ä, 2",A*01:01/A*01:02,A*02:01,,\n3,A*01:01+A*02:01|A*01:02+A*02:03,,B*07:02,B*08:01\n') // prettier-ignore
    expect((await convertRecords({ 'f.jsonl': output }, { outputFormat: 'fhir' })).output).toBe(output)
  })

  test('it has the members that the examples of the guide have', async () => {
    const { output } = await written('id,A_1,A_2\nP1,A*01:01,A*02:01\n')
    expect(JSON.parse(output)).toEqual({
      resourceType: 'Observation',
      meta: { profile: ['http://fhir.nmdp.org/ig/hla-reporting/StructureDefinition/hla-genotype'] },
      status: 'unknown',
      category: [coding('laboratory', 'http://terminology.hl7.org/CodeSystem/observation-category')],
      code: coding('84413-4', 'http://loinc.org'),
      subject: { identifier: { value: 'P1' } },
      valueCodeableConcept: coding('hla#3.58.0#HLA-A*01:01+HLA-A*02:01'),
      component: [{ code: coding('48018-6', 'http://loinc.org'), valueCodeableConcept: { text: 'HLA-A' } }],
    })
  })

  test('of a genotype of which something failed, or that is no code, nothing is written', async () => {
    const table = 'id,A_1,A_2,DRB3_1\nP1,A*99:99,A*02:01,NNNN\nP2,A2,A*02:01,\nP3,A*02:01,NEW,\n'
    const { output, failures } = await convertRecords({ 't.csv': table }, { outputFormat: 'fhir', methods: ['S'] }) // prettier-ignore
    expect(output).toBe('')
    expect(failures).toEqual([
      expect.stringMatching(/^t\.csv:2:A_1: A\*99:99 is not in/),
      't.csv:2:A_2: FHIR cannot hold one copy of a genotype whose other is not known [not-in-format]',
      't.csv:2:DRB3_1: FHIR cannot hold an absent gene [not-in-format]',
      't.csv:3:A_1: FHIR cannot hold an antigen, which does not name its locus [not-in-format]',
      't.csv:3:A_2: FHIR cannot hold an antigen, which does not name its locus [not-in-format]',
      't.csv:4:A_1: FHIR cannot hold one copy of a genotype whose other is not known [not-in-format]',
      't.csv:4:A_2: FHIR cannot hold a new allele [not-in-format]',
    ])
  })
})

describe.skipIf(!hasShared)('the examples of the guide', () => {
  const folder = () => sharedPath('formats/fhir')
  test.for([
    ['Observation-HLA-A-GenotypeExample.json', 'read'],
    ['DiagnosticReport-HLA-AB-SummaryReportExample.json', 'line 20: /extension[1]/valueCodeableConcept/coding[1]: "#B*57:01:01:01+B*15:01:01:01" names no locus'],
    ['StructureDefinition-hla-molecularsequence.json', 'line 1: "StructureDefinition" holds no typings'],
  ] as const)('%s', async ([name, expected]) => {
    const text = readFileSync(`${folder()}/${name}`)
    const converted = convertRecords({ [name]: text })
    if (expected !== 'read') return expect(converted).rejects.toMatchObject({ code: 'io', message: expected })
    expect((await converted).output.split('\n')[1]).toMatch(/^Observation-HLA-A-GenotypeExample\thla#3\.25\.0#A\*01:01:01:01\t/)
  }) // prettier-ignore

  test('are all there', () => {
    expect(readdirSync(folder()).length).toBe(3)
  })
})
