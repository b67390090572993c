/** A table counts the notes beyond those that it prints one by one. */
import { expect, test } from 'vitest'
import { tableReporter } from '../../../src/cli/run/table/report/table-reporter.ts'
import { openReporter } from '../../../src/cli/run/reporter.ts'
import { newTally } from '../../../src/table/output/summary.ts'

test('the end of a conversion says how many notes were not shown', async () => {
  const real = await openReporter({ quiet: false, verbose: 0, color: 'never' })
  const calls: string[] = []
  const reporter = {
    ...real,
    note: ({ message }: { readonly message: string }) => void calls.push(message),
    more: () => void calls.push('more'),
  }
  const run = { source: { name: 't.csv' }, options: {}, quiet: false, reporter } as unknown as Parameters<
    typeof tableReporter
  >[0]
  const told = tableReporter(run, { kind: 'none' } as unknown as Parameters<typeof tableReporter>[1])
  told.warned?.({ code: 'x', message: 'first' })
  told.finished({ tally: newTally(), distinct: { count: 0, isExact: true }, record: {}, wrote: [] } as never)
  expect(calls).toEqual(['first', 'more'])
})
