/**
 * Digests of every name of every installed release by every method, and of the plan of every column convention: a
 * changed answer is a changed line in `digests.tsv` or `plans.tsv`. HLA_DIGESTS=write rewrites both, for an intended
 * change.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { DEFAULT_OPTIONS } from '../../src/engine/options.ts'
import { METHOD_NAMES, type Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'
import { readLocus } from '../../src/nomenclature/allele.ts'
import { sniffDialect } from '../../src/table/input/dialect.ts'
import { planText } from '../../src/table/plan/text/plan-text.ts'
import { conventionPlan } from '../support/convention-tables.ts'
import { newerReleases, PUBLISHED, realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { IS_LONG, isInSample } from '../support/rounds.ts'
import { CONVENTIONS } from '../table/conventions.ts'

const isWritten = process.env['HLA_DIGESTS'] === 'write'
const RELEASES = [...PUBLISHED, ...newerReleases()]
const ANSWERS = join(import.meta.dirname, 'digests.tsv')
const PLANS = join(import.meta.dirname, 'plans.tsv')
const HEAD = 'release\tmethod\tlocus\tnames\trefused\tdigest'

/** Other parts of a plan, the same for all conventions. */
const CONTEXT = {
  dialect: sniffDialect('t.csv', Buffer.from('a|b\n1|2\n'), { delimiter: '|' }),
  compression: undefined,
  operation: 'redux',
  methods: ['lgx'],
  release: '3.58.0',
  written: undefined,
}

const digestOf = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** All names of a release: alleles, groups, antigens, codes of loci. Antigens are under the key `antigen`. */
function namesByLocus(release: ReturnType<typeof realRelease>): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (let id = 0; id < release.size; id += 1) {
    const name = release.nameOf(id)
    const locus = name.includes('*') ? readLocus(name) : 'antigen'
    const known = names.get(locus)
    if (known === undefined) names.set(locus, [name])
    else known.push(name)
  }
  return names
}

function answersOf(compact: string): string[] {
  const release = realRelease(compact)
  const engine = makeEngine(release, realMacs(), { ...DEFAULT_OPTIONS, limit: 0 })
  const answer = (name: string, method: Method) => {
    try {
      return `${name}\t${redux(engine, name, method).text}`
    } catch (error) {
      if (isHlaError(error)) return `${name}\terror ${error.code}`
      throw error
    }
  }
  const loci = [...namesByLocus(release)].filter(([locus]) => isWritten || isInSample(`${compact} ${locus}`))
  return loci.flatMap(([locus, names]) =>
    METHOD_NAMES.map((method) => {
      const answers = names.map((name) => answer(name, method))
      const refused = answers.filter((line) => line.includes('\terror ')).length
      return [compact, method, locus, names.length, refused, digestOf(answers)].join('\t')
    }),
  )
}

describe.skipIf(!hasShared)('answers', () => {
  test.for(RELEASES)('of every name of %s', (compact) => {
    const made = answersOf(compact)
    const others = linesOf(ANSWERS).filter((line) => line !== HEAD && !line.startsWith(`${compact}\t`))
    const all = [...others, ...made].toSorted((one, other) => (one < other ? -1 : 1))
    if (isWritten) writeFileSync(ANSWERS, `${[HEAD, ...all].join('\n')}\n`)
    expect(made.length).toBeGreaterThan(IS_LONG || isWritten ? 300 : 20)
    const isAsked = (line: string) => {
      const [release, , locus] = line.split('\t')
      return release === compact && (isWritten || isInSample(`${compact} ${locus}`))
    }
    expect(linesOf(ANSWERS).filter(isAsked).toSorted()).toEqual(made.toSorted())
  })
})

test('the plan of every convention', async () => {
  const made = await Promise.all(
    CONVENTIONS.map(async ({ header, values }) => {
      const plan = await conventionPlan(header, values)
      const shown = plan instanceof Error ? plan.message : planText(plan, CONTEXT)
      return `${digestOf([shown])}\t${header.join(' // ')}`
    }),
  )
  if (isWritten) writeFileSync(PLANS, `${made.join('\n')}\n`)
  expect(linesOf(PLANS)).toEqual(made)
})
