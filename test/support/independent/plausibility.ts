/** Warning codes for DRB genotypes: a second implementation of the published rule. */
/**
 * Gene of DR52, DR53 or DR51 by the first field of DRB1 (Robinson et al. 2003; associations of antigens in
 * rel_ser_ser.txt).
 */
const BESIDE: Readonly<Record<string, string>> = {
  '03': 'DRB3', '11': 'DRB3', '12': 'DRB3', '13': 'DRB3', '14': 'DRB3',
  '04': 'DRB4', '07': 'DRB4', '09': 'DRB4',
  '15': 'DRB5', '16': 'DRB5',
} // prettier-ignore

export const DRB1 = ['01', '03', '04', '07', '08', '09', '10', '11', '12', '13', '14', '15', '16'].map((field) => `DRB1*${field}:01`) // prettier-ignore
export const OTHERS: Readonly<Record<string, readonly string[]>> = {
  DRB3: ['DRB3*01:01', 'DRB3*02:02', 'DRB3*03:01'],
  DRB4: ['DRB4*01:01', 'DRB4*01:03'],
  DRB5: ['DRB5*01:01', 'DRB5*02:02'],
}

/**
 * `drb1`: both typings; a single one gives no warning. Warns of a gene that belongs to neither DRB1, of two alleles of
 * a gene that belongs to one, and of three copies.
 */
export function expectedCodes(drb1: readonly string[], typed: readonly (readonly string[])[]): string[] {
  const beside = drb1.map((name) => BESIDE[name.slice(5, 7)])
  const misfits = typed.filter(([first = '', ...others]) => {
    const chromosomes = beside.filter((gene) => gene === first.slice(0, 4)).length
    const alleles = new Set([first, ...others]).size
    return drb1.length === 2 && (chromosomes === 0 || (chromosomes === 1 && alleles === 2))
  })
  const written = typed.flatMap((copies) => (copies.length > 2 ? ['three-copies'] : []))
  const all = typed.map((copies) => new Set(copies).size).reduce((sum, count) => sum + count, 0)
  const isSurplus = written.length === 0 && misfits.length === 0 && typed.length > 1 && all > 2
  return [...misfits.map(() => 'drb1-mismatch'), ...written, ...(isSurplus ? ['three-copies'] : [])].sort()
}
