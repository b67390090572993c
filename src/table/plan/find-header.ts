/** Is the first row a header, and where is it when rows about the data come first? */
import type { Dialect } from '../input/dialect.ts'
import { readLocusHeader } from './locus-header.ts'
import { recognizeShape } from './typing-shape.ts'

/** Lines looked at. */
const DEEPEST = 20

/** Lines before the first that names two columns of loci; 0 when there is none. */
export function linesBeforeHeader(lines: readonly string[], { delimiter }: Dialect): number {
  const at = lines.slice(0, DEEPEST).findIndex((line) => namedLoci(line.split(delimiter)) > 1)
  return Math.max(0, at)
}

/** By what stands in the first rows: names of loci that do not go on as values, or no typing in the first and some below. */
export function hasHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const isTyping = (cell: string) => ['named', 'fields', 'pair', 'phenotype'].includes(recognizeShape(cell))
  const named = first.flatMap((cell, at) => (namesLocus(cell) ? [at] : []))
  if (named.length > 0) {
    if (second === undefined || (second.some(isTyping) && !first.some(isTyping))) return true
    // antigens look like names of loci: A1 above A2 is not a header, unless something else is a number below only
    return named.some((at) => !namesLocus(second[at] ?? '')) || numbers(second) > numbers(first)
  }
  if (first.some(isTyping)) return false
  return numbers(first) === 0 && first.some((cell) => /[A-Za-z]/.test(cell))
}

function namedLoci(cells: readonly string[]): number {
  return cells.filter(namesLocus).length
}

function namesLocus(cell: string): boolean {
  return readLocusHeader(cell.replace(/^"|"$/g, '')).length > 0
}

function numbers(cells: readonly string[]): number {
  return cells.filter((cell) => /^-?\d+([.,]\d+)?$/.test(cell)).length
}
