/**
 * Other readings of an unreadable typing: other characters between names, other notations, missing parts. Several
 * typings are split as a cell of a table is, and are never joined to one name. Pure.
 */
import { tidyName } from '../../engine/suggest/tidy.ts'
import { isGrouped, readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNotation } from '../../nomenclature/programs.ts'
import { areApart, isTypingLike, splitCell } from '../../table/cells/joined/joined.ts'
import { splitPhenotype } from '../../table/words/phenotype.ts'
import { findDamage, findOddSeparator } from '../../table/words/typing-shape.ts'

/** Other readings of the text, likeliest first. `mayBeCode`: also as a code without its locus, or with XX at any locus. */
export function listReadings(text: string, mayBeCode: boolean): readonly string[] {
  const plain = text.normalize('NFKC').trim().replace(/^["'`\u2018-\u201f]+|["'`\u2018-\u201f]+$/g, '').replace(/^[-+^|~/]+|[-+^|~/]+$/g, '').replace(BLANK_FOR_STAR, '$1*') // prettier-ignore
  const candidates = [
    ...(mayBeCode ? codeReadings(plain) : []),
    plain,
    haplotype(plain),
    readSeveral(plain),
    leafwise(plain),
    leafwise(plain, true),
    leafwise(withLoci(plain)),
    antigen(plain),
    // letter o for the digit 0
    plain.replace(/(?<=[*:\d])o(?=\d)/gi, '0'),
    leafwise(separated(plain)),
    // outside the grouped loci only `mac` expands an XX code
    ...(mayBeCode || isGrouped(readLocus(withoutPrefix(plain))) ? [`${plain.replace(/:$/, '')}:XX`] : []),
  ]
  const isSeveral = SEVERAL.test(plain)
  const readings = candidates.filter(
    (one): one is string => one !== undefined && one !== text && !(isSeveral && !/[+^|~/]/.test(one)),
  )
  return [...new Set(readings)]
}

/** `DRB1 15:01`: the blank is no place between two numbers. */
const BLANK_FOR_STAR = /^((?:hla[-_\s])?d[rpq][ab]\d)\s+(?=\d)/i

/** Two typings: one has its colons, or both may be antigens. */
const SEVERAL = /:.*\d[.,;_\s-]+\*?\d|\d[.,;_\s-]+\*?\d.*:|^(?:HLA-)?[A-Z]+[1-9]\d?[.,;_\s-]+[1-9]\d?$/i

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

/**
 * `A*02.01`, `A*02_01`, `A*02;01`: a name without any colon. Behind a colon, or behind a number of one digit, such a
 * character separates two typings (`A*02:01_24:02`, `A2.24`), as a comma and a space do anywhere.
 */
function separated(text: string): string {
  const isOneName =
    !/[:,\s]/.test(text) && /^[A-Z][A-Z\d]*(?:\*\d{2,4}[.;_-]|\d{2}[._])\d/i.test(withoutPrefix(text))
  return isOneName ? text.replace(/(?<=\d)[.;_-](?=\d)/g, ':') : text
}

/** `DQA1*05:01-DQB1*02:01` */
function haplotype(text: string): string | undefined {
  const joined = text.replace(/(?<=\w)-(?=(?:HLA-)?D[RPQ]B\d\*?\d)/gi, '~')
  return joined === text ? undefined : leafwise(joined)
}

/** Completes `A*01:01/02`, `A*01:01/02:01` and `A*0101/0201` from the preceding name. */
function withLoci(text: string): string {
  let previous = ''
  return text.replace(/[^+^|~/]+/g, (leaf) => {
    const [, locus = '', field = ''] = /(.*\*)(\w+)/.exec(previous) ?? []
    const isField = /^\d+[A-Z]?$/.test(leaf) && previous.includes(':')
    const name = isField ? `${locus}${field}:${leaf}` : /^\d/.test(leaf) ? `${locus}${leaf}` : leaf
    previous = name
    return name
  })
}

/** `a2`, `CW7` */
function antigen(text: string): string | undefined {
  const [, letters = '', number = ''] = /^(?:hla-)?(a|b|bw|cw|dr|dq|dpw?)(\d{1,4})$/i.exec(text) ?? []
  return number === '' ? undefined : `${letters.toUpperCase().replace('W', 'w')}${number}`
}

/** `A*01:01, A*02:01`, `A2,24`: two names of a locus as a genotype, and loci joined with `^`. */
function readSeveral(text: string): string | undefined {
  const list = text.split(/\s+or\s+/i).map((name) => tidied(name))
  if (list.length > 1) return list.every(isTypingLike) ? list.join('/') : undefined
  const loci = new Map<string, string[]>()
  for (const { locus, name } of splitTypings(withSpaces(text)))
    loci.set(locus, [...(loci.get(locus) ?? []), tidied(name)])
  const groups = [...loci.values()]
  if (groups.flat().length < 2) return undefined
  // one locus, one first field: as likely a list of possible alleles
  const isDecided = groups.every((group) => group.length === 1 || (group.length === 2 && areApart(group)))
  return isDecided ? groups.map((group) => group.join('+')).join('^') : undefined
}

/** With spaces for words and characters between typings that mean something else within one. */
function withSpaces(text: string): string {
  const plain = text.replace(/\s+and\s+|\s*&\s*/gi, ' ')
  const separator = findOddSeparator(plain)
  if (separator !== undefined) return splitCell(plain, separator).join(' ')
  const parts = splitCell(plain, '-')
  return parts.length === 2 && parts.every(isTypingLike) && findDamage(plain) === undefined
    ? parts.join(' ')
    : plain
}

/** Typings of a cell, with the locus that the first of it is written with; none where a part is no typing. */
function splitTypings(text: string): readonly { readonly locus: string; readonly name: string }[] {
  const parts = splitPhenotype(text)?.map(({ locus, text: part }) => ({
    locus,
    name: /^[A-Z]/.test(part) ? part : `${locus}*${part.replace(/^\*/, '')}`,
  }))
  if (parts !== undefined) return parts
  const names = text.split(/[,;\s]+/).map((name) => tidied(name))
  return names.every((name) => isTypingLike(name) && name.includes('*'))
    ? names.map((name) => ({ locus: readLocus(withoutPrefix(name)), name }))
    : []
}
