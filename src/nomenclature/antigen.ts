/** Antigens: letters and number (`Cw10`), and the locus whose alleles carry them. */

export interface AntigenName {
  /** `A`, `Cw`, `DR`… */
  readonly letters: string
  /** `10` */
  readonly number: string
}

/** undefined when the text is no antigen by its form. */
export function parseAntigen(text: string): AntigenName | undefined {
  const [, letters, number] = /^([A-Z]+w?)(\d+)$/.exec(text) ?? []
  return letters === undefined || number === undefined ? undefined : { letters, number }
}

const LOCI: Readonly<Record<string, string>> = {
  Bw: 'B', Cw: 'C', Dw: 'D', DR: 'DRB1', DQ: 'DQB1', DPw: 'DPB1',
} // prettier-ignore

/** The locus an antigen's letters stand for; DR51, DR52 and DR53 are carried by other loci than DRB1. */
export function locusOfLetters(letters: string): string {
  return LOCI[letters] ?? letters
}
