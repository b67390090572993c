/** Donor import files of Atlas: JSON with a list of donors, whose names have any case and whose lists may end in a comma. */
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'
import { documentBeginning, documentDialect, documentText } from './document-source.ts'
import { donorReader, donorRecords } from './donor-reader.ts'
import { FrameCutter } from './json-frames.ts'

export const DONOR_JSON: RecordFormat = {
  name: 'donor-json',
  summary: 'donor import files of Atlas (JSON)',
  example: '{"donors": [{"recordId": "D1", "hla": {"a": {"dna": {"field1": "*01:01"}}}}]}',
  open(file, isAsked) {
    const begun = documentBeginning(file)
    if (!isAsked && !isDonors(begun)) return undefined
    return {
      format: 'donor JSON',
      reading: 'the typings of donors: in DNA, else in serology',
      personName: 'recordId',
      extras: ['changeType', 'donorType'].map((name) => ({ name, isOfTyping: false })),
      ignored: ['all else about a donor', 'serology of a locus that has DNA'],
      dialect: documentDialect(file),
      hasPaths: true,
      isApart: true,
      blocks: () => readDonors(file),
    }
  },
}

/** Also of a document whose beginning is lost: it is refused as such, and its lines are no typings. */
function isDonors(begun: string): boolean {
  if (/^\s*\{/.test(begun)) return /"donors"\s*:\s*\[/i.test(begun) && !/"alleles"/.test(begun)
  return /^\s*"\w+"\s*:/.test(begun) && /"recordId"\s*:/i.test(begun) && /"hla"\s*:\s*\{/i.test(begun)
}

async function* readDonors(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const cutter = new FrameCutter('donors', file.input.name)
  const reader = donorReader(file.input.name, file.isChecked)
  for await (const text of documentText(file))
    yield cutter.add(text).flatMap((frame) => donorRecords(reader.read(frame)))
  reader.finish(cutter.finish())
}
