/** Generated documents with extremely long texts: memory stays small, and the other persons are converted. */
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
  ['a GL String', '<typing><allele-assignment><glstring>', '</glstring></allele-assignment></typing>', 1],
  ['a sequence, which nobody reads', `${A}<typing><sequence>`, '</sequence></typing>', 0],
  ['a comment', `${A}<!-- `, '-->', undefined],
  ['an attribute', '<typing gene-family="', '"></typing>', undefined],
] as const)(
  '%s without an end',
  async (_, before, behind, failed) => {
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
    const result = await convertRecords({ 'f.xml': bytes }, { into: 'replace', outDelimiter: ',' }).catch((error: unknown) => error as Error) // prettier-ignore
    expect(Math.round(peak.bytes / MIB)).toBeLessThan(MOST_HELD / MIB)
    // very long markup that is neither text nor an element is refused
    if (failed === undefined && result instanceof Error) return expect(result.message).toMatch(/Max buffer length exceeded/) // prettier-ignore
    if (result instanceof Error) throw result
    expect(result.failures.length).toBe(failed ?? 0)
    expect(result.output.match(/^S[123],/gm)).toEqual(['S1,', 'S2,', 'S3,'])
  },
  600_000,
)
