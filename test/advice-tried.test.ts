/**
 * An advice, typed, changes the outcome: options that refusals and plans of mutated tables advise, and the command lines
 * that the first guesses of newcomers are answered with.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Advice, adviceSteps, type OptionAdvice } from '../src/advice.ts'
import { adviceText } from '../src/operations/faces.ts'
import { buildProgram } from '../src/cli/options/program.ts'
import { isHlaError } from '../src/errors.ts'
import type { RawTableOptions } from '../src/options/table-options.ts'
import { undecidedDigits } from '../src/table/plan/open-table.ts'
import { withTyped } from '../src/table/plan/raw-table-options.ts'
import { collectWords, missingOption } from '../src/table/plan/recognition/table-notes.ts'
import { openBytes } from './support/convention-tables.ts'
import { mutatedTables } from './support/mutations.ts'
import { rounds } from './support/rounds.ts'
import { callHla } from './support/call-hla.ts'
import { hasShared, sharedPath } from './support/shared.ts'
import { tempFolder } from './support/temp.ts'

function steps(advice: Advice | undefined): readonly OptionAdvice[] {
  return adviceSteps(advice).filter((one): one is OptionAdvice => 'option' in one && one.value !== undefined)
}

/** What a plan reads and leaves, or why there is none, with everything that is advised on it. */
async function outcomeOf(name: string, bytes: Buffer, options: RawTableOptions) {
  const opened = await openBytes(name, bytes, options)
  const found =
    opened instanceof Error
      ? opened
      : (undecidedDigits(opened.plan, { digits: options.bareDigits ?? 'auto' }) ?? opened.plan)
  if (found instanceof Error) {
    if (!isHlaError(found)) throw found
    return {
      text: `${found.code} ${found.message}`,
      choices: steps(found.hint).map((one) => [one]),
      all: steps(found.hint),
    }
  }
  const { groups, unread, header } = found
  const words = collectWords(groups)
  const read = groups.map(({ locus, subject, columns, context }) => [locus, subject, columns, context.digits])
  const choices = [
    ...unread.flatMap(({ option }) => (option.value === undefined ? [] : [[option]])),
    ...(words.length === 0 ? [] : [steps(missingOption(words))]),
  ]
  return { text: JSON.stringify([read, unread, header.labels, words]), choices, all: [] }
}

describe('an advice on a mutated table', () => {
  test('is accepted by the parser, and changes the outcome', { timeout: 600_000 }, async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(mutatedTables(), async ({ name, bytes }) => {
        const first = await outcomeOf(name, bytes, {})
        const lines = first.all.length > 1 ? [first.all] : first.choices
        for (const some of lines) {
          const flags = some.map((one) => adviceText([one], 'command-line') ?? '')
          const words = [
            'redux',
            '-i',
            name,
            ...some.flatMap(({ option, value = '' }) => [`--${option}`, value]),
          ]
          expect(() => buildProgram(words).parse(words, { from: 'user' })).not.toThrow()
          const again = await outcomeOf(name, bytes, withTyped({}, some))
          expect({ flags, damage: again.text === first.text ? first.text : '' }).toEqual({
            flags,
            damage: '',
          })
          count += 1
        }
      }),
      { numRuns: rounds(2000) },
    )
    expect(count).toBeGreaterThan(10)
  })
})

describe.skipIf(!hasShared)('the first guesses of newcomers', () => {
  const cwd = tempFolder()('')
  for (const name of ['donors.csv', 'd1.csv'])
    writeFileSync(join(cwd, name), 'id,A_1,A_2\n1,A*01:01,A*02:01\n')
  const lines = readFileSync(sharedPath('trials/first-guesses.tsv'), 'utf8').trim().split('\n')

  // those that would install data are parsed only
  test.for(
    lines.map((line) => line.split('\t')[0] ?? '').filter((line) => !/^(?:install|update)/.test(line)),
  )('%s', async (line) => {
    const { stderr, status } = await callHla(shellWords(line), { cwd })
    const advised = [...stderr.matchAll(/did you mean hla (.*?)\?$/gm)].map(([, one = '']) => shellWords(one))
    for (const one of advised) {
      const again = await callHla(one, { cwd })
      expect({ one, status: again.status }).toEqual({ one, status: 0 })
    }
    if (status !== 0) expect(stderr.split('\n').length).toBeGreaterThan(1)
  })
})

function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
}
