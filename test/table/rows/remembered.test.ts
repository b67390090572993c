/** What rows and pairs remember, and that it stays within its bounds. */
import { expect, test } from 'vitest'
import { rememberPairs } from '../../../src/table/match/compare.ts'
import { matchPairs } from '../../../src/table/match/match-tables.ts'
import { type SplitRow, rememberedBy } from '../../../src/table/rows/remembered.ts'

function split(...fields: readonly string[]): SplitRow {
  const starts = [0]
  for (const field of fields) starts.push((starts.at(-1) ?? 0) + field.length + 1)
  return { text: fields.join(','), starts: Int32Array.from(starts), cells: [] }
}

test.for([
  ['side by side', [1, 2]],
  ['apart', [0, 2]],
  ['alone', [1]],
  ['turned round', [2, 1]],
] as const)('columns %s: a content is made once', ([, columns]) => {
  const made: string[] = []
  const read = rememberedBy(columns, ({ text }) => made.push(text))
  const row = ['a', 'b', 'c']
  expect([read(split(...row)), read(split(...row))]).toEqual([1, 1])
  for (const at of [0, 1, 2]) {
    const before = made.length
    read(split(...row.with(at, 'x')))
    expect(made.length).toBe((columns as readonly number[]).includes(at) ? before + 1 : before)
  }
})

test('an undefined result is remembered, and 50,000 contents are', () => {
  let made = 0
  const read = rememberedBy<void>([0], () => {
    made += 1
  })
  for (let at = 0; at < 50_000; at += 1) read(split(String(at)))
  read(split('0'))
  expect(made).toBe(50_000)
  read(split('more'))
  read(split('more'))
  expect(made).toBe(50_001)
  read(split('0'))
  expect(made).toBe(50_002)
})

test('a pair of numbers is computed once, whatever its order says', () => {
  const computed: string[] = []
  const known = rememberPairs((one, two) => computed.push(`${one} ${two}`))
  expect([known(1, 2), known(1, 2), known(2, 1), known(1, 2), known(2, 1)]).toEqual([1, 1, 2, 1, 2])
  expect(computed).toEqual(['1 2', '2 1'])
})

test('a run tells its progress after each 1,000 pairs, and at the end', async () => {
  const told: number[] = []
  const written: string[] = []
  const pairs = Array.from({ length: 2500 }, (_, at) => [at, at + 1] as const)
  const compared = { loci: [] } as unknown as Parameters<typeof matchPairs>[0]
  const count = await matchPairs(compared, '10/10', pairs, {
    min: 0,
    minSure: 0,
    write: (patient, donor) => written.push(`${patient} ${donor}`),
    async passed(done) {
      await Promise.resolve()
      told.push(done, written.length)
    },
  })
  expect([count, written.length, written.at(-1)]).toEqual([2500, 2500, '2499 2500'])
  // it waits for each of them
  expect(told).toEqual([1000, 1000, 2000, 2000, 2500, 2500])
})
