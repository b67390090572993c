/**
 * Words of headers: a row has the kind of its words, their meaning, the words, in any case, and the address of a
 * file that has them. `_` in a word is a blank, a punctuation mark or nothing. A new convention is a new row; one without
 * a real file is not added. Pure.
 */

const TABLE = `
# loci, and names of antigens that stand for them
locus   A      A          rdrr.io/github/balima78/simK/man/hla.html
locus   B      B          rdrr.io/github/balima78/simK/man/hla.html
locus   C      C          rdrr.io/github/balima78/simK/man/hla.html
locus   C      CW         github.com/lgragert/srtr-impute-pubsaf2306/blob/main/srtr_saf_hla_merge_9loc.py
locus   DRA    DRA        genentech.github.io/midasHLA/reference/MiDAS_tut_HLA.html
locus   DRB1   DRB1       rdrr.io/github/balima78/simK/man/hla.html
locus   DRB1   DR         github.com/lgragert/srtr-impute-pubsaf2306/blob/main/srtr_saf_hla_merge_9loc.py
locus   DRB1   DRB        github.com/lgragert/srtr-impute-pubsaf2306/blob/main/Eplet_Registry_DRB.txt
locus   DRB3   DRB3       github.com/kmayerb/tcrdist3
locus   DRB4   DRB4       github.com/kmayerb/tcrdist3
locus   DRB5   DRB5       github.com/kmayerb/tcrdist3
locus   DQA1   DQA1       genentech.github.io/midasHLA/reference/MiDAS_tut_HLA.html
locus   DQA1   DQA        github.com/lgragert/srtr-impute-pubsaf2306/blob/main/UNOS_typing_codes_DQA.txt
locus   DQB1   DQB1       genentech.github.io/midasHLA/reference/MiDAS_tut_HLA.html
locus   DQB1   DQ DQW     github.com/lgragert/srtr-impute-pubsaf2306/blob/main/srtr_saf_hla_merge_9loc.py
locus   DQB1   DQB        github.com/search?type=code&q=T_DQB_1
locus   DPA1   DPA1       genentech.github.io/midasHLA/reference/MiDAS_tut_HLA.html
locus   DPA1   DPA        github.com/lgragert/srtr-impute-pubsaf2306/blob/main/UNOS_typing_codes_DPA.txt
locus   DPB1   DPB1       genentech.github.io/midasHLA/reference/MiDAS_tut_HLA.html
locus   DPB1   DP DPW     github.com/lgragert/srtr-impute-pubsaf2306/blob/main/srtr_saf_hla_merge_9loc.py
locus   DPB1   DPB        github.com/search?type=code&q=dpb_1+drp_1
locus   E      E          github.com/DKMS-LSL/typeloader/blob/master/src/sample_files/pretypings_example.csv
locus   F      F          github.com/genevol-usp/hlapers
locus   G      G          github.com/genevol-usp/hlapers
locus   H      H          github.com/ANHIG/IMGTHLA/blob/Latest/wmda/hla_nom.txt
locus   DMA    DMA        github.com/genevol-usp/hlapers
locus   DMB    DMB        github.com/genevol-usp/hlapers
locus   DOA    DOA        github.com/genevol-usp/hlapers
locus   DOB    DOB        github.com/genevol-usp/hlapers
locus   MICA   MICA       github.com/DKMS-LSL/typeloader/blob/master/src/sample_files/pretypings_example.csv
locus   MICB   MICB       github.com/DKMS-LSL/typeloader/blob/master/src/sample_files/pretypings_example.csv

# which of the two typings: the words of both in turn; columns of a pair have one kind of word
slot    1       1 2            rdrr.io/github/balima78/simK/man/hla.html
slot    first   first second   github.com/search?type=code&q=hla_drb1_first

# between a locus and its 1 or 2: A allele 1
typing  -  typ type       github.com/nmdp-bioinformatics/py-ard/blob/master/extras/README.md
typing  -  allele         github.com/search?type=code&q=HLA_A_allele1
typing  -  typing         github.com/search?type=code&q=hla_a_typing
typing  -  hap            github.com/search?type=code&q=hap1_drb1

# persons, alone and before the words of an identifier; long: in tables of a row a typing alone
person  any    sample       github.com/DKMS-LSL/typeloader/blob/master/src/sample_files/pretypings_example.csv
person  any    subject      github.com/kmayerb/tcrdist3
person  any    person       ohdsi.github.io/CommonDataModel/cdm54.html
person  any    patient      rdrr.io/cran/immunogenetr/man/HLA_typing_1.html
person  any    donor        github.com/hammerlab/paper-aocs-chemo-neoantigens
person  any    recipient    github.com/search?type=code&q=Recipient+HLA-A+Allele+1
person  any    individual   gramm.math.biu.ac.il/example
person  any    participant  bids-specification.readthedocs.io/en/stable/modality-agnostic-files.html
person  any    case         docs.gdc.cancer.gov/API/Users_Guide/Appendix_A_Available_Fields
person  long   barcode      docs.gdc.cancer.gov/Encyclopedia/pages/TCGA_Barcode
person  long   iid          www.cog-genomics.org/plink/1.9/formats
person  long   id           rdrr.io/github/balima78/simK/man/hla.html
person  long   run          www.ebi.ac.uk/ena/portal/api/returnFields?result=read_run
person  long   uuid         docs.gdc.cancer.gov/API/Users_Guide/Appendix_A_Available_Fields
person  whole  id           rdrr.io/github/balima78/simK/man/hla.html
person  whole  iid          www.cog-genomics.org/plink/1.9/formats
identifier  any   id        github.com/nmdp-bioinformatics/py-ard/blob/master/extras/sample.csv
identifier  any   no        github.com/search?type=code&q=Sample+No.+HLA-DQB1
identifier  any   number    github.com/search?type=code&q=donor_number+drp_1
identifier  any   code      github.com/alexlancaster/pypop/blob/main/data/samples/USAFEL-UchiTelle-small.pop
identifier  any   name      github.com/DKMS-LSL/typeloader/blob/master/src/sample_files/pretypings_example.csv
identifier  other  iid      www.cog-genomics.org/plink/1.9/formats
# many people's
group   -  f_id                           www.cog-genomics.org/plink/1.9/formats
group   -  fam family                     gramm.math.biu.ac.il/example
group   -  pop population region          doi.org/10.1371/journal.pone.0206512
group   -  center                         docs.gdc.cancer.gov/Encyclopedia/pages/TCGA_Barcode
group   -  cohort sex race                github.com/kmayerb/tcrdist3
group   -  data_set                       github.com/alexlancaster/pypop
group   -  plate                          docs.gdc.cancer.gov/Encyclopedia/pages/TCGA_Barcode
group   -  ethnicity gender disease       docs.gdc.cancer.gov/API/Users_Guide/Appendix_A_Available_Fields

# columns of a table with a row a typing
column  locus   locus                     github.com/DiltheyLab/HLA-LA
column  locus   gene                      github.com/immunogenomics/scHLApers
column  allele  allele                    github.com/DiltheyLab/HLA-LA
column  allele  type                      github.com/PacificBiosciences/hifihla
column  allele  typing                    hla.example.org/docs/formats.md
column  allele  genotype                  github.com/BenSolomon/hla_benchmark
column  slot    chromosome                github.com/DiltheyLab/HLA-LA
column  slot    allele                    hla.example.org/docs/formats.md
column  slot    hap                       gramm.math.biu.ac.il/example
column  of_two  allele                    github.com/TRON-Bioinformatics/seq2HLA

# times of the day; sums below a table
column  time    time                      bids-specification.readthedocs.io/en/stable/modality-agnostic-files.html
row     sum     total                     link.springer.com/article/10.1007/s00251-011-0513-0/tables/1
row     sum     insgesamt                 www-genesis.destatis.de/datenbank/online/
row     sum     totale                    dati.istat.it
row     sum     grand_total average       learn.microsoft.com/office/vba/api/excel.range.subtotal
row     sum     count mean                pandas.pydata.org/docs/reference/api/pandas.DataFrame.describe.html
row     sum     sum                       pandas.pydata.org/docs/reference/api/pandas.DataFrame.agg.html
`

export type WordKind = 'locus' | 'slot' | 'typing' | 'person' | 'identifier' | 'group' | 'column' | 'row'

export interface HeaderWords {
  readonly kind: WordKind
  readonly meaning: string
  readonly words: readonly string[]
  /** Address of a file that has the words. */
  readonly address: string
}

export const HEADER_WORDS: readonly HeaderWords[] = TABLE.split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => {
    const [kind, meaning = '', ...rest] = line.split(/ +/)
    return { kind: kind as WordKind, meaning, words: rest.slice(0, -1), address: `https://${rest.at(-1)}` }
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

/**
 * Name in lower case, without the separators before and between its words: `sampleid` of `Sample ID` and `sample_id`. A
 * number keeps its sign and point.
 */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[_. -]+(?=[a-z])|(?<=[a-z])[_. -]+(?=\d)/g, '')
}

/** Bare names of a word of each part in turn; an empty word makes its part optional. */
export function bareNames(...parts: readonly (readonly string[])[]): ReadonlySet<string> {
  const add = (names: readonly string[], words: readonly string[]) =>
    names.flatMap((name) => words.map((word) => name + word.replaceAll('_', '')))
  return new Set(parts.reduce(add, ['']))
}

/** Words of the first or the second typing, of every kind of slot. */
export function slotWords(which: 1 | 2): string[] {
  return [...new Set(HEADER_WORDS.flatMap((row) => (row.kind === 'slot' ? row.words.filter((_, at) => at % 2 === which - 1) : [])))] // prettier-ignore
}

/**
 * Removes the suffixes of readxl (`A...2`, `...3`) and pandas (`Unnamed: 2`); a line break in a cell becomes a blank.
 */
export function plainName(name: string): string {
  const trimmed = name.trim().replace(/\s*[\r\n]\s*/g, ' ')
  if (/^Unnamed: \d+(?:_level_\d+)?$/.test(trimmed) || trimmed === '.') return ''
  return trimmed.replace(/\.\.\.\d+$/, '').trim()
}
