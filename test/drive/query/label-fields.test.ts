import { expect, test } from 'vitest'
import { readLabelFields } from '../../../src/drive/protocol/bodies/body.ts'

test('takes fields of every type', () => {
  const fields = [
    { id: 'note', valueType: 'text', maxLength: 10 },
    { id: 'count', valueType: 'integer' },
    { id: 'day', valueType: 'dateString' },
    { id: 'state', valueType: 'selection', choices: ['open', 'done'], maxValues: 2 },
    { id: 'who', valueType: 'user' },
  ]
  expect(readLabelFields(JSON.stringify(fields))).toEqual(fields)
})

const CHOICES = 'a needs choices if its type is selection, and must have none otherwise.'
const TYPE = 'The valueType of a must be one of text, integer, dateString, selection, user.'
const LIMITS = 'The limits of a must be whole numbers from 1 on.'
const ID = 'A field of a label needs an id of letters, digits, _ and -.'
const MANY = 'The fields of a label must be a JSON array of at most 50.'
const manyFields = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: `f${at}`, valueType: 'text' })))
const manyChoices = (count: number) =>
  JSON.stringify([{ id: 'a', valueType: 'selection', choices: Array.from({ length: count }, String) }])

test.for([
  ['x', 'The fields of a label must be JSON.'],
  ['{}', MANY],
  [manyFields(51), MANY],
  ['["a"]', 'A field of a label must be an object.'],
  ['[{"id":"a","valueType":"text"},null]', 'A field of a label must be an object.'],
  ['[{"valueType":"text"}]', ID],
  ['[{"id":1,"valueType":"text"}]', ID],
  ['[{"id":"","valueType":"text"}]', ID],
  ['[{"id":"a b","valueType":"text"}]', ID],
  [`[{"id":"${'a'.repeat(65)}","valueType":"text"}]`, ID],
  ['[{"id":"a","valueType":"colour"}]', TYPE],
  ['[{"id":"a"}]', TYPE],
  ['[{"id":"a","valueType":"text","choices":["x"]}]', CHOICES],
  ['[{"id":"a","valueType":"text","choices":[]}]', CHOICES],
  ['[{"id":"a","valueType":"text","choices":["a b"]}]', CHOICES],
  ['[{"id":"a","valueType":"selection"}]', CHOICES],
  ['[{"id":"a","valueType":"selection","choices":"x"}]', CHOICES],
  ['[{"id":"a","valueType":"selection","choices":[]}]', CHOICES],
  [manyChoices(201), CHOICES],
  ['[{"id":"a","valueType":"selection","choices":["x","a b"]}]', CHOICES],
  ['[{"id":"a","valueType":"selection","choices":["a b","x"]}]', CHOICES],
  ['[{"id":"a","valueType":"selection","choices":["x",1]}]', CHOICES],
  ['[{"id":"a","valueType":"text","maxLength":0}]', LIMITS],
  ['[{"id":"a","valueType":"text","maxLength":"1"}]', LIMITS],
  ['[{"id":"a","valueType":"text","maxLength":1.5,"maxValues":1}]', LIMITS],
  ['[{"id":"a","valueType":"user","maxLength":1,"maxValues":-1}]', LIMITS],
  ['[{"id":"a","valueType":"text","colour":1}]', 'Unknown member of a label field: colour.'],
  [
    '[{"id":"a","valueType":"text"},{"id":"b","valueType":"text"},{"id":"a","valueType":"user"}]',
    'Two fields of a label have the same id.',
  ],
] as const)('refuses %s: %s', ([text, message]) =>
  expect(() => readLabelFields(text)).toThrow(
    expect.objectContaining({ status: 400, reason: 'invalid', message, details: {} }),
  ),
)

test('takes so many fields, choices and characters, and the smallest limits', () => {
  expect(readLabelFields('[]')).toEqual([])
  expect(readLabelFields(manyFields(50))).toHaveLength(50)
  expect(readLabelFields(manyChoices(200))[0]?.choices).toHaveLength(200)
  const field = { id: 'a'.repeat(64), valueType: 'text', maxLength: 1, maxValues: 1 }
  expect(readLabelFields(JSON.stringify([field]))).toEqual([field])
})
