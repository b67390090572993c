/**
 * Names as peptide-binding predictors write them: `HLA-A02:01`, `A0201`, `hla_a_02_01_01`, `DRB1_0101`,
 * `HLA-DQA10501-DQB10201`.
 */
import { hasPrefix, PREFIX } from './allele.ts'

const LOCUS = 'A|B|Cw?|DR[AB]|DRB[1345]|D[QP][AB]1|D[MO][AB]|E|F|G'
/** Fields after a separator each, or digits without any: at least two fields, of two digits each. */
const FIELDS = String.raw`(?:\d{2,3}(?:[:_]\d{2,3}){1,3}|(?:\d\d){2,4})[NLSQCA]?`
const ONE = String.raw`(${LOCUS})_?(${FIELDS})`
const PREFIXED = String.raw`^\s*(HLA[-_]?)?`
const NAME = new RegExp(String.raw`${PREFIXED}${ONE}\s*$`, 'i')
/** Both chains of one molecule, each with or without an asterisk. */
const CHAIN = String.raw`(${LOCUS})[_*]?(${FIELDS})`
const PAIR = new RegExp(String.raw`${PREFIXED}${CHAIN}[-_](?:HLA[-_]?)?${CHAIN}\s*$`, 'i')
/** Every locus begins with A to G, and `HLA-` with H. */
const BEGINS = /^\s*[A-H]/i
/** The first chain of a pair. */
const ALPHA = /D[RPQ]A/i

/**
 * `A02:01` -> `A*02:01`, `DQA10501-DQB10201` -> `DQA1*0501~DQB1*0201`; a written `HLA-` is kept. Digits without
 * separators
 * stay, since old names look alike and the release knows their successors. undefined for other notations.
 */
export function readNotation(text: string): string | undefined {
  // the patterns take milliseconds to compile: text that cannot match does not need them
  if (!BEGINS.test(text)) return undefined
  const [, prefix, locus, fields] = NAME.exec(text) ?? []
  if (locus !== undefined && fields !== undefined) {
    const name = makeName(prefix, locus, fields)
    return name === text ? undefined : name
  }
  if (!ALPHA.test(text)) return undefined
  const [, before, first, firstFields, second, secondFields] = PAIR.exec(text) ?? []
  if (first === undefined || firstFields === undefined || second === undefined || secondFields === undefined)
    return undefined
  if (!/^D[RPQ]A/i.test(first) || !/^D[RPQ]B/i.test(second)) return undefined
  return `${makeName(before, first, firstFields)}~${makeName(before, second, secondFields)}`
}

function makeName(prefix: string | undefined, locus: string, fields: string): string {
  const whole = locus.toUpperCase().replace(/^CW$/, 'C')
  const name = `${whole}*${fields.toUpperCase().replaceAll('_', ':')}`
  return prefix !== undefined && hasPrefix(prefix.toUpperCase()) ? PREFIX + name : name
}
