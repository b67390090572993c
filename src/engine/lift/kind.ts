/** Names that stand for more than alleles of one list, and are therefore not translated. */

const KINDS: readonly (readonly [shape: RegExp, kind: string])[] = [
  [/^[A-Z][A-Z0-9]*\*\d+(:\d+)*G$/, 'a G group'],
  [/^[A-Z][A-Z0-9]*\*\d+(:\d+)*P$/, 'a P group'],
  [/^[A-Z][A-Z0-9]*\*\d+(:\d+)+(g|ARS)$/, 'a reduced name'],
  [/^[A-Z][A-Z0-9]*\*\d+:XX$/, 'an XX code'],
  [/^[A-Z][A-Z0-9]*\*\d+:[A-Z]{2,}$/, 'a MAC'],
  [/^(A|Bw?|Cw?|Dw?|DR|DQ|DPw?)\d+$/, 'an antigen'],
]

/** By shape alone: what `name` is, with its article; undefined for everything else. */
export function untranslatedKind(name: string): string | undefined {
  return KINDS.find(([shape]) => shape.test(name))?.[1]
}
