/** Antigen names: letters and number (`Cw10`), and the locus whose alleles carry the antigen. */
import { readLocus } from './allele.ts'

export interface AntigenName {
  /** `A`, `Cw`, `DR`… */
  readonly letters: string
  /** `10` */
  readonly number: string
}

/** `A23`, or `A23(9)`; undefined for a text that is not an antigen name. */
export function parseAntigen(text: string): AntigenName | undefined {
  const [, letters, number] = /^([A-Z]+w?)(\d+)(?:\(w?\d+\))?$/.exec(text) ?? []
  return letters === undefined || number === undefined ? undefined : { letters, number }
}

/** Split and broad antigen as the WHO Nomenclature Committee's reports write them: `A23(9)`, `Cw9(w3)`. */
export interface WhoSpelling {
  /** `A23` */
  readonly split: string
  /** `A9` */
  readonly broad: string
}

export function parseWhoSpelling(text: string): WhoSpelling | undefined {
  const [, letters, split, broad] = /^([A-Z]+w?)(\d+)\(w?(\d+)\)$/.exec(text) ?? []
  return letters === undefined || split === undefined || broad === undefined
    ? undefined
    : { split: letters + split, broad: letters + broad }
}

/** A23 and A9 -> `A23(9)`. */
export function formatWhoSpelling({ split, broad }: WhoSpelling): string {
  return `${split}(${broad.replaceAll(/[A-Z]/g, '')})`
}

const LOCI: Readonly<Record<string, string>> = {
  Bw: 'B', Cw: 'C', Dw: 'D', DR: 'DRB1', DQ: 'DQB1', DPw: 'DPB1',
} // prettier-ignore

/** Locus of any name, including antigens; DR51, DR52 and DR53 belong to other loci than DRB1. */
export function readNameLocus(name: string): string {
  const antigen = parseAntigen(name)
  if (antigen === undefined) return readLocus(name)
  return findDrb345(name) ?? findLettersLocus(antigen.letters)
}

/** Locus of DR51, DR52, DR53 and their associated antigens (DR5202). */
export function findDrb345(antigen: string): string | undefined {
  const [, own] = /^(DR5[123])(?:\d\d)?$/.exec(antigen) ?? []
  return own === undefined ? undefined : ASSOCIATED[own]
}

const ASSOCIATED: Readonly<Record<string, string>> = { DR51: 'DRB5', DR52: 'DRB3', DR53: 'DRB4' }

/** Locus of an antigen's letters. */
export function findLettersLocus(letters: string): string {
  return LOCI[letters] ?? letters
}

/**
 * The other spelling of an associated antigen: four digits since the report of 2026, three before where the first is 0
 * (`A203` and `A0203`). undefined for a name with one spelling.
 */
export function otherSpelling(name: string): string | undefined {
  const [, letters, zero, digits] = /^([A-Z]+w?)(0?)([1-9]\d{2})$/.exec(name) ?? []
  if (letters === undefined || digits === undefined) return undefined
  return zero === '' ? `${letters}0${digits}` : letters + digits
}

/** `A0203`: a form first used in 2026. */
export function isNamedIn2026(name: string): boolean {
  return /^[A-Z]+w?0\d{3}$/.test(name)
}

/** `7` at C is Cw7. */
export function nameAntigen(digits: string, locus: string): string | undefined {
  const letters = ANTIGEN_LETTERS[locus]
  if (letters === undefined) return undefined
  const antigen = letters + digits
  // DR51, DR52 and DR53 are each carried by one locus, and by no DRB1 allele
  return letters !== 'DR' || (findDrb345(antigen) ?? 'DRB1') === locus ? antigen : undefined
}

/** Letters of each locus's antigens. Antigens of other loci, including DPw, have no known alleles. */
const ANTIGEN_LETTERS: Readonly<Record<string, string>> = {
  A: 'A', B: 'B', C: 'Cw', DRB1: 'DR', DRB3: 'DR', DRB4: 'DR', DRB5: 'DR', DQB1: 'DQ',
} // prettier-ignore
