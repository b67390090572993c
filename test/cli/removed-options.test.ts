/** Command lines of earlier versions with options that were removed. */
import { expect, test } from 'vitest'
import { withoutRemoved } from '../../src/cli/options/removed-options.ts'

test.for([
  ['redux -i a.csv -o b.csv --resume', 'redux -i a.csv -o b.csv'],
  ['redux --checkpoint 5000 -i a.csv --resume -o b.csv', 'redux -i a.csv -o b.csv'],
  ['redux --checkpoint=0 -i a.csv', 'redux -i a.csv'],
  ['redux -i checkpoint -o resume', 'redux -i checkpoint -o resume'],
  ['redux --quote lazy -i a.csv', 'redux --quote lazy -i a.csv'],
])('%s', ([given = '', left = '']) => {
  expect(withoutRemoved(given.split(' '))).toEqual(left.split(' '))
})
