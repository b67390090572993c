/** Splits a text into parts for separate questions. Only the service interprets them. */

/** Maximum number of parts with questions of their own. */
const MOST = 12
const MAX_LOCI = 30

/** Typings of the loci joined by `^`; empty for a single one. */
export function typingsOfLoci(text: string): string[] {
  const parts = text.split('^')
  return text.includes('?') || parts.length === 1 || parts.length > MAX_LOCI ? [] : parts
}

/** `HLA-DRB1*15:01+…` -> `DRB1`; a typing without a locus is returned unchanged. */
export function locusIn(typing: string): string {
  return /^(?:HLA-)?([A-Z\d]+)\*/i.exec(typing)?.[1]?.toUpperCase() ?? typing
}

/** Parts on one chromosome: names, codes and lists of alleles. */
export function allelesIn(text: string): string[] {
  return distinct(text.split(/[\^|+~?]/))
}

/** Codes in the typing, and lists that may have a code. */
export function codesIn(text: string): string[] {
  const codes = text.split(/[\^|+~/?]/).filter((name) => /^(?:HLA-)?\w+\*\d+:[A-Z]{2,}$/.test(name))
  const lists = allelesIn(text).filter((list) => list.includes('/'))
  return distinct([...codes, ...lists])
}

/** Input of a blend of DRB1 with DRB3, DRB4 and DRB5; undefined without DRB1 or without any of the others. */
export function blendIn(text: string): Readonly<Record<string, string>> | undefined {
  const byLocus = new Map(typingsOfLoci(text).map((typing) => [locusIn(typing), typing]))
  const genotype = byLocus.get('DRB1')
  const genes = ['DRB3', 'DRB4', 'DRB5'] as const
  if (genotype === undefined || !genes.some((gene) => byLocus.has(gene))) return undefined
  return {
    DRB1_SLUG: genotype,
    ...Object.fromEntries(genes.map((gene) => [gene, byLocus.get(gene) ?? ''])),
  }
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '').slice(0, MOST)
}
