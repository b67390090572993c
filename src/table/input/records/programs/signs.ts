/** How the files of typing programs begin: whose a file is, by its first lines. Pure. */
import type { RecordFormatName } from '../record-format-names.ts'

type Sign = (lines: readonly string[]) => boolean

const CONFIDENCE = /^#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence$/
const HD_TYPING = String.raw`(?:HLA-[A-Z0-9]+\*\S+|Not typed|-)`
const T1K_ALLELE = String.raw`(?:\.|\S+\*\S+)\t-?[\d.]+\t-?[\d.]+`
const RANKED = /^\s*\d+ ranked [A-Z0-9]+\*\S+ \(abundance: [\d.]+%\)/
const GENES = /^\{\s*(?:"[^"]*"\s*:\s*\{\s*)?"[A-Z][A-Z0-9]*"\s*:\s*\[\s*"[A-Z][A-Z0-9]*\*/

/** Row numbers may stand before it. */
const HIBAG = /^[,\t ]?sample\.id([,\t ])allele1\1allele2\1prob(?:\1matching)?\s*$/

/** In the order they are tried. */
const SIGNS: ReadonlyMap<RecordFormatName, Sign> = new Map([
  ['phlat', begins(/^Locus\tAllele1\tAllele2\tLLtot\tpval1\tpval2$/i)],
  ['seq2hla', begins(CONFIDENCE)],
  ['rna2hla', begins(/^-+HLA class/, CONFIDENCE)],
  ['hla-la', begins(/^Locus\tChromosome\tAllele\tQ1\t/)],
  ['hlapers', begins(/^locus\tallele\ttpm\tcounts$/)],
  ['hla-hd', mostLines(new RegExp(String.raw`^[A-Z0-9]+\t${HD_TYPING}\t${HD_TYPING}(?:\t|$)`))],
  ['t1k', mostLines(new RegExp(String.raw`^[A-Z][A-Z0-9-]*\t[0-2]\t${T1K_ALLELE}\t${T1K_ALLELE}(?:\t|$)`))],
  [
    'polysolver',
    mostLines(/^HLA-([A-Z0-9]+)\thla_[a-z0-9]+(?:_\d+)+[a-z]?\thla_[a-z0-9]+(?:_\d+)+[a-z]?\s*$/),
  ],
  ['spechla', begins(/^#/, /^Sample(?:\tHLA_[A-Z0-9]+_[12])+\s*$/)],
  ['hlaminer', (lines) => lines.some((line) => /^\s*Prediction #\d+ - [A-Z0-9]+\*/.test(line))],
  ['hisat-genotype', (lines) => lines.some((line) => line.includes('HISAT-genotype') || RANKED.test(line))],
  ['hlaforest', mostLines(/^ROOT:[A-Z0-9]+(?:\tROOT:[A-Z0-9]+(?::\w+)+)*\s*$/)],
  ['hibag', (lines) => HIBAG.test((lines[0] ?? '').replaceAll('"', ''))],
  ['arcashla', (lines) => GENES.test(documentIn(lines))],
  ['xhla', (lines) => isReport(documentIn(lines))],
])

/** The program that wrote it; undefined: none that is known. */
export function recognizeProgram(lines: readonly string[]): RecordFormatName | undefined {
  for (const [name, isWrittenBy] of SIGNS) if (isWrittenBy(lines)) return name
  return undefined
}

export function hasSign(name: RecordFormatName, lines: readonly string[]): boolean {
  return SIGNS.get(name)?.(lines) === true
}

function begins(...forms: readonly RegExp[]): Sign {
  return (lines) => forms.every((form, at) => form.test(lines[at] ?? ''))
}

/** Most of the first lines that are not empty, and at least one. */
function mostLines(form: RegExp): Sign {
  return (lines) => {
    const filled = lines.filter((line) => line.trim() !== '')
    const whole = filled.slice(0, Math.max(1, filled.length - 1))
    return whole.length > 0 && whole.every((line) => form.test(line))
  }
}

/** The beginning as a document, when it is one or becomes one: only how it begins is looked at. */
function documentIn(lines: readonly string[]): string {
  return lines.join('\n').trimStart()
}

function isReport(begun: string): boolean {
  return (
    begun.startsWith('{') && /"report_type"\s*:\s*"hla_typing"/.test(begun) && begun.includes('"alleles"')
  )
}
