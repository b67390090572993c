/**
 * `npm run bench goals`: a benchmark that fails or takes too long becomes a line with the reason.
 */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { measureGoals } from '../bench/goals.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

/** Stands in for test/bench/run.ts. */
const PROGRAM = `
const { writeFileSync } = require('node:fs')
const [benchmark, , file, ...options] = process.argv.slice(2)
const rows = [
  { name: 'seen', value: 1234.5, unit: 'rows', goal: '≥ 1 rows', met: true },
  { name: 'missed', value: 0.1, unit: '×', goal: '≥ 1 ×', met: false },
  { name: 'told ' + options.join(), value: NaN, unit: '×', goal: '' },
]
if (benchmark === 'throws') throw new TypeError('no | program')
if (benchmark === 'silent') process.exit(3)
if (benchmark === 'slow') setInterval(() => {}, 1000)
else if (benchmark !== 'empty') writeFileSync(file, JSON.stringify(rows))
`
writeFileSync(temp('program.cjs'), PROGRAM)

function measure(benchmarks: readonly string[], rows = /./, minutes = 1) {
  return measureGoals(
    benchmarks.map((benchmark) => ({ benchmark, rows, minutes: benchmark === 'slow' ? 0.01 : 1 })),
    { command: [process.execPath, temp('program.cjs')], options: ['--node', 'x'], minutes },
  )
}

/** The lines below the page's head. */
const linesOf = (page: string) => page.trimEnd().split('\n').slice(4)

describe('the table of goals', () => {
  test('has a line of each row that is a goal, and says whether all are met', async () => {
    const { page, met } = await measure(['good'])
    expect(page).toMatch(
      /^\d{4}-\d\d-\d\d, \w[\w ]+, \d+ × .*, Node \d+\.\d+\.\d+, load [\d.]+ to [\d.]+:\n\n\| \| goal /,
    )
    expect(linesOf(page)).toEqual([
      '| seen | ≥ 1 rows | 1,235 rows | met | `npm run bench good` |',
      '| missed | ≥ 1 × | 0.1 × | **no** | `npm run bench good` |',
      '| told --node,x |  | NaN × |  | `npm run bench good` |',
    ])
    expect(met).toBe(false)
    expect(await measure(['good'], /^seen/)).toMatchObject({ met: true })
  })

  test('goes on behind what fails, stops or says nothing', async () => {
    const { page, met } = await measure(['throws', 'silent', 'slow', 'empty', 'good'], /^seen/)
    expect(linesOf(page).map((line) => line.split(' | ')[2])).toEqual([
      'not measured: TypeError: no \\| program',
      'not measured: it ended with 3 and without a row',
      'not measured: no end in 0.010 minutes',
      'not measured: it ended with 0 and without a row',
      '1,235 rows',
    ])
    expect(met).toBe(false)
  })

  test('ends when its time is over', async () => {
    const { page } = await measure(['good', 'good'], /^seen/, 0)
    expect(linesOf(page).map((line) => line.split(' | ')[2])).toEqual([
      'not measured: the time of all was over',
      'not measured: the time of all was over',
    ])
  })
})
