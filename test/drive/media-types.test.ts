/** Media types by file name. */
import { expect, test } from 'vitest'
import { guessMediaType, knownMediaType } from '../../src/drive/contract/media-types.ts'

test.each([
  ['donors.csv', 'text/csv'],
  ['DONORS.CSV', 'text/csv'],
  ['donors.csv.gz', 'application/gzip'],
  ['S1.hml', 'application/xml'],
  ['S1.xml', 'application/xml'],
  ['gel.png', 'image/png'],
  ['scan.JPEG', 'image/jpeg'],
  ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['report.pdf', 'application/pdf'],
  ['reads.bam', 'application/x-bam'],
  ['hla_gen.fasta', 'text/x-fasta'],
  ['.csv', 'text/csv'],
  ['table.', 'application/octet-stream'],
  ['csv', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
])('%s: %s', (title, type) => {
  expect(guessMediaType(title)).toBe(type)
  expect(knownMediaType(title)).toBe(type === 'application/octet-stream' ? undefined : type)
})
