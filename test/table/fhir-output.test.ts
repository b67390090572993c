/** FHIR as output: genotype Observations of the HLA reporting guide, one per line. */
import { expect, test } from 'vitest'
import { convertRecords } from '../support/record-tables.ts'

const coding = (code: string, system = 'http://glstring.org') => ({ coding: [{ system, code }] })
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

test('an Observation per genotype', async () => {
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
  // UTF-8, whatever the encoding of the table
  const wide = Buffer.from(`\ufeff${table}`, 'utf16le')
  expect((await convertRecords({ 't.csv': wide }, { outputFormat: 'fhir' })).output).toBe(output)
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
