/** Antigens: letters and number (`Cw10`), and the locus whose alleles carry them. */
import { readLocus } from './allele.ts'

export interface AntigenName {
  /** `A`, `Cw`, `DR`… */
  readonly letters: string
  /** `10` */
  readonly number: string
}

/** `A23`, or `A23(9)`; undefined when the text is not an antigen by its form. */
export function parseAntigen(text: string): AntigenName | undefined {
  const [, letters, number] = /^([A-Z]+w?)(\d+)(?:\(w?\d+\))?$/.exec(text) ?? []
  return letters === undefined || number === undefined ? undefined : { letters, number }
}

/** A split with its broad antigen, as reports of the WHO Nomenclature Committee write it: `A23(9)`, `Cw9(w3)`. */
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

/** `A23(9)` of A23 and A9. */
export function formatWhoSpelling({ split, broad }: WhoSpelling): string {
  return `${split}(${broad.replace(/^[A-Z]+/, '')})`
}

const LOCI: Readonly<Record<string, string>> = {
  Bw: 'B', Cw: 'C', Dw: 'D', DR: 'DRB1', DQ: 'DQB1', DPw: 'DPB1',
} // prettier-ignore

/** The locus of any name, an antigen's too; DR51, DR52 and DR53 are carried by other loci than DRB1. */
export function readNameLocus(name: string): string {
  const antigen = parseAntigen(name)
  if (antigen === undefined) return readLocus(name)
  return findDrb345(name) ?? findLettersLocus(antigen.letters)
}

/** The locus of DR51, DR52, DR53 and what is associated with them: DR5202. */
export function findDrb345(antigen: string): string | undefined {
  const [, own] = /^(DR5[123])(?:\d\d)?$/.exec(antigen) ?? []
  return own === undefined ? undefined : ASSOCIATED[own]
}

const ASSOCIATED: Readonly<Record<string, string>> = { DR51: 'DRB5', DR52: 'DRB3', DR53: 'DRB4' }

/** The locus an antigen's letters stand for. */
export function findLettersLocus(letters: string): string {
  return LOCI[letters] ?? letters
}

/**
 * Associated antigens have four digits since the report of 2026, and had three where the first is 0: `A203` is `A0203`. The
 * other of the two; undefined for a name that has one spelling.
 */
export function otherSpelling(name: string): string | undefined {
  const [, letters, zero, digits] = /^([A-Z]+w?)(0?)([1-9]\d{2})$/.exec(name) ?? []
  if (letters === undefined || digits === undefined) return undefined
  return zero === '' ? `${letters}0${digits}` : letters + digits
}

/** `A0203`: no antigen was written so before. */
export function isNamedIn2026(name: string): boolean {
  return /^[A-Z]+w?0\d{3}$/.test(name)
}
