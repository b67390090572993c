/** Help topic: tables of typings. Pure. */
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, file, heading, session, terms, text } from '../page.ts'

export function tablesTopic({ layouts, tokens }: ManualFacts): Block[] {
  return [
    ...text(
      'The input is read as a table if its name ends in .csv .tsv .tab .pop .hped .glc .glsc .glid or .xlsx, compressed or not, if an option for tables is given, or if it looks like one, whatever the file is called: a header that names loci, or the same number of fields in its lines. Titles and comments above the header are passed through, columns may be aligned with blanks, and, as R writes it, the header may lack a name for the column of row names; a note says so. Otherwise, it is read as one typing per line; `--input-format lines` asks for that.',
      'From a workbook (.xlsx), hla reads the first sheet with typings, or the one that `--sheet` names, with cells as they are shown; output is CSV. Typings that became times or dates are errors that name the cell, such as `Typings!C7`.',
      'Every distinct typing is reduced once. Fields that are not typings are copied byte for byte, including quotes, line endings and the byte order mark.',
    ),
    heading('See the plan first'),
    ...text(
      '`--plan` says which columns hold typings of which locus, how their cells are read and what would be written. Nothing is converted. Antigens, XX codes and multiple allele codes become long lists; `--keep serology,xx,mac` leaves such cells as they are.',
    ),
    file('mixed.csv', MIXED.text),
    session({ command: 'hla redux -q -i mixed.csv --plan', output: MIXED.plan }),
    ...columns(),
    ...cells(),
    terms(tokens),
    file('joined.tsv', 'id\tA\tB\n1\t01:01,24:02\t07:02,08:01\n2\t02:01,-\t07:02,07:02\n'),
    session({
      command: 'hla redux -q -i joined.tsv --into replace',
      output: 'id\tA\tB\n1\tA*01:01+A*24:02\tB*07:02+B*08:01\n2\tA*02:01\tB*07:02+B*07:02',
    }),
    ...results(),
    ...others(),
    ...rowsOfTypings(),
    heading('Layouts'),
    ...text(
      '`--input-format` names a layout that is common for HLA data; some layouts are recognised by the suffix of the file. A small table of each:',
    ),
    ...layouts.flatMap(([name, summary]) => layoutExample(name, summary)),
  ]
}

const MIXED = {
  text: 'id,A_1,A_2,DRB1_1,DRB1_2\nR1,01:01,02:AB,0301,1501\nR2,24:02,NNNN,0401,\n',
  plan: `input      mixed.csv  comma-separated, header, UTF-8, LF
id         id
A          A_1 A_2          fields, no locus            01:01 -> A*01:01
DRB1       DRB1_1 DRB1_2    bare digits -> v2 names     0301 -> DRB1*03:01
tokens     NNNN -> absent (A)
method     lgx, release 3.58.0
output     new columns after each source: A_1_lgx A_2_lgx DRB1_1_lgx DRB1_2_lgx`,
}

function columns(): Block[] {
  return [
    heading('Columns'),
    ...text(
      'Typing columns are found by their names, such as `A_1 A_2`, `A A.1`, `HLA-DRB1 a`, `first_A`, `donor_B1` or `DRB345_1`, in one line or two, and columns of GL Strings by their contents. If the choice is ambiguous, an error lists the candidates.',
      'A column that looks like typings but is not read is reported: by `--plan`, on standard error, in the summary and in the provenance, with the option that would read it. With `--strict-columns`, and in `hla validate`, the exit status is then 1; `-x` leaves such a column out.',
      '`-c` names columns: by name, by number, as a range `A_1..DRB1_2` or `3..8`, or with `*` and `?`; `-x` leaves some out. Of two columns with one name, the first is `A#1`; a column whose name is a number is `=3`.',
      '`-l A=A1,A2` says which columns hold a locus, `-g` which hold GL Strings, and `--subject donor=d_` that those with a prefix are of one person; `-l donor:A=A3,A4` says both. They add to the columns that are found; `--only-named` reads no others.',
      'Columns that an earlier conversion wrote, such as `A_1_G` or `reduced_A_1`, are not read as typings; `--plan` lists them, and `-c` reads them.',
    ),
  ]
}

function cells(): Block[] {
  return [
    heading('Cells'),
    ...text(
      '`*01:01`, `01:01`, `A*01:01` and `HLA-A*01:01` mean the same in a column of locus A; another locus is an error. Lists, multiple allele codes, XX codes, groups and genotypes may stand there too.',
      'A locus with one column may have both typings in its cells: `01:01,24:02`, `A*01:01;A*02:01` or `30 33`. They are split where the first 1,000 rows leave no doubt, because first fields differ or a typing appears twice. `01:01,01:02`, and `*04:01/*07:01`, may be possible alleles of one typing: such cells are errors until `--cell-separator` names what stands between two typings, or `none`. A column of phenotypes, `A1, 24; B 8 44`, is read as GL Strings.',
      'Digits without a colon are read as the first 1,000 rows suggest, all loci of a person together: as antigens, as first fields or as names from before 2010. They are read as antigens if every cell can be one, and as first fields if every cell is one and at least one in a hundred is not an antigen, such as `12` at C; a note shows how many cells each reading fits. Otherwise, every such cell is an error until `--bare-digits` says which, and a table with only such cells is refused; `mixed` takes two digits for a first field, four and more for an old name.',
      'Typings that a spreadsheet has turned into clock times or dates are errors; `--accept excel` reads them. The spreadsheet quoting in `="01:01"` and `\'01:01` is removed.',
      'The following values are not typings. They are copied unchanged and counted separately; `--missing WORD` and `--token WORD=absent` (or `unknown`, or `new`) add others, and upper and lower case do not matter:',
    ),
  ]
}

const LONG = 'ID,locus,allele,reads\nR1,A,A*01:01:01,31\nR1,A,A*02:01,28\nR1,B,B*08:01,40\nR2,A,A*24:02,35\n'

function rowsOfTypings(): Block[] {
  return [
    heading('One typing per row, and other shapes'),
    ...text(
      'A table whose rows are typings (sample, locus, allele) is converted into one with one row per person, and so is one with loci in rows and samples in columns. Its columns are recognized by name and content; `--long sample=ID,locus=GENE,allele=A1,A2` names them, and `--input-format table`, or naming a column with `-c`, `-l` or `-g`, converts the rows as they are.',
    ),
    file('long.csv', LONG),
    session({
      command: 'hla redux -q -i long.csv --long scores=reads',
      output: `ID,A_1,A_1_lgx,A_2,A_2_lgx,A_1_reads,A_2_reads,B_1,B_1_lgx,B_2,B_2_lgx,B_1_reads,B_2_reads
R1,A*01:01:01,A*01:01,A*02:01,A*02:01,31,28,B*08:01,B*08:01,,,40,
R2,A*24:02,A*24:02,,,35,,,,,,,`,
    }),
    session({
      command: 'hla redux -q -i long.csv --shape long',
      output: `ID,locus,allele,typing,typing_lgx
R1,A,1,A*01:01:01,A*01:01
R1,A,2,A*02:01,A*02:01
R1,B,1,B*08:01,B*08:01
R2,A,1,A*24:02,A*24:02`,
    }),
    session({
      command: 'hla redux -q -i long.csv --shape gl',
      output: 'ID,gl\nR1,A*01:01+A*02:01^B*08:01\nR2,A*24:02',
    }),
    ...text(
      'If a locus has one row, the second typing is empty. More than two rows are `surplus-typing`, reported with their lines. A column with one value per person is kept; one whose values differ is left out, and the plan and a note name it; `--long scores=COLUMN` gives each typing its own. Columns of a locus that the release lacks are kept but not read (`--strict-columns`, or `-x` to leave them out).',
      'Rows of a person need not be adjacent in tables of up to 400,000 typings; in larger tables they must be. The loci of the first 400,000 decide the columns; `--long loci=A,B` names them.',
      'HML messages, WMDA inventories and donor JSON are read so too.',
      "The output of typing programs is read in the same way; `hla help formats` shows a line of each. A folder (`-i cohort/`), a pattern or several files become one table, even from different programs, with a column that says file and program; each file has its own rows unless `--merge`. Persons are named by their rows or by the file, or with `--sample-from name` (the name of the file without its ending), `folder`, or `column` (as the rows say). Give `-i` several times, or a pattern in quotes: `-i 'out/*.tsv'`.",
    ),
  ]
}

function results(): Block[] {
  return [
    heading('Results'),
    ...text(
      'Each typing column is followed by a result column for each `-m`, named after `--name` (default `{col}_{method}`). `--into replace` overwrites the typings, `--into append` puts the results at the end of the row, `--into none` writes no results, and `--drop-source` omits the typings.',
      '`--gl-out NAME` adds one GL String per person; `--drbx NAME` adds the typings of DRB3, DRB4 and DRB5, and writes equal ones once.',
      'Where both typings of DRB1 have a first field, `--drbx` gives what `hla blend` gives: a gene that DRB1 excludes fails, `DRBX*NNNN` stands for a chromosome that carries none of the genes, according to DRB1 or because the table marks the gene absent; a copy that was not found is empty. In all other cases (DRB1 has one typing, failed, is an antigen, or may imply either of two genes), a single copy is paired with `DRBX*NNNN`. More than two different typings fail.',
      'A typing that fails gives an empty cell, a line in the error report and exit status 1. `--on-error keep` copies the input instead, `report` adds two columns that say what is wrong, and `fail` stops at the first failure.',
    ),
  ]
}

function others(): Block[] {
  return [
    heading('Other commands'),
    ...text(
      '`hla validate`, `mac`, `cwd` and `lift` convert tables in the same way: verdicts in `A_1_verdict`, codes or lists in `A_1_mac`, common alleles and their code in `A_1_cwd` and `A_1_cwd_mac`, names of another release in `A_1_lifted`. `--details` adds the code, message and suggestion of a verdict, and the status and accession number of a translated name. A negative verdict, and a name without a successor, count as failures.',
      'In a table for `hla mac`, names that are not MACs are left unchanged.',
      '`hla diff REL1 REL2` reads the typings of a table and prints those whose reduction differs between two releases; `--summary` counts them in one line.',
    ),
    file('two.csv', 'id,A_1,A_2\n1,01:01,24:02:\n'),
    session({
      command: 'hla validate -q -i two.csv 2> /dev/null',
      output: 'id,A_1,A_1_verdict,A_2,A_2_verdict\n1,01:01,valid,24:02:,malformed',
      exit: 1,
    }),
    ...text('With `--remote`, a service answers: each distinct typing is sent once, many per request.'),
  ]
}

function layoutExample(name: string, summary: string): Block[] {
  const example = LAYOUT_EXAMPLES[name]
  if (example === undefined) return text(`${name}: ${summary}.`)
  const { file: table, text: content, command, output } = example
  return [...text(`\`${name}\`: ${summary}.`), file(table, content), session({ command, output })]
}

interface LayoutExample {
  readonly file: string
  readonly text: string
  readonly command: string
  readonly output: string
}

/** Layout name -> example; a test requires one for each. */
export const LAYOUT_EXAMPLES: Readonly<Record<string, LayoutExample>> = {
  pairs: {
    file: 'donors.csv',
    text: 'id,A_1,A_2,DRB1_1,DRB1_2\nR1,01:01,02:AB,15:01:01,0301\nR2,A*24:02,NNNN,*04:01,\n',
    command: 'hla redux -q -i donors.csv',
    output: `id,A_1,A_1_lgx,A_2,A_2_lgx,DRB1_1,DRB1_1_lgx,DRB1_2,DRB1_2_lgx
R1,01:01,A*01:01,02:AB,A*02:01/A*02:02,15:01:01,DRB1*15:01,0301,DRB1*03:01
R2,A*24:02,A*24:02,NNNN,NNNN,*04:01,DRB1*04:01,,`,
  },
  'gl-columns': {
    file: 'genotypes.csv',
    text: 'id,typing\nR1,A*01:01:01+A*02:01^B*07:02+B*08:01\nR2,A*24:02+A*03:01\n',
    command: 'hla redux -q -i genotypes.csv -g typing',
    output: `id,typing,typing_lgx
R1,A*01:01:01+A*02:01^B*07:02+B*08:01,A*01:01+A*02:01^B*07:02+B*08:01
R2,A*24:02+A*03:01,A*03:01+A*24:02`,
  },
  'wmda-lines': {
    file: 'don.gl.txt',
    text: 'D1%A*01:01:01:01+A*02:01^B*07:02+B*08:01\nD2%A*24:02+A*03:01\n',
    command: 'hla redux -q -i don.gl.txt --input-format wmda-lines --into replace',
    output: 'D1%A*01:01+A*02:01^B*07:02+B*08:01\nD2%A*03:01+A*24:02',
  },
  'haplomat-mac': {
    file: 'codes.dat',
    text: 'ID\tA\tA\tB\tB\nP1\t01:AB\t02:01\t07:02\t08:01\n',
    command: 'hla redux -q -i codes.dat --input-format haplomat-mac',
    output: `ID	A	A#1_lgx	A	A#2_lgx	B	B#1_lgx	B	B#2_lgx
P1	01:AB	A*01:01/A*01:02	02:01	A*02:01	07:02	B*07:02	08:01	B*08:01`,
  },
  'haplomat-glsc': {
    file: 'sample.glc',
    text: '1\tB*07:02+B*08:01\tA*01:01:01+A*02:01\n',
    command: 'hla redux -q -i sample.glc',
    output: '1\tB*07:02+B*08:01\tB*07:02+B*08:01\tA*01:01:01+A*02:01\tA*01:01+A*02:01',
  },
  'haplomat-gls': {
    file: 'sample.glid',
    text: '1;A*01:01:01+A*02:01^B*07:02+B*08:01\n',
    command: 'hla redux -q -i sample.glid',
    output: '1;A*01:01:01+A*02:01^B*07:02+B*08:01;A*01:01+A*02:01^B*07:02+B*08:01',
  },
  pypop: {
    file: 'oromo.pop',
    text: 'labcode\tethnic\nUSAFEL\tOromo\nid\tA_1\tA_2\tDRB3_1\tDRB3_2\nD1\t01:01:01\t02:01\t00:00\t01:01\n',
    command: 'hla redux -q -i oromo.pop --into replace',
    output: `labcode	ethnic
USAFEL	Oromo
id	A_1	A_2	DRB3_1	DRB3_2
D1	A*01:01	A*02:01	00:00	DRB3*01:01`,
  },
  hped: {
    file: 'cohort.hped',
    text: 'F1 P1 0 0 1 -9 01:01 02:01 07:02 08:01 0 0 0 0 0 0 0 0 05:01 02:01 03:01 15:01\n',
    command: 'hla redux -q -i cohort.hped --into replace --locus-prefix bare',
    output: 'F1 P1 0 0 1 -9 01:01 02:01 07:02 08:01 0 0 0 0 0 0 0 0 05:01 02:01 03:01 15:01',
  },
  atlas: {
    file: 'atlas.tsv',
    text: 'DonorID\tA_1\tA_2\n1\t*01:01\t*02:01:01\n',
    command: 'hla redux -q -i atlas.tsv --input-format atlas',
    output: 'DonorID\tA_1\tA_1_lgx\tA_2\tA_2_lgx\n1\t*01:01\tA*01:01\t*02:01:01\tA*02:01',
  },
  '1000g': {
    file: 'genomes.csv',
    text: 'Region,Sample ID,HLA-A 1,HLA-A 2\nEUR,HG1,01:01,02:01/02:05\n',
    command: 'hla redux -q -i genomes.csv --input-format 1000g',
    output:
      'Region,Sample ID,HLA-A 1,HLA-A 1_lgx,HLA-A 2,HLA-A 2_lgx\nEUR,HG1,01:01,A*01:01,02:01/02:05,A*02:01/A*02:05',
  },
  glsc: {
    file: 'strings.csv',
    text: 'id,code\nR1,hla#3.58.0#A*01:01:01+A*02:01\n',
    command: 'hla redux -q -i strings.csv -g code',
    output: 'id,code,code_lgx\nR1,hla#3.58.0#A*01:01:01+A*02:01,A*01:01+A*02:01',
  },
}
