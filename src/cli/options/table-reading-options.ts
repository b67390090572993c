/** Options that say how a table is to be read: as text, which columns, which cells, and what holds typings in another shape. */
import { Option } from 'commander'
import { DIGIT_READINGS } from '../../table/cells/digits.ts'
import { ENCODINGS } from '../../table/input/encoding.ts'
import { INPUT_FORMATS } from '../../table/input/records/record-format-names.ts'
import { SAMPLE_FROM } from '../../table/input/records/typing-record.ts'
import { collect, columnList, commaList, wordList, wholeNumber } from './options.ts'

/** In the order of the help. */
export function readingOptions(): Option[] {
  return [
    new Option('--csv', 'the input is a table, comma-separated').conflicts(['tsv', 'delimiter']),
    new Option('--tsv', 'the input is a table, tab-separated').conflicts('delimiter'),
    new Option('-d, --delimiter <char>', 'delimiter of the input: auto, one character, tab, pipe or space'),
    new Option('-H, --no-header', 'the first row is data, not a header'),
    new Option(
      '--header-row <n>',
      'number of the header line; lines before it are copied unchanged',
    ).argParser(wholeNumber),
    new Option('--skip <n>', 'number of lines before the table, which are copied unchanged').argParser(
      wholeNumber,
    ),
    new Option('--comment <prefix>', 'copy lines that begin with this unchanged'),
    new Option('--quote <char>', 'quote character, none, or lazy: misplaced quotes are text'),
    new Option('--lazy-quotes', 'the name of --quote lazy before 2.0.0')
      .implies({ quote: 'lazy' })
      .hideHelp(),
    new Option('--encoding <name>', 'encoding of the input').choices(ENCODINGS),
    new Option('--ragged <what>', 'how to treat rows with too few or too many fields').choices([
      'error',
      'pad',
    ]),
    new Option(
      '--sheet <name>',
      'sheet of a workbook (.xlsx); by default, the first that has something in it',
    ),
    ...recordOptions(),
    ...columnOptions(),
    new Option('--plan', 'show how the table would be read and converted, without converting it'),
  ]
}

function columnOptions(): Option[] {
  return [
    new Option('--layout <layout>', 'read a known layout: wmda, pypop, hped, haplomat-mac …'),
    new Option(
      '-c, --columns <columns>',
      'typing columns: names, numbers, ranges such as A_1..B_2, globs',
    ).argParser(columnList),
    new Option('-x, --exclude <columns>', 'columns to leave out of the typing columns').argParser(columnList),
    new Option(
      '-l, --locus <locus=columns>',
      'columns of a locus, besides those that are found: A=A1,A2 or subject:A=A1,A2 (repeatable)',
    ).argParser(collect),
    new Option('-g, --gl <columns>', 'columns that contain GL Strings').argParser(columnList),
    new Option(
      '--subject <name=prefix>',
      'columns with this prefix belong to one person (repeatable)',
    ).argParser(collect),
    new Option('--only-named', 'read no columns besides those of -l and -g'),
    new Option('--strict-columns', 'exit with status 1 if a column looks like typings and is not read'),
    new Option('--id-column <column>', 'column that identifies rows in reports'),
    new Option('--bare-digits <what>', 'how to read digits without a colon').choices([
      'auto',
      ...DIGIT_READINGS,
    ]),
    new Option(
      '--cell-separator <char>',
      'what stands between two typings in one cell: auto, none, or a character such as , ; / pipe or space',
    ),
    new Option('--missing <list>', 'more values that mean not typed').argParser(wordList),
    new Option('--absent <list>', 'more values that mean the gene is absent').argParser(wordList),
    new Option('--unknown <list>', 'more values that mean the result is unknown').argParser(wordList),
    new Option('--new <list>', 'more values that mean a new allele').argParser(wordList),
  ]
}

export function linesOption(): Option {
  const conflicting = ['plan', 'csv', 'tsv', 'delimiter']
  return new Option('--lines', 'read one typing a line, even where the input looks like a table').conflicts(
    conflicting,
  )
}

/** What is said of a file that holds typings otherwise than in a row a person. */
function recordOptions(): Option[] {
  return [
    new Option(
      '--input-format <format>',
      'what the file is: auto, table, long, transposed, or the program that wrote it (hla help formats)',
    ).choices(INPUT_FORMATS),
    new Option('--sample-column <column>', 'column of a long table that names the sample'),
    new Option('--locus-column <column>', 'column of a long table that names the locus'),
    new Option('--allele-column <columns>', 'one or two columns of a long table with the alleles').argParser(
      columnList,
    ),
    new Option(
      '--scores <columns>',
      'columns of a long table that belong to a typing: each typing gets its own',
    ).argParser(columnList),
    new Option('--table-loci <list>', 'loci of the table that is made of a long one').argParser(commaList),
    new Option(
      '--sample-from <what>',
      'of several files with a sample each, name the samples by the name of the file or of its folder',
    ).choices(SAMPLE_FROM),
  ]
}
