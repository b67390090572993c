/** Documents by their beginning: in place of a name, and in place of a table. */
import { describe, expect, test } from 'vitest'
import { recognizeDocument, recognizeLine } from '../../src/nomenclature/document-format.ts'

describe('in place of a name', () => {
  test.for([
    ['<hml>', 'HML'],
    [' <HML version="1.0">', 'HML'],
    ['<ns2:hml>', 'HML'],
    ['<hmlid root="1">', 'HML'],
    ['<sample id="1">', 'HML'],
    ['<typing>', 'HML'],
    ['<allele-assignment>', 'HML'],
    ['<glstring>A*01:01', 'HML'],
    ['<hmls>', 'XML'],
    ['<:hml>', 'XML'],
    ['<id>', 'XML'],
    ['<id><hml>', 'XML'],
    ['{x', 'JSON'],
    [' [x', 'JSON'],
    ['A*01:01', undefined],
    ['A*01:01<hml>', undefined],
    ['', undefined],
  ] as const)('%j is %s', ([text, format]) => expect(recognizeLine(text)).toBe(format))
})

describe('in place of a table', () => {
  test.for([
    ['{"a":1}', 'JSON'],
    [' { }', 'JSON'],
    ['[]', 'JSON'],
    ['[ {"a":1}]', 'JSON'],
    ['[[1]]', 'JSON'],
    ['["a"]', 'JSON'],
    ['<?xml version="1.0"?>', 'XML'],
    ['<?xml version="1.0"?><ns2:hml>', 'HML'],
    ['<!DOCTYPE a>', 'XML'],
    ['<!-- a -->', 'XML'],
    ['<id>\n', 'XML'],
    ['<id> <name>', 'XML'],
    ['<id>', 'XML'],
    ['<id>\n<:hml>', 'XML'],
    // cut within the first element
    ['<hml xmlns="http', 'HML'],
    ['\n<HML xmlns="http', 'HML'],
    ['<ns2:hml xmlns="http', 'HML'],
    // columns
    ['<id>,A_1,A_2', undefined],
    ['[id],A_1,A_2', undefined],
    ['{id},A_1,A_2', undefined],
    ['<:hml xmlns', undefined],
    ['id,{"a":1}', undefined],
    ['id,<hml>', undefined],
    ['', undefined],
  ] as const)('%j is %s', ([beginning, format]) => expect(recognizeDocument(beginning)).toBe(format))
})
