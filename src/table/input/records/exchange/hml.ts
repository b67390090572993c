/** HML 1.0, 1.0.1, 1.0.2: messages with the typings of samples as GL Strings. */
import { recognizeDocument } from '../../../../nomenclature/document-format.ts'
import type { RecordFormat } from '../typing-record.ts'
import { documentBeginning, documentDialect, xmlRecords } from './document-source.ts'
import { HmlReader } from './hml-reader.ts'

export const HML: RecordFormat = {
  name: 'hml',
  summary: 'HML 1.0.1 and 1.0.2',
  example: '<glstring>HLA-A*01:01+HLA-A*02:01</glstring>',
  open(file, isAsked) {
    if (!isAsked && recognizeDocument(documentBeginning(file)) !== 'HML') return undefined
    const releases = new Map<string, number>()
    return {
      format: 'HML',
      reading: 'the GL Strings of samples',
      personName: 'sample',
      extras: [],
      ignored: [],
      dialect: documentDialect(file),
      hasPaths: true,
      releases,
      blocks: () => xmlRecords(file, new HmlReader(releases, file.past)),
    }
  },
}
