/** Common column names are read without regular expressions, with the same result. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLocusHeader } from '../../src/table/words/locus-header.ts'
import { listWords } from '../../src/table/words/header-words.ts'
import { guessSubject } from '../../src/table/plan/recognition/locus-pairs.ts'
import { rounds } from '../support/rounds.ts'

const locus = fc.constantFrom(...listWords('locus'), 'drb1', 'Cw')
const prefix = fc.constantFrom('', '', 'HLA-', 'HLA_', 'hla ', 'HLA')
const separator = fc.constantFrom('', '_', '-', ' ', '.', '__', '. ')
const slot = fc.constantFrom('', '1', '2', '01', '02', '11', '12', '0', '3', '10', '21', '1_2')

test('a name says what it says behind that of a person, which only the patterns read', () => {
  fc.assert(
    fc.property(prefix, locus, separator, slot, (before, name, between, which) => {
      const plain = `${before}${name}${between}${which}`
      const own = readLocusHeader(plain).filter(({ subject }) => subject === '')
      const behind = readLocusHeader(`x_${plain}`)
        .filter(({ subject }) => subject === 'x')
        .map((read) => ({ ...read, subject: '' }))
      expect(behind).toEqual(own)
    }),
    { numRuns: rounds(5000) },
  )
})

test.each([
  ['A1_mother', 'mother'],
  ['mother1_A', 'mother'],
  ['twin2b_A1', 'twin2b'],
  ['DA1', 'D'],
  ['A1.x', 'x'],
  ['A1', ''],
  ['A1_his_mother', ''],
])('the person of %s is %j', (name, subject) => {
  expect(guessSubject(name)).toBe(subject)
})
