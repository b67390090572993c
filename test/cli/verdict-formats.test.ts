/** Each verdict in each format, over 20,000 names: word, code, message and suggestion equal those of the answer. */
import { describe, expect, test } from 'vitest'
import { type AnswerRecord, chooseFormatter, type Format } from '../../src/operations/answers/records.ts'
import { VERDICTS } from '../../src/engine/validate/verdict.ts'
import { makeKnowledge, spentBudget, withBudget } from '../../src/operations/knowledge.ts'
import { tableColumns } from '../../src/operations/operation.ts'
import { operationNamed } from '../../src/operations/registry.ts'
import { validateOperation } from '../../src/operations/questions/validate.ts'
import { historyOfToday } from '../support/history.ts'
import { publishedVerdicts } from '../support/independent/verdicts.ts'
import { CONFIDENTIAL, hasPreview } from '../support/release-2026.ts'
import { realRelease } from '../support/releases.ts'
import { assured } from '../../src/errors.ts'

type Answer = ReturnType<typeof validateOperation.run>

const TEXTS = 20_000

/** Answers for names of every verdict, by the last release that can be made from today's lists. */
function answers(): Answer[] {
  const names = [...publishedVerdicts('3640').keys()]
  const every = Math.floor(names.length / (TEXTS - 2500))
  const some = names.filter((_, at) => at % every === 0).slice(0, TEXTS - 2500)
  const gone = [...publishedVerdicts('3640')].flatMap(([name, verdict]) =>
    verdict === 'valid' ? [] : [name],
  )
  const made = Array.from({ length: TEXTS }, (_, at) => ['A*99:', 'A*01:01:9', 'DRB5**', 'B*07:02+C*98:'][at % 4] + String(at + 100)) // prettier-ignore
  const texts = [...CONFIDENTIAL, 'DRB3*NNNN', 'DRB4*NNNN', ...gone, ...some, ...made].slice(0, TEXTS)
  const knowledge = withBudget(makeKnowledge({ release: realRelease('3640'), history: historyOfToday }), spentBudget()) // prettier-ignore
  return texts.map((gl_string) => validateOperation.run({ gl_string }, knowledge))
}

/** The record as the command line makes it. */
function recordOf(answer: Answer): AnswerRecord {
  const isNegative = validateOperation.isNegative?.(answer) === true
  return {
    input: answer.gl_string,
    method: undefined,
    text: validateOperation.toText(answer),
    json: answer,
    cells: assured(validateOperation.table, 'verdicts have columns').row(answer, {
      gl_string: answer.gl_string,
    }),
    error: undefined,
    isNegative,
  }
}

async function written(format: Format, all: readonly Answer[]): Promise<string> {
  const columns = tableColumns(operationNamed('validate'), {})
  const formatter = await chooseFormatter({
    format,
    withInput: false,
    withMethod: false,
    columns,
    isList: true,
  })
  return (
    formatter.head + all.map((answer) => formatter.record([recordOf(answer)])).join('') + formatter.tail()
  )
}

/** Rows of CSV cells, quoted where needed. */
function csvRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')) // prettier-ignore
}

function cellsOf({
  gl_string,
  verdict = 'valid',
  valid,
  code = '',
  cause = '',
  names,
  suggestions,
}: Answer): string[] {
  // prettier-ignore
  const suggested = suggestions ?? names?.flatMap((name) => name.suggestions) ?? []
  return [gl_string, verdict, valid ? 'ok' : 'error', code, cause, [...new Set(suggested)].join(' ')]
}

describe.skipIf(!hasPreview)('a verdict is the same in every format', () => {
  test(`of ${TEXTS} texts`, async () => {
    const all = answers()
    expect(all).toHaveLength(TEXTS)
    expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(VERDICTS))
    expect((await written('plain', all)).split('\n').slice(0, -1)).toEqual(
      all.map(({ verdict, cause }) => (verdict === 'valid' ? 'valid' : `${verdict}\t${cause}`)),
    )
    const plain = JSON.parse(JSON.stringify(all)) as unknown
    expect(JSON.parse(await written('json', all))).toEqual(plain)
    const lines = (await written('jsonl', all)).split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(plain)
    const expected = all.map(cellsOf)
    expect(csvRows(await written('csv', all)).slice(1)).toEqual(expected)
    const tsv = (await written('tsv', all)).split('\n').slice(1, -1)
    expect(tsv.map((line) => line.split('\t'))).toEqual(expected)
    const aligned = (await written('table', all)).split('\n').slice(1, -1)
    expect(aligned.map((line) => line.split(/ {2,}/)[1])).toEqual(all.map(({ verdict }) => verdict))
    for (const answer of all) {
      const outcome = assured(validateOperation.cells, 'tables have verdicts').outcome(answer, { gl_string: answer.gl_string }) // prettier-ignore
      const [, verdict = '', , ...details] = cellsOf(answer)
      expect(outcome.kind).toBe(verdict)
      expect(outcome.results).toEqual([verdict, ...details])
      expect(outcome.fault === undefined).toBe(answer.valid)
      const status = answer.valid ? 200 : answer.malformed ? 400 : 404
      expect(validateOperation.http.statusOf?.(answer)).toBe(status)
    }
  })
})
