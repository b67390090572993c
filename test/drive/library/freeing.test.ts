/** Which commands run while the disk is full. */
import { expect, test } from 'vitest'
import { OPERATOR } from '../../../src/drive/domain/commands.ts'
import { isFreeing } from '../../../src/drive/domain/upkeep/freeing.ts'

const update = (body: object, more: object = {}) => ({
  id: 'x',
  body,
  behavior: 'now',
  isViewed: false,
  ...more,
})
const steps = (...commands: string[]) => ({ steps: commands.map((command) => ({ command, input: {} })) })
const TRASHED = { labels: { trashed: true } }

test.for([
  ['deleteFile', { id: 'x' }, true],
  ['removePermission', {}, true],
  ['purge', {}, true],
  ['insertFile', { body: {} }, false],
  ['nothing', {}, false],
  ['updateFile', update(TRASHED), true],
  ['updateFile', update({ labels: { trashed: false } }), false],
  ['updateFile', update({ labels: { starred: true } }), false],
  ['updateFile', update({}), false],
  ['updateFile', update({ ...TRASHED, title: 'b' }), false],
  ['updateFile', update(TRASHED, { add: ['y'] }), false],
  ['updateFile', update(TRASHED, { content: {} }), false],
  ['administer', steps('removeUser', 'revokeToken'), true],
  ['administer', steps('removeUser', 'addUser'), false],
  ['administer', steps('addUser'), false],
] as const)('%s %j: %s', ([command, input, expected]) => {
  expect(isFreeing({ command, caller: OPERATOR, input })).toBe(expected)
})
