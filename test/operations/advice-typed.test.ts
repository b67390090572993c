/** What an error on a name advises is typed: suggestions are answered, and options change the outcome. */
import { describe, expect, test } from 'vitest'
import { adviceSteps } from '../../src/advice.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { type HlaError, isHlaError } from '../../src/errors.ts'
import { localExecutor } from '../../src/operations/executor.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { errorOf } from '../support/errors.ts'
import { publishedDeletions, publishedHistory } from '../support/history.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { isInSample } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

/** A name as people write it, rightly and wrongly. */
const FORMS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `HLA-${name}`,
  (name) => `hla-${name}`,
  (name) => name.toLowerCase(),
  (name) => ` ${name}`,
  (name) => `HLA ${name}`,
  (name) => `${name} G`,
  (name) => `${name} ?`,
  (name) => name.replace('*', '* '),
  (name) => name.replace('*0', '*'),
  (name) => name.replace(/:0(?=\d\D*$)/, ':'),
  (name) => name.replace('*', '*0'),
  (name) => name.replace(/:(?=\d+\D*$)/, ':0'),
  (name) => name.replace('*', ''),
  (name) => name.replace('*', '_'),
  (name) => name.replaceAll(':', ''),
  (name) => name.replace('*', '').replaceAll(':', ''),
  (name) => name.replaceAll(':', '.'),
  (name) => name.replaceAll(':', '_').replace('*', '_'),
  (name) => name.replace(/^C(?=\*)/, 'Cw'),
  (name) => name.replace(/^C(?=\*)/, 'Cw').replaceAll(':', ''),
  (name) => name.replace(/[A-Z]$/, ''),
  (name) => `${name.replace(/[A-Z]$/, '')}N`,
  (name) => name.replace(/:(?=\d+\D*$)/, ''),
  (name) => `${name}g`,
  (name) => `${name}*`,
  (name) => name.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10)),
]

const FATES: readonly string[] = ['renamed-allele', 'deleted-allele', 'ambiguous-old-name']

describe.skipIf(!hasShared)('advice on a name', () => {
  test('when typed gives an answer, or says what became of a former name', { timeout: 1_200_000 }, () => {
    const release = realRelease('3580')
    const executor = localExecutor(makeKnowledge({ release, mac: realMacs(), history: publishedHistory }))
    const refusal = (gl_string: string, more: object = {}): HlaError | undefined => {
      try {
        executor.execute('redux', { gl_string, ...more })
        return undefined
      } catch (error) {
        if (isHlaError(error)) return error
        throw error
      }
    }
    const listed = publishedHistory()
      .spellingsUnder('')
      .map(({ name }) => name)
    const retired = [
      ...publishedDeletions().map(({ name }) => name),
      ...listed.filter((name) => !release.is('who', name)),
    ].filter((name) => isInSample(name))
    const present = listed.filter((name) => release.is('who', name) && isInSample(name, 50))
    const useless: unknown[] = []
    let count = 0
    for (const name of new Set([...retired, ...present]))
      for (const text of new Set(FORMS.map((write) => write(name)))) {
        const error = refusal(text)
        if (error === undefined) continue
        const { suggestions, hint } = error
        const refused = suggestions.filter((one) => refusal(one) !== undefined)
        if (refused.length > 0) useless.push([text, refused])
        const asked = optionsOf(hint)
        const next = asked === undefined ? undefined : refusal(text, asked)
        if (next !== undefined && !FATES.includes(next.code)) useless.push([text, asked, next.message])
        count += suggestions.length + (asked === undefined ? 0 : 1)
      }
    expect(useless).toEqual([])
    expect(count).toBeGreaterThan(10_000)
  })
})

/** Input of the options in a hint; undefined without any. */
function optionsOf(hint: HlaError['hint']) {
  const steps = adviceSteps(hint).flatMap((step) => ('option' in step ? [step] : []))
  const accept = steps.find(({ option }) => option === 'accept')?.value?.split(',')
  const lift = steps.some(({ option }) => option === 'lift')
  return accept === undefined && !lift ? undefined : { ...(accept === undefined ? {} : { accept }), lift }
}

test.skipIf(!hasShared)(
  'a letter that the listed name does not have is said, and the other name never suggested',
  () => {
    const executor = localExecutor(makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))
    const error = errorOf(() => executor.execute('redux', { gl_string: 'C*04:09L' }))
    expect(error).toMatchObject({ code: 'unknown-allele', suggestions: [] })
    expect(adviceText(error?.hint, 'command-line')).toBe('3.58.0 has C*04:09N, which is not C*04:09L')
  },
)
