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

test.for([
  'x',
  '{}',
  '["a"]',
  '[{"valueType":"text"}]',
  '[{"id":"a b","valueType":"text"}]',
  '[{"id":"a","valueType":"colour"}]',
  '[{"id":"a","valueType":"text","choices":["x"]}]',
  '[{"id":"a","valueType":"selection"}]',
  '[{"id":"a","valueType":"selection","choices":[]}]',
  '[{"id":"a","valueType":"selection","choices":["x","a b"]}]',
  '[{"id":"a","valueType":"selection","choices":["a b","x"]}]',
  '[{"id":"a","valueType":"selection","choices":["x",1]}]',
  '[{"id":"a","valueType":"text","maxLength":0}]',
  '[{"id":"a","valueType":"text","colour":1}]',
  '[{"id":"a","valueType":"text"},{"id":"a","valueType":"text"}]',
])('refuses %s', (text) =>
  expect(() => readLabelFields(text)).toThrow(/label|field|limits|valueType|choices/),
)
