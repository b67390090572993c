/** More typings of a locus than a person has: they stand in one cell, and reading it fails. */
import { advice, clause, option, optionLike } from '../../../../advice.ts'
import { HlaError } from '../../../../errors.ts'
import type { Typed } from './person.ts'

/** Between typings of which there are too many: no typing is written so. */
export const SURPLUS_SIGN = '&'

/** With the lines of the file: the cell alone does not tell. */
export function surplusError(person: string, locus: string, all: readonly Typed[]): HlaError {
  const files = new Set(all.map(({ origin }) => origin.file))
  const where = all.map(({ origin: { file, line } }) =>
    file.name === undefined ? `${line}` : `${file.name}:${line}`,
  )
  const what =
    files.size > 1
      ? `${files.size} files type ${locus} of one person`
      : all.length > 2
        ? `${all.length} typings of ${locus}, which has two`
        : `two typings of ${locus} for one of its two places`
  return makeError(`${what} (${where.length > 1 ? 'lines' : 'line'} ${where.join(', ')})`, person)
}

/** What reading the cell says, wherever that is done. */
export function surplusCellError(cell: string): HlaError {
  return makeError(`${cell}: more typings than there are places`, cell)
}

/** Of a row whose typings are joined. */
export function noPlaceError(cell: string, locus: string): HlaError {
  return new HlaError('surplus-typing', `${cell}: ${locus} is typed in another column too`, {
    offending: cell,
    hint: cell.includes('~')
      ? 'the two haplotypes of a person stand in one cell: A*01:01~B*08:01+A*02:01~B*07:02'
      : advice`leave two typings of a locus; ${optionLike('locus', `${locus}=column,column`)} says which two columns are a genotype`,
  })
}

/** Of the typings that `--drbx` joins; `others`: those before it. */
export function thirdCopyError(cell: string, others: readonly string[]): HlaError {
  const beside = others.length === 0 ? '' : ` beside ${others.join(' and ')}`
  return new HlaError('surplus-typing', `${cell}${beside}: a person has at most two of DRB3, DRB4 and DRB5`, {
    offending: cell,
    hint: advice`leave two of them${clause`; without ${option('drbx')} each is converted by itself`}`,
  })
}

function makeError(message: string, offending: string): HlaError {
  return new HlaError('surplus-typing', message, {
    offending,
    hint: 'leave two rows for each locus of a person',
  })
}
