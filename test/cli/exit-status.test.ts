/** The table of errors: every code has its subject, statuses, meaning and remedy. */
import { expect, test } from 'vitest'
import { EXIT } from '../../src/io/exit-status.ts'
import { endsRun, ERROR_CODES, errorKind } from '../../src/errors.ts'

test.for(ERROR_CODES)('%s is a failure of a documented kind', (code) => {
  const { about, exit, status, means, remedy } = errorKind(code)
  expect(Object.values(EXIT)).toContain(exit)
  expect(exit).not.toBe(EXIT.ok)
  expect(exit === EXIT.bug).toBe(code === 'internal')
  expect(status).toBeGreaterThanOrEqual(400)
  expect([means, remedy]).not.toContain('')
  expect(endsRun({ code })).toBe(about !== 'typing')
})

test('a typing that is wrong is the fault of whoever asks', () => {
  const typings = ERROR_CODES.filter((code) => errorKind(code).about === 'typing')
  expect(typings.filter((code) => errorKind(code).status >= 500)).toEqual(['starter'])
})
