/** Inventories of the WMDA (XML): donors and cord blood units of a registry. */
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'
import { documentBeginning, documentDialect, documentText, xmlParts } from './document-source.ts'
import { WMDA_EXTRAS, itemRecords } from './wmda-item.ts'
import { WmdaReader } from './wmda-reader.ts'

export const WMDA: RecordFormat = {
  name: 'wmda',
  summary: 'WMDA inventories, versions 2.0 to 2.3 (XML)',
  example: '<DONOR> <ID>D1</ID> <HLA> <A> <DNA> <FIELD1>01:01</FIELD1> <FIELD2/> </DNA> </A> </HLA> </DONOR>',
  open(file, isAsked) {
    if (!isAsked && !/<(?:\w+:)?INVENTORIES\b/.test(documentBeginning(file))) return undefined
    return {
      format: 'WMDA inventory',
      reading: 'the typings of donors and cord blood units: in DNA, else in serology',
      personName: 'ID',
      extras: WMDA_EXTRAS.map((name) => ({ name, isOfTyping: false })),
      ignored: ['all else about a donor', 'serology of a locus that has DNA', 'typings of mothers'],
      dialect: documentDialect(file),
      hasPaths: true,
      isApart: true,
      blocks: () => wmdaRecords(file),
    }
  },
}

async function* wmdaRecords(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const reader = new WmdaReader(file.isLocus, file.isChecked)
  for await (const items of xmlParts(file.input.name, documentText(file), reader))
    yield items.flatMap(itemRecords)
}
