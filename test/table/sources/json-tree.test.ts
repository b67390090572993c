/** JSON of one list of objects: values with their lines, commas that programs write too many, and the refusals. */
import { describe, expect, test } from 'vitest'
import { JsonFields, type JsonNode, listObjects } from '../../../src/table/sources/exchange/json-tree.ts'
import { errorOf } from '../../support/errors.ts'

/** `line:value`; fields of an object as pairs, since a name may occur twice. */
function shown({ line, value }: JsonNode): unknown {
  if (value instanceof JsonFields)
    return { [line]: value.all.map(([name, node]) => [name, shown(node)] as const) }
  if (value !== null && typeof value === 'object') return { [line]: value.map(shown) }
  return `${line}:${typeof value === 'string' ? value : `(${String(value)})`}`
}

const read = (text: string) => [...listObjects(text, 'list', 'f.json')].map(shown)
const oneIn = (text: string) => read(`{"list": [{"x": ${text}}]}`)
const one = (value: unknown) => [{ 1: [['x', value]] }]

describe('values', () => {
  test.for([
    ['"a"', '1:a'],
    ['""', '1:'],
    ['"\\"\\\\\\u0041\\n"', '1:"\\A\n'],
    ['"é\u2028"', '1:é\u2028'],
    ['0', '1:0'],
    ['-12345678901234567890.50e3', '1:-12345678901234567890.50e3'],
    ['true', '1:(true)'],
    ['false', '1:(false)'],
    ['null', '1:(null)'],
    ['\n\n "a"', '3:a'],
    ['\r\n\t"a"', '2:a'],
    ['[]', { 1: [] }],
    ['{}', { 1: [] }],
    ['[1,\n2 ,[\n3]]', { 1: ['1:1', '2:2', { 2: ['3:3'] }] }],
    ['{"a":\n1,"a":{"b":\n2}}', { 1: [['a', '2:1'], ['a', { 2: [['b', '3:2']] }]] }],
    // a comma behind the last
    ['[1,]', { 1: ['1:1'] }],
    ['{"a": 1,}', { 1: [['a', '1:1']] }],
    ['[[1,],]', { 1: [{ 1: ['1:1'] }] }],
  ] as const)('%j', ([text, value]) => {
    expect(oneIn(text)).toEqual(one(value))
  }) // prettier-ignore

  test('objects of the list in their order, with their lines, whatever else there is', () => {
    const text =
      ' {"list2": [1, {"list": []}], "LIST":\n[{},\n{"x": 1},], "more": {"list": [{}]}, "last": null,}\n'
    expect(read(text)).toEqual([{ 2: [] }, { 3: [['x', '3:1']] }])
    expect(read('{"list":[]}')).toEqual([])
  })

  test('a hundred brackets in each other are read, and no more', () => {
    const nested = (count: number) => oneIn(`${'['.repeat(count)}1${']'.repeat(count)}`)
    // the list, its object and the number are three
    expect(() => nested(97)).not.toThrow()
    expect(() => nested(98)).toThrow('more than 100 nested brackets')
  })

  test('each object is there before the next is read', () => {
    const objects = listObjects('{"list": [{"x": 1}, x', 'list', 'f.json')
    expect(objects.next().value).toMatchObject({ line: 1 })
    expect(() => objects.next()).toThrow('"x" is not a value')
  })
})

describe('text that is no JSON', () => {
  test.for([
    ['', 1, 'it is cut short'],
    ['\n {', 2, 'it is cut short'],
    ['[]', 1, '"{" is expected'],
    ['x', 1, '"{" is expected'],
    ['{"list" []}', 1, '":" is expected'],
    ['{"list": {}}', 1, '"[" is expected'],
    ['{"list": 1}', 1, '"[" is expected'],
    ['{list: []}', 1, 'the name of a field is expected'],
    ['{1: []}', 1, 'the name of a field is expected'],
    ['{"a": 1\n "list": []}', 2, 'a comma is missing'],
    ['{"a": [1\n 2]}', 2, 'a comma is missing'],
    ['{"a": ["x" "y"]}', 1, 'a comma is missing'],
    ['{"a": [{} {}]}', 1, 'a comma is missing'],
    ['{,"list": []}', 1, 'the name of a field is expected'],
    ['{"a": [,]}', 1, 'a value is expected'],
    ['{"a": [1,,]}', 1, 'a value is expected'],
    ['{"a": }', 1, 'a value is expected'],
    ['{"a": ]', 1, 'a value is expected'],
    ['{"a": tru}', 1, '"tru" is not a value'],
    ['{"a": 01}', 1, '"01" is not a value'],
    ['{"a": +1}', 1, '"+1" is not a value'],
    ['{"a": \'x\'}', 1, `"'x'" is not a value`],
    ['{"a": "\\x"}', 1, '"\\"\\\\x\\"" is not a value'],
    ['{"a": "x\n"}', 1, 'a string is not terminated'],
    ['{"a": "x\u0001"}', 1, 'a string holds a control character'],
    ['{"a": "x\t"}', 1, 'a string holds a control character'],
    ['{"a": "x', 1, 'it is cut short'],
    ['{"a": "x\\', 1, 'it is cut short'],
    ['{"a": "x\\"', 1, 'it is cut short'],
    ['{"a": [1', 1, 'it is cut short'],
    ['{"list": [{}', 1, 'it is cut short'],
    ['{"list": []', 1, 'it is cut short'],
    ['{"list": []}\n}', 2, 'there is text after its end'],
    ['{"list": []} {}', 1, 'there is text after its end'],
    ['{"list": [],\n "List": []}', 2, '"list" occurs twice'],
    ['{"list": [{},\n 1]}', 2, '"list" holds something else than objects'],
    ['{"list": [[]]}', 1, '"list" holds something else than objects'],
    ['{"list": [null]}', 1, '"list" holds something else than objects'],
    ['{"lists": []}', 1, 'it has no list "list"'],
    ['{}', 1, 'it has no list "list"'],
    ['{"a": {"list": []}}', 1, 'it has no list "list"'],
  ] as const)('%j: line %d: %s', ([text, line, why]) => {
    expect(errorOf(() => read(text))).toMatchObject({
      code: 'io',
      message: `line ${line}: f.json is not valid JSON: ${why}`,
      line,
      offending: 'f.json',
    })
  })
})
