/**
 * Table of words in headers: names of loci, of the two typings of a locus, of persons and of other columns. A new
 * convention is a new word in a row. A row has the kind of the words, their meaning, and the words, in any case; `_` in
 * a word is a blank, a punctuation mark or nothing. Pure.
 */

const TABLE = `
# loci, and spellings of registries that report antigens or leave the 1 away
locus   A      A
locus   B      B
locus   C      C CW
locus   DRA    DRA
locus   DRB1   DRB1 DR DRB
locus   DRB3   DRB3
locus   DRB4   DRB4
locus   DRB5   DRB5
locus   DQA1   DQA1 DQA
locus   DQB1   DQB1 DQ DQB
locus   DPA1   DPA1 DPA
locus   DPB1   DPB1 DP DPB
locus   E      E
locus   F      F
locus   G      G
locus   H      H
locus   DMA    DMA
locus   DMB    DMB
locus   DOA    DOA
locus   DOB    DOB
locus   MICA   MICA
locus   MICB   MICB

# which of the two typings: the words of both in turn; columns of a pair have one kind of word
slot    1       1 2
slot    01      01 02
slot    11      11 12
slot    i       i ii
slot    a       a b
slot    first   first second
slot    1st     1st 2nd
slot    one     one two
slot    parent  maternal paternal
# in Dutch, French, German, Italian, Portuguese and Spanish
slot_of_languages  first  eerste tweede  premier deuxième  première deuxieme  erste zweite  erster zweiter  erstes zweites
slot_of_languages  first  primo secondo  prima seconda  primeiro segundo  primeira segunda  primero segundo  primer segundo

# between a locus and its 1 or 2: A allele 1
typing  -  typ type typing allel allele allelen alleles allels al antigen antigene antigeno ag genotype
typing  -  hap haplotype h chr chromosome copy result
typing_of_languages  -  allèl allèle allèlen allèles allèls allél alléle allélen alléles alléls alel alelo alelos alela merkmal call
typing_of_languages  -  аллель アレル 座 ローカス 等位基因 位点 대립유전자

# persons, alone and before the words of an identifier; long: in tables of a row a typing alone
person  any    sample subject person patient donor recipient individual participant case grid
person  long   barcode iid sid pid id run uuid
person  named  record registry
person  whole  # id iid kennung key
identifier  any   id no nr number code name
identifier  long  identifier
identifier  other  iid
# many people's
group   -  f_id fam family pedigree pop population region country center centre site cohort group data_set batch plate
group   -  race ethnicity sex gender status disease

# columns of a table with a row a typing
column  locus   locus loci gene marker
column  allele  allele typing type call genotype result antigen
column  slot    allele slot copy hap haplotype chr chromosome
column  of_two  allel allèl allél allele allèle alléle alelo typing type call haplotype chromosome antigen ag

# times of the day; sums below a table
column  time    time hour clock
row     sum     total totals grand_total subtotal sub-total sum summe gesamt insgesamt somme suma soma totale totaal
row     sum     count counts anzahl mean average median итого всего 合計 总计 總計 합계
`

export type WordKind =
  | 'locus' | 'slot' | 'slot_of_languages' | 'typing' | 'typing_of_languages' | 'person' | 'identifier' | 'group' | 'column' | 'row' // prettier-ignore

export interface HeaderWords {
  readonly kind: WordKind
  readonly meaning: string
  readonly words: readonly string[]
}

export const HEADER_WORDS: readonly HeaderWords[] = TABLE.split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => {
    const [kind, meaning = '', ...words] = line.split(/ +/)
    return { kind: kind as WordKind, meaning, words }
  })

/** Distinct words in order. Omit `meanings` for all. */
export function listWords(kind: WordKind, ...meanings: readonly string[]): string[] {
  const rows = HEADER_WORDS.filter(
    (row) => row.kind === kind && (meanings.length === 0 || meanings.includes(row.meaning)),
  )
  return [...new Set(rows.flatMap(({ words }) => words))]
}

/** Regular expression for one of the words, longest first. */
export function wordPattern(words: readonly string[]): string {
  const spelled = words.map((word) => word.replaceAll('_', '[_. -]*'))
  return `(?:${spelled.toSorted((a, b) => b.length - a.length).join('|')})`
}

/** Words of the first or the second typing, of every kind of slot. */
export function slotWords(kind: 'slot' | 'slot_of_languages', which: 1 | 2): string[] {
  return [...new Set(HEADER_WORDS.flatMap((row) => (row.kind === kind ? row.words.filter((_, at) => at % 2 === which - 1) : [])))] // prettier-ignore
}
