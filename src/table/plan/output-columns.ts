/** Columns that a conversion adds: their names and positions. */
import { type Advice, advice, joinAdvice, option } from '../../advice.ts'
import { labelsIn } from './recognition/unread-text.ts'
import { HlaError } from '../../errors.ts'
import { DRB345 } from '../words/locus-header.ts'
import type { TablePlan } from './plan.ts'
import { resultName } from './result-columns.ts'
import type { WriteRequest } from './table-request.ts'

/** A column made from all typings of a subject. */
export interface SubjectColumn {
  readonly subject: string
  readonly name: string
}

export interface OutputColumns {
  /** Column of the table -> its result columns, one per method. Empty when results replace their source. */
  readonly results: ReadonlyMap<number, readonly string[]>
  readonly gl: readonly SubjectColumn[]
  /** Two columns per subject. */
  readonly drbx: readonly SubjectColumn[]
  readonly report: readonly string[]
}

/** @throws {HlaError} usage — a column of that name exists; several results cannot replace one column */
export function outputColumns(plan: TablePlan, request: WriteRequest): OutputColumns {
  const { into, results: names, glOut, drbx, onError, dropSource } = request
  if (into === 'replace' && names.length > 1)
    throw new HlaError('usage', advice`${option('into', 'replace')} allows only one result`, {
      hint: advice`${option('into', 'after')} adds a column for each`,
    })
  if (into === 'replace' && dropSource)
    throw new HlaError(
      'usage',
      advice`${option('drop-source')} is not needed with ${option('into', 'replace')}, which overwrites the source columns`,
    )
  const typed = plan.groups.flatMap(({ columns }) => columns)
  if (into === 'none' && glOut === undefined && drbx === undefined && request.format === undefined)
    throw new HlaError('usage', advice`${option('into', 'none')} leaves nothing to write`, {
      hint: advice`${option('gl-out', 'gl')} adds a column of GL Strings`,
    })
  const unnamed = plan.unread.flatMap(({ code, columns }) => (code === 'no-locus' ? columns : []))
  if (drbx !== undefined && !plan.groups.some(mayHoldDrbx))
    throw new HlaError(
      'usage',
      advice`${option('drbx')} needs columns of DRB3, DRB4, DRB5 or GL Strings, and the table has none`,
      unnamed.length === 0
        ? {}
        : { hint: advice`${option('locus')} names the locus of ${labelsIn(unnamed, plan.header)}` },
    )
  const results =
    into === 'replace' || into === 'none'
      ? []
      : typed.map((column) => [column, resultNames(column, plan, request)] as const)
  const subjects = [...new Set(plan.groups.map(({ subject }) => subject))]
  const columns = {
    results: new Map(results),
    gl: glOut === undefined ? [] : subjects.map((subject) => forSubject(subject, subjects, glOut)),
    drbx: drbx === undefined ? [] : subjects.map((subject) => forSubject(subject, subjects, drbx)),
    report: onError === 'report' ? ['hla_status', 'hla_errors'] : [],
  }
  refuseTaken(plan, columns)
  return columns
}

function resultNames(column: number, { header }: TablePlan, { name, results }: WriteRequest): string[] {
  const label = header.labels[column] ?? ''
  const made = results.map((result) => resultName(name, label, result))
  if (new Set(made).size === made.length) return made
  throw new HlaError(
    'usage',
    advice`${option('name')} ${JSON.stringify(name)} gives several columns the same name`,
    {
      hint: 'use {col} and {method} in it',
    },
  )
}

function mayHoldDrbx({ locus }: TablePlan['groups'][number]): boolean {
  return locus === undefined || DRB345.includes(locus)
}

function forSubject(subject: string, all: readonly string[], name: string): SubjectColumn {
  return { subject, name: all.length === 1 || subject === '' ? name : `${subject}_${name}` }
}

/** `TYPING_1`, `TYPING_2` for each. */
export function drbxNames({ name }: SubjectColumn): string[] {
  return [`${name}_1`, `${name}_2`]
}

/** Names in the order written at the end of a row. */
export function appendedNames(
  { results, gl, drbx, report }: OutputColumns,
  into: WriteRequest['into'],
): string[] {
  return [
    ...(into === 'append' ? [...results.values()].flat() : []),
    ...gl.map(({ name }) => name),
    ...drbx.flatMap(drbxNames),
    ...report,
  ]
}

function refuseTaken({ header }: TablePlan, columns: OutputColumns): void {
  if (header.names === undefined) return
  const taken = new Set(header.names)
  const added = [...[...columns.results.values()].flat(), ...appendedNames(columns, 'after')]
  for (const name of added) {
    if (taken.has(name)) {
      const reason = header.names.includes(name)
        ? 'the table already has one'
        : 'two new columns would have this name'
      throw new HlaError('usage', `cannot add a column ${JSON.stringify(name)}: ${reason}`, {
        hint: joinAdvice(remedies(name, columns), '\n'),
      })
    }
    taken.add(name)
  }
}

/** Options that leave out the column of that name, or name it otherwise. */
function remedies(name: string, { results, gl, drbx }: OutputColumns): readonly Advice[] {
  if (gl.some((one) => one.name === name))
    return [advice`${option('gl-out', `${name}_2`)} names it otherwise`]
  if (drbx.flatMap(drbxNames).includes(name))
    return [advice`${option('drbx', `${drbx[0]?.name ?? ''}_2`)} names it otherwise`]
  if (![...results.values()].flat().includes(name))
    return [advice`${option('on-error', 'keep')} adds no columns`]
  return [
    advice`${option('name', '{col}_{method}_2')} gives result columns other names`,
    advice`${option('into', 'replace')} adds no columns`,
  ]
}
