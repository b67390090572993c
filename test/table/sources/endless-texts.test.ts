/** Generated documents with extremely long texts are refused before they take much memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { convertRecords } from '../../support/record-tables.ts'

const MIB = 1024 ** 2
const SIZE = (process.env['HLA_LONG'] ? 2048 : 96) * MIB
/** Additional bytes of memory, mostly for pieces in progress. */
const MOST_HELD = 32 * MIB

const A =
  '<typing><allele-assignment><glstring>HLA-A*02:01+HLA-A*24:02</glstring></allele-assignment></typing>'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const held = () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.each([
  ['a GL String', '<typing><allele-assignment><glstring>', '</glstring></allele-assignment></typing>'],
  ['a sequence, which is not read', `${A}<typing><sequence>`, '</sequence></typing>'],
  ['a comment', `${A}<!-- `, '-->'],
  ['an attribute', '<typing gene-family="', '"></typing>'],
] as const)(
  '%s without an end',
  async (_, before, behind) => {
    const peak = { bytes: 0 }
    const start = held()
    async function* bytes() {
      yield Buffer.from(`<hml version="1.0.1"><sample id="S1">${A}</sample>\n<sample id="S2">${before}`)
      const piece = Buffer.alloc(MIB, 'ACGT')
      for (let at = 0; at < SIZE; at += MIB) {
        if (at % (16 * MIB) === 0) peak.bytes = Math.max(peak.bytes, held() - start)
        yield await Promise.resolve(piece)
      }
      yield Buffer.from(`${behind}</sample>\n<sample id="S3">${A}</sample></hml>`)
    }
    await expect(convertRecords({ 'f.xml': bytes }, { into: 'replace', outDelimiter: ',' })).rejects.toThrow(
      'more than 8 MiB without a tag',
    )
    expect(Math.round(peak.bytes / MIB)).toBeLessThan(MOST_HELD / MIB)
  },
  600_000,
)
