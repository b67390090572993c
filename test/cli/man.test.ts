/** Which page `hla man` shows for the words of a command, a topic, or the name of a page. */
import { expect, test } from 'vitest'
import { callHla } from '../support/call-hla.ts'
import { RUN_FOLDER } from '../support/run-hla.ts'

test.for([
  [[], 'hla - '],
  [['hla'], 'hla - '],
  [['redux'], 'hla-redux - '],
  [['hla-redux'], 'hla-redux - '],
  // on the page of its group
  [['data', 'install'], 'hla-data - '],
  [['drive', 'ls'], 'hla-drive - '],
  [['drive', 'user', 'add'], 'hla-drive-user - '],
  [['hla-drive-user'], 'hla-drive-user - '],
  [['hla-tables'], 'hla-tables - '],
  [['exit-codes'], 'hla-exit-codes - '],
] as const)('hla man %s', async ([words, title]) => {
  const { stdout } = await callHla(['man', ...words], { cwd: RUN_FOLDER })
  expect(stdout.slice(0, title.length)).toBe(title)
})

test.for([
  [['redx'], 'hla man redux'],
  [['drive', 'usr'], 'hla man drive user'],
  [['zzzzzzzz'], 'hla help lists commands and topics'],
] as const)('there is no page %s', async ([words, hint]) => {
  const { status, stderr } = await callHla(['man', ...words], { cwd: RUN_FOLDER })
  expect([status, stderr]).toEqual([2, expect.stringContaining(hint)])
})
