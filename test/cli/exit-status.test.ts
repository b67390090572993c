/** Every error has its exit status; Record<ErrorCode, number> does not compile without. */
import { expect, test } from 'vitest'
import { EXIT, EXIT_OF_ERROR } from '../../src/cli/exit-status.ts'
import { ERROR_CODES } from '../../src/errors.ts'

test.for(ERROR_CODES)('%s is a failure of a documented kind', (code) => {
  expect(Object.values(EXIT)).toContain(EXIT_OF_ERROR[code])
  expect([EXIT.ok, EXIT.bug]).not.toContain(EXIT_OF_ERROR[code])
})
