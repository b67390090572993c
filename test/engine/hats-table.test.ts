/**
 * The HATS project's own table of release 3.64.0, name by name: `hats`, the relations between antigens, and S at three
 * levels.
 */
import { describe, expect, test } from 'vitest'
import { atLevel } from '../../src/engine/antigen-levels.ts'
import { type Engine, makeEngine } from '../../src/engine/engine.ts'
import { type AntigenLevel, DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { CONFIDENTIAL, hasPreview, type HatsRow, hatsRows } from '../support/release-2026.ts'
import { realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

const LEVELS = ['associated', 'split', 'broad'] as const
type Level = (typeof LEVELS)[number]

describe.skipIf(!hasShared || !hasPreview)('a release of today', () => {
  const release = hasShared && hasPreview ? realRelease('3640') : realRelease('3580')
  const rows = hasShared && hasPreview ? hatsRows() : []
  const assigned = rows.filter((row) => atMost(row, 'associated') !== '')
  const engineAt = (antigens: AntigenLevel) =>
    makeEngine(release, undefined, { ...DEFAULT_OPTIONS, antigens, ownAntigens: true })

  test('has every name of the real one, and confidential ones apart', () => {
    expect(rows).toHaveLength(43_027)
    expect(rows.filter(({ allele }) => !release.is('who', allele))).toEqual([])
    const before = realRelease('3580')
    expect(rows.filter(({ allele }) => !before.is('who', allele))).toHaveLength(4_130)
    for (const name of CONFIDENTIAL) {
      expect(release.is('allele', name)).toBe(false)
      expect(release.listOf('notPublic', name)).toEqual([name])
    }
  })

  test('-m hats is the antigen of the table, for each of 24,401 names', () => {
    const engine = engineAt('usual')
    expect(assigned).toHaveLength(24_401)
    const wrong = assigned.flatMap((row) => {
      const [found, expected] = [answer(engine, row.allele, 'hats'), atMost(row, 'associated')]
      return found === expected ? [] : [`${row.allele}: ${found}, not ${expected}`]
    })
    expect(wrong).toEqual([])
  })

  test.for([
    ['split', { B3519: 'B3519, not B35' }],
    ['broad', { B3519: 'B3519, not B35' }],
  ] as const)('the %s antigen of each of these, but for a slip of the preview', ([level, slips]) => {
    const wrong = assigned.flatMap((row) => {
      const antigen = atMost(row, 'associated')
      const found = atLevel(antigen, level, release).join('/')
      return found === atMost(row, level) ? [] : [[antigen, `${found}, not ${atMost(row, level)}`] as const]
    })
    // the preview lists B3619 under B35
    expect(Object.fromEntries(wrong)).toEqual(slips)
  })

  test.for([
    [
      'associated',
      {
        'HATS assigns an antigen of another family': 329,
        'the first columns have no antigen': 93,
        'the first columns have several antigens': 400,
        'the first columns keep the split or the broad antigen': 11085,
        'the gene has no antigens but those of HATS': 2859,
        'the same': 9635,
      },
    ],
    [
      'split',
      {
        'HATS assigns an antigen of another family': 329,
        'the first columns have no antigen': 93,
        'the first columns have several antigens': 400,
        'the first columns keep the split or the broad antigen': 1381,
        'the gene has no antigens but those of HATS': 2859,
        'the same': 19339,
      },
    ],
    [
      'broad',
      {
        'HATS assigns an antigen of another family': 278,
        'the first columns have no antigen': 93,
        'the first columns have several antigens': 400,
        'the gene has no antigens but those of HATS': 2859,
        'the same': 20771,
      },
    ],
  ] as const)('S --antigens %s differs from HATS for these reasons alone', ([level, expected]) => {
    const engine = engineAt(level)
    const counts: Record<string, number> = {}
    for (const row of assigned) {
      const reason = reasonOf(row, answer(engine, row.allele, 'S'), level)
      counts[reason] = (counts[reason] ?? 0) + 1
    }
    expect(counts).toEqual(expected)
  })
})

/** The antigen at a level; without one there, that of the next wider level. */
function atMost({ associated, split, broad }: HatsRow, level: Level): string {
  if (level === 'associated') return associated || split || broad
  const narrower = split || associated
  return level === 'split' ? split || broad || associated : broad || narrower
}

/** Why S, which uses the first columns of rel_dna_ser.txt, differs from HATS. */
function reasonOf(row: HatsRow, found: string, level: Level): string {
  if (found === atMost(row, level)) return 'the same'
  if (/^D(?:P|QA)/.test(row.broad)) return 'the gene has no antigens but those of HATS'
  if (found === 'no-serology') return 'the first columns have no antigen'
  if (found.includes('/')) return 'the first columns have several antigens'
  if (found === row.split || found === row.broad)
    return 'the first columns keep the split or the broad antigen'
  return 'HATS assigns an antigen of another family'
}

function answer(engine: Engine, name: string, method: Method): string {
  try {
    return redux(engine, name, method).text
  } catch (error) {
    if (isHlaError(error)) return error.code
    throw error
  }
}
