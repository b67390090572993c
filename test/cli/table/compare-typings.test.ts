/** Comparing the typings of a table: one that needs more data than the others does not affect their answers. */
import { describe, expect, test } from 'vitest'
import { compareTypings, newComparison } from '../../../src/table/run/compare-typings.ts'
import { HlaError } from '../../../src/errors.ts'
import { operationNamed } from '../../../src/operations/registry.ts'

async function compared(isWithoutData: (glString: string) => boolean) {
  const comparison = newComparison()
  const failures: HlaError[] = []
  const execute = (_: string, input: unknown) => {
    const { gl_string } = input as { gl_string: string }
    if (isWithoutData(gl_string)) throw new HlaError('no-data', 'no MAC list is installed')
    return { reasons: [] }
  }
  const run = {
    operation: operationNamed('diff'),
    executor: { execute },
    compared: [{ question: { method: 'lgx', input: {} }, comparison }],
    differs: () => undefined,
  }
  const typings = ['A*02:01', 'A*01:AB', 'A*03:01'].map((glString) => ({
    glString,
    fail: (error: HlaError) => void failures.push(error),
  }))
  await compareTypings(typings, run)
  return { comparison, failures }
}

describe('compareTypings', () => {
  test('without a list of codes a code fails, and other typings are compared', async () => {
    const { comparison, failures } = await compared((glString) => glString === 'A*01:AB')
    expect(comparison.typings).toBe(2)
    expect([...comparison.failures]).toEqual([['no-data', 1]])
    expect(failures.map(({ code }) => code)).toEqual(['no-data'])
  })

  test('what every typing would say ends it', async () => {
    await expect(compared(() => true)).rejects.toThrow(expect.objectContaining({ code: 'no-data' }))
  })
})
