/** Other readings of an unreadable typing: other characters between names, other notations, missing parts. Pure. */
import { isGrouped, readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNotation } from '../../nomenclature/programs.ts'
import { tidyName } from './tidy.ts'

/** Other readings of the text, likeliest first. `mayBeCode`: also as a code without its locus, or with XX at any locus. */
export function listReadings(text: string, mayBeCode: boolean): readonly string[] {
  const plain = text.normalize('NFKC').trim().replace(/^["'`\u2018-\u201f]+|["'`\u2018-\u201f]+$/g, '').replace(/^[-+^|~/]+|[-+^|~/]+$/g, '') // prettier-ignore
  const found = [
    ...(mayBeCode ? codeReadings(plain) : []),
    plain,
    leafwise(plain),
    leafwise(plain, true),
    leafwise(withLoci(plain)),
    haplotype(plain),
    antigen(plain),
    // letter o for the digit 0
    plain.replace(/(?<=[*:\d])o(?=\d)/gi, '0'),
    leafwise(separated(plain)),
    joined(plain),
    // outside the grouped loci only `mac` expands an XX code
    ...(mayBeCode || isGrouped(readLocus(withoutPrefix(plain))) ? [`${plain.replace(/:$/, '')}:XX`] : []),
  ]
  return [...new Set(found.flatMap((one) => (one === undefined || one === text ? [] : [one])))]
}

/** A code is meaningful only after a locus and a first field. */
function codeReadings(text: string): string[] {
  if (!/^[A-Z]{2,5}$/i.test(text)) return []
  return ['A*01', 'A*02', 'B*07', 'C*07', 'DRB1*04', 'DQB1*03', 'DPB1*04'].map((name) => `${name}:${text.toUpperCase()}`) // prettier-ignore
}

/** Rewrites each name in today's notation. */
function leafwise(text: string, isOld = false): string {
  return text.replace(/[^+^|~/]+/g, (leaf) => tidied(leaf, isOld))
}

/** `isOld` keeps digits without colons, since the release knows the successors of such names. */
function tidied(leaf: string, isOld = false): string {
  // an antigen is not a name without its asterisk
  if (/^(?:HLA-)?(?:A|B|C|Bw|Cw|DR|DQ|DPw?)[1-9]\d{0,3}$/.test(leaf)) return leaf
  const dashed = leaf.replace(/^((?:HLA[-_])?[A-Z]{1,3}\d?)-(?=\d)/i, '$1*')
  const names = (readNotation(dashed) ?? dashed).split('~')
  return names.map((name) => (isOld ? name : tidiedName(name))).join('~')
}

/** Skips readings with three digits in the first field, which few loci have: `A*001:01` is unlikely. */
function tidiedName(name: string): string {
  return tidyName(name).find((one) => !/\*0\d\d\b/.test(one.name))?.name ?? name
}

/** `A*02.01`, `A*02_01`, `A*02;01` */
function separated(text: string): string {
  return text.replace(/(?<=\d)[.;,_ -]+(?=\d)/g, ':')
}

/** `DQA1*05:01-DQB1*02:01` */
function haplotype(text: string): string {
  return leafwise(text.replace(/(?<=\w)-(?=(?:HLA-)?D[RPQ]B\d\*?\d)/gi, '~'))
}

/** Completes `A*01:01/02` and `A*01:01/02:01` from the preceding name. */
function withLoci(text: string): string {
  let before = ''
  return text.replace(/[^+^|~/]+/g, (leaf) => {
    const [, locus = '', field = ''] = /^(.*\*)(\w+)/.exec(before) ?? []
    const whole = /^\d+[A-Z]?$/.test(leaf) ? `${locus}${field}:${leaf}` : /^\d/.test(leaf) ? `${locus}${leaf}` : leaf // prettier-ignore
    before = whole
    return whole
  })
}

/** `a2`, `CW7` */
function antigen(text: string): string | undefined {
  const [, letters = '', number = ''] = /^(?:hla-)?(a|b|bw|cw|dr|dq|dpw?)(\d{1,4})$/i.exec(text) ?? []
  return number === '' ? undefined : `${letters.toUpperCase().replace('W', 'w')}${number}`
}

/** `A*01:01, A*02:01`: joins two names of a locus to a genotype, and loci with `^`. */
function joined(text: string): string | undefined {
  const names = text.split(/(?:\s*[,;&]\s*|\s+(?:and\s+|or\s+)?)/).map((name) => tidied(name))
  const loci = new Map<string, string[]>()
  for (const name of names) {
    const locus = readLocus(withoutPrefix(name))
    loci.set(locus, [...(loci.get(locus) ?? []), name])
  }
  const groups = [...loci.values()]
  if (names.length < 2 || groups.some((group) => group.length > 2)) return undefined
  return groups.map((group) => group.join('+')).join('^')
}
