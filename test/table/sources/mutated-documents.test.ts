/**
 * Documents and typing programs' files with a character changed, deleted or repeated, or truncated: no person is lost
 * without a message.
 */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { PROGRAM_FILES } from '../../support/program-files.ts'
import { type ConvertedRecords, convertRecords } from '../../support/record-tables.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

const ROUNDS = process.env['HLA_LONG'] ? 3000 : 150
const PERSONS = ['S1', 'S2', 'S3', 'S4', 'S5']

const sample = (id: string) => `<sample id="${id}" center-code="9">
  <typing gene-family="HLA"><allele-assignment allele-db="IMGT/HLA" allele-version="3.25.0">
    <glstring>HLA-A*02:01+HLA-A*24:02</glstring></allele-assignment></typing>
  <typing><allele-assignment><haploid locus="HLA-B" method="DNA" type="07:02"></haploid></allele-assignment></typing>
</sample>
`
const donor = (id: string) => `    { "recordId": "${id}", "donorType": "D", "hla": {
        "A": { "Dna": { "Field1": "*02:01", "Field2": "*24:02", }, "ser": null, },
        "b": { "dna": { "field1": "07:02/03", "field2": null }, "ser": { "field1": "7" } } } },
`

/** Text before, around and after the persons. */
const DOCUMENTS = [
  ['hml', '<?xml version="1.0"?>\n<hml version="1.0.1">\n', sample, '</hml>\n'],
  ['donor-json', '{ "updateMode": "full", "donors": [\n', donor, '  ],\n}\n'],
] as const

interface Mutant {
  readonly text: string
  readonly at: number
}

function mutant(text: string, random: () => number): Mutant {
  const at = Math.floor(random() * text.length)
  const changes = [
    () => text.slice(0, at) + '<>&;"/=\n*:{}[],x'.charAt(Math.floor(random() * 16)) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + text.slice(Math.max(0, at - 9)),
    () => text.slice(0, at),
  ]
  return { text: changes[Math.floor(random() * changes.length)]?.() ?? text, at }
}

/** Typings of the resulting table, or a refusal; any other error is a fault. */
async function convert(text: string, inputFormat: string): Promise<ConvertedRecords | HlaError> {
  const options = { into: 'none', glOut: 'gl', outDelimiter: '\t', inputFormat } as const
  try {
    return await convertRecords({ 'f.txt': text }, options)
  } catch (error) {
    if (error instanceof HlaError) return error
    throw error
  }
}

/** Name -> typings, each with its column. */
function typingsIn({ output }: ConvertedRecords): readonly (readonly [string, readonly string[]])[] {
  const [head = '', ...rows] = output.split('\n').slice(0, -1)
  const names = head.split('\t')
  return rows.map((row) => {
    const [person = '', ...cells] = row.split('\t')
    const typings = cells.flatMap((cell, at) =>
      cell !== '' && /_[12]$/.test(names[at + 1] ?? '') ? [`${names[at + 1]} ${cell}`] : [],
    )
    return [person, typings.toSorted()]
  })
}

describe.each(DOCUMENTS)('%s', (inputFormat, before, person, behind) => {
  const all = PERSONS.map(person)
  const document = before + all.join('') + behind
  const starts = all.map((_, at) => before.length + all.slice(0, at).join('').length)

  test('a document of which a sign is changed keeps all other persons, and loses nobody without a line', async () => {
    const whole = await convert(document, inputFormat)
    if (whole instanceof HlaError) throw whole
    const expected = typingsIn(whole)[0]?.[1] ?? []
    expect([typingsIn(whole).length, expected.length]).toEqual([PERSONS.length, 3])
    const random = randomNumbers(71)
    const faults: unknown[] = []
    let converted = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const { text, at } = mutant(document, random)
      const result = await convert(text, inputFormat)
      if (result instanceof HlaError) continue
      converted += 1
      const rows = typingsIn(result)
      const isLost =
        rows.length < PERSONS.length || rows.some(([, typings]) => typings.length < expected.length)
      if (isLost && result.failures.length === 0) faults.push(['lost', changed(document, text)])
      // a repetition starts up to nine characters before
      const isTouched = (index: number) =>
        at >= (starts[index] ?? 0) && at - 9 < (starts[index + 1] ?? document.length)
      for (const [index, name] of PERSONS.entries())
        if (!isTouched(index) && !isDeepStrictEqual(new Map(rows).get(name), expected))
          faults.push([name, changed(document, text)])
    }
    expect(faults).toEqual([])
    expect(converted).toBeGreaterThan(ROUNDS / 10)
  })
})

/** Both texts around their first difference. */
function changed(from: string, to: string): string {
  let at = 0
  while (at < from.length && from[at] === to[at]) at += 1
  return `${from.slice(Math.max(0, at - 20), at + 20)} -> ${to.slice(Math.max(0, at - 20), at + 20)}`
}

test('a file of a program of which a sign is changed is converted, or refused as what it is', async () => {
  const random = randomNumbers(72)
  const seen = { converted: 0, refused: 0 }
  for (const [name, , text] of PROGRAM_FILES)
    for (let round = 0; round < ROUNDS / 10; round += 1)
      for (const inputFormat of [name, 'auto']) {
        const result = await convert(mutant(text, random).text, inputFormat)
        seen[result instanceof HlaError ? 'refused' : 'converted'] += 1
      }
  expect(Math.min(seen.converted, seen.refused)).toBeGreaterThan(ROUNDS / 10)
})
