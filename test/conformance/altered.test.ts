/**
 * The judge notices altered answers: for each sampled row of the corpus, excused rows included, one alteration of the
 * recorded answer and one of ours. The alteration changes an answer's contents or makes it an error; an error becomes
 * an answer, or, if ours, also another error. HLA_LONG=1 takes every row, and prints the numbers by operation and
 * method.
 */
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/independent/reduce.ts'
import { hasShared } from '../support/shared.ts'
import type { Question } from './comparison.ts'
import { KINDS, questionsOf, RELEASES } from './corpus-rows.ts'
import { answersOf } from './engines.ts'
import { judge } from './judge.ts'

const isLong = process.env['HLA_LONG'] !== undefined

/** Every how many rows one is sampled. */
const EVERY = isLong ? 1 : 250

interface Count {
  altered: number
  noticed: number
}

describe.skipIf(!hasShared)('an altered answer is noticed', () => {
  const counts = new Map<string, Count>()

  describe.for(RELEASES)('of release %s', (release) => {
    test.for(KINDS)('%s', { timeout: 3_600_000 }, (kind) => {
      let taken = 0
      for (const question of questionsOf(release, kind)) {
        const chance = chanceOf(question)
        if (chance % EVERY !== 0) continue
        taken += 1
        const given = answersOf(question)
        const { isExcused } = judge(question, given)
        const isNoticed = (asked: Question, answer: Answer) => judge(asked, answer).faults.length > 0
        count(question, isExcused, 'given', isNoticed(question, alteredAnswer(given, chance)))
        count(question, isExcused, 'recorded', isNoticed(alteredQuestion(question, chance), given))
      }
      expect(taken).toBeGreaterThan(0)
    })
  })

  test('in 995 of 1,000 rows of every operation and method', () => {
    const lines = [...counts.keys()]
      .sort()
      .map((words) => [words, counts.get(words) ?? { altered: 0, noticed: 0 }] as const)
      .map(([words, { altered, noticed }]) => `${words}\t${noticed}\t${altered}`)
    if (isLong) process.stderr.write(`${lines.join('\n')}\n`)
    const missed = [...counts].filter(([, { altered, noticed }]) => noticed < altered * 0.995)
    expect(missed).toEqual([])
    expect([...counts.values()].reduce((sum, { altered }) => sum + altered, 0)).toBeGreaterThan(2000)
  })

  function count({ row }: Question, isExcused: boolean, side: string, isNoticed: boolean): void {
    for (const words of [
      `${row.op} ${row.method} ${side}`,
      ...(isExcused ? [`excused ${row.op} ${side}`] : []),
    ]) {
      const { altered, noticed } = counts.get(words) ?? { altered: 0, noticed: 0 }
      counts.set(words, { altered: altered + 1, noticed: noticed + Number(isNoticed) })
    }
  }
})

/** A pseudo-random number, the same in every run. */
function chanceOf({ row, release }: Question): number {
  const words = [release, row.op, row.method, row.input, row.config].join('\t')
  return crc32(words)
}

function alteredAnswer(given: Answer, chance: number): Answer {
  if ('text' in given)
    return chance % 7 === 1 ? { error: 'unknown-allele' } : { text: altered(given.text, chance) }
  if (chance % 2 === 0) return { text: 'A*01:01' }
  return { error: given.error === 'unknown-allele' ? 'unknown-locus' : 'unknown-allele' }
}

function alteredQuestion(question: Question, chance: number): Question {
  const { row } = question
  if (row.op === 'blend' && row.status === 'error')
    return { ...question, row: { ...row, output: altered(row.output, chance) } }
  const toOther = row.status === 'error' || chance % 7 === 1
  const status = !toOther ? row.status : row.status === 'error' ? 'ok' : 'error'
  const output = !toOther ? altered(row.output, chance) : status === 'ok' ? 'A*01:01' : 'InvalidAlleleError'
  return { ...question, row: { ...row, status, output } }
}

/** Removes a name or changes a digit; an empty text becomes a name. */
function altered(text: string, chance: number): string {
  if (text === '') return 'A*01:01'
  const parts = text.split('/')
  if (parts.length > 1 && chance % 3 === 0)
    return parts.filter((_, at) => at !== chance % parts.length).join('/')
  const digits = [...text.matchAll(/\d/g)].map(({ index }) => index)
  const at = digits[chance % digits.length]
  if (at === undefined) return `${text}1`
  return `${text.slice(0, at)}${(Number(text[at]) + 1 + (chance % 8)) % 10}${text.slice(at + 1)}`
}
