/** Requests from outside against the schemas of operations. */
import { expect, test } from 'vitest'
import { readInput } from '../../src/operations/read-input.ts'
import { operationNamed } from '../../src/operations/registry.ts'

test.for([
  ['redux', null, 'a request is one JSON object'],
  ['redux', ['A*01:01'], 'a request is one JSON object'],
  ['redux', {}, 'gl_string is missing'],
  ['redux', { gl_string: 1 }, 'gl_string must be a text'],
  ['redux', { gl_string: null }, 'gl_string must be a text'],
  ['redux', { gl_string: 'A*01:01', lift: 'yes' }, 'lift must be true or false'],
  ['redux', { gl_string: 'A*01:01', accept: [1] }, 'each of accept must be a text'],
  ['redux', { gl_string: 'A*01:01', options: [] }, 'options must be an object'],
  ['validate', { gl_string: 'A*01:01', level: 'foo' }, 'level must be one of '],
  ['redux', { gl_string: 'A*01:01', toString: 1 }, 'unknown property "toString"'],
  ['similar', { prefix: 'A*01:01', limit: 1.5 }, 'limit must be a whole number'],
] as const)('%s of %j: %s', ([name, given, message]) => {
  expect(() => readInput(operationNamed(name).input, given)).toThrow(message)
})

test('what is right is taken as it is', () => {
  const given = { gl_string: 'A*01:01', reduction_method: 'G', options: { ping: false }, accept: ['case'] }
  expect(readInput(operationNamed('redux').input, given)).toEqual(given)
})
