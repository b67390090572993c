/** Command lines that are read, or advised, as another one: files, typings without a command, lines of py-ard, releases, genes of a blend. Built-in starter set. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../support/command-rows.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_RELEASE: 'starter' }
const FILES = {
  't.csv': 'id,A_1,A_2\n1,01:01,02:01\n',
  'u.csv': 'id,A_1,A_2\n2,03:01,02:01\n',
  'names.txt': 'A*01:01\n',
  'more.txt': 'B*07:02\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

describe('a line without a command', () => {
  testCommands(
    [
      ['A*01:01', 0, ['A*01:01'], ["hla: note: read as hla redux 'A*01:01' [read-as]"]],
      [
        'A2',
        1,
        [''],
        [
          'hla: note: read as hla redux A2 [read-as]',
          'hla: error: A2 is not fully covered by the built-in starter set [starter]',
          '  A2',
          '  ^^',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'A99',
        1,
        [''],
        [
          'hla: note: read as hla redux A99 [read-as]',
          'hla: error: A99 is not fully covered by the built-in starter set [starter]',
          '  A99',
          '  ^^^',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        't.csv',
        0,
        ['id,A_1,A_1_lgx,A_2,A_2_lgx', '1,01:01,A*01:01,02:01,A*02:01'],
        ['hla: note: read as hla redux -i t.csv [read-as]', 'hla: 1 row, 2 typings: 2 ok'],
      ],
      ['-i names.txt', 0, ['A*01:01'], ['hla: note: read as hla redux -i names.txt [read-as]']],
      ['-m G A*01:01', 0, ['A*01:01:01G'], ["hla: note: read as hla redux -m G 'A*01:01' [read-as]"]],
      ['-m G -q A*01:01', 0, ['A*01:01:01G'], []],
      ['none.csv', 2, [], ['hla: error: unknown command "none.csv"', '  Run hla --help for all commands.']],
      ['A0201', 2, [], ['hla: error: unknown command "A0201"', "  did you mean hla redux 'A*02:01'?"]],
      ['A*0201', 0, ['A*02:01'], ["hla: note: read as hla redux 'A*0201' [read-as]"]],
      [
        '*.txt',
        0,
        [
          'sample,source,B_1,B_1_lgx,B_2,B_2_lgx,A_1,A_1_lgx,A_2,A_2_lgx',
          'more,more.txt (GL Strings),B*07:02,B*07:02,,,,,,',
          'names,names.txt (GL Strings),,,,,A*01:01,A*01:01,,',
        ],
        [
          "hla: note: read as hla redux -i '*.txt' [read-as]",
          'hla: note: read as files: 2 GL Strings (one row per sample, source names its file) [records]',
          'hla: 2 rows, 8 typings (4 distinct): 2 ok, 6 untyped',
        ],
      ],
      [
        'A*01:01 names.txt',
        2,
        [],
        [
          'hla: error: names.txt is a file, and A*01:01 is a typing',
          '  to read a file, use -i without typings: hla redux -i names.txt',
        ],
      ],
      [
        'py-ard A*01:01 lgx',
        2,
        [],
        ['hla: error: unknown command "py-ard"', '  did you mean hla help migrate?'],
      ],
      [
        'pyard -g A*01:01 -r lgx',
        0,
        ['A*01:01'],
        ["hla: note: read as hla redux -m lgx 'A*01:01' [read-as]"],
      ],
      ['pyard redux A*01:01', 0, ['A*01:01'], ["hla: note: read as hla redux 'A*01:01' [read-as]"]],
      [
        'pyard-import 3580',
        2,
        [],
        ['hla: error: unknown command "pyard-import"', '  did you mean hla data install 3580?'],
      ],
      ['--gl A*01:01 -r lgx', 0, ['A*01:01'], ["hla: note: read as hla redux -m lgx 'A*01:01' [read-as]"]],
      [
        '-g A*01:01',
        1,
        ['A*01:01:01G\tA*01:01P\tA*01:01g\tA*01:01\t\t\tA*01:01\tA1\tA*01'],
        [
          "hla: note: read as hla redux -m all 'A*01:01' [read-as]",
          'hla: error: A*01:01 is not fully covered by the built-in starter set [starter]',
          '  A*01:01',
          '  ^^^^^^^',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'redux -g A*01:01 -r G',
        0,
        ['A*01:01:01G'],
        ["hla: note: read as hla redux -m G 'A*01:01' [read-as]"],
      ],
      [
        'redux -gl A*01:01',
        2,
        [],
        [
          'hla: error: options for tables cannot be combined with typings as arguments',
          '  give the table with -i',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('operands', () => {
  testCommands(
    [
      ['redux names.txt', 0, ['A*01:01'], ['hla: note: read as hla redux -i names.txt [read-as]']],
      [
        'redux names.txt more.txt',
        0,
        ['A*01:01', 'B*07:02'],
        [
          'hla: note: read as hla redux -i names.txt -i more.txt; a pattern in quotes, or a folder, is read as well [read-as]',
        ],
      ],
      [
        'redux -i names.txt more.txt',
        0,
        ['A*01:01', 'B*07:02'],
        [
          'hla: note: read as hla redux -i names.txt -i more.txt; a pattern in quotes, or a folder, is read as well [read-as]',
        ],
      ],
      [
        'redux names.txt A*01:01',
        2,
        [],
        [
          'hla: error: names.txt is a file, and A*01:01 is a typing',
          '  to read a file, use -i without typings: hla redux -i names.txt',
        ],
      ],
      [
        'redux names.txt out.csv',
        2,
        [],
        [
          'hla: error: out.csv is neither a typing nor an existing file',
          '  to write it: hla redux -i names.txt -o out.csv',
        ],
      ],
      [
        'redux -i names.txt out.txt -m G',
        2,
        [],
        [
          'hla: error: out.txt is neither a typing nor an existing file',
          '  to write it: hla redux -i names.txt -o out.txt -m G',
        ],
      ],
      [
        'redux naems.txt',
        4,
        [],
        ['hla: error: there is no file or folder naems.txt', '  did you mean hla redux -i names.txt'],
      ],
      ['redux none/x.csv', 4, [], ['hla: error: there is no file or folder none/x.csv']],
      ['redux ./n', 4, [], ['hla: error: there is no file or folder ./n']],
      [
        'redux -r lgx A*01:01',
        0,
        ['A*01:01'],
        [
          "hla: note: read as hla redux -m lgx 'A*01:01' [read-as]",
          'hla: note: built-in starter set (1,058 common alleles of 3.58.0): lists are incomplete; hla data install installs the full release [starter]',
        ],
      ],
      [
        'redux -r G -m P A*01:01',
        2,
        [],
        [
          'hla: error: G is a reduction method, not a release',
          "  the method is given with -m: hla redux -m G 'A*01:01'",
        ],
      ],
      [
        'redux --release lgx A*01:01',
        2,
        [],
        [
          'hla: error: lgx is a reduction method, not a release',
          "  the method is given with -m: hla redux -m lgx 'A*01:01'",
        ],
      ],
      [
        'redux t.csv u.csv --into replace',
        0,
        ['sample,source,A_1,A_2', '1,t.csv (table),A*01:01,A*02:01', '2,u.csv (table),A*03:01,A*02:01'],
        [
          'hla: note: read as hla redux -i t.csv -i u.csv --into replace; a pattern in quotes, or a folder, is read as well [read-as]',
          'hla: note: read as files: 2 table (one row per sample, source names its file) [records]',
          'hla: 2 rows, 4 typings (3 distinct): 4 ok',
        ],
      ],
      [
        'blend DRB1*01:01+DRB1*08:01 DRB3*01:01',
        1,
        [''],
        [
          "hla: note: read as hla blend 'DRB1*01:01+DRB1*08:01' --drb3 'DRB3*01:01' [read-as]",
          'hla: error: DRB3 where none is expected [blend-mismatch]',
          '  DRB1*01 carries none of DRB3, DRB4 and DRB5, DRB1*08 carries none of DRB3, DRB4 and DRB5: neither chromosome carries DRB3',
        ],
      ],
      [
        'blend DRB1*03:01 DRB1*04:01 DRB3*01:01 DRB4*01:01',
        0,
        ['DRB3*01:01+DRB4*01:01'],
        [
          "hla: note: read as hla blend 'DRB1*03:01+DRB1*04:01' --drb3 'DRB3*01:01' --drb4 'DRB4*01:01' [read-as]",
        ],
      ],
      [
        'blend DRB1*03:01 DRB3*01:01',
        1,
        ['', ''],
        [
          'hla: error: blend takes the two DRB1 typings of a genotype, joined with "+" [bad-syntax]',
          '  DRB1*03:01',
          '  ^^^^^^^^^^',
          'hla: error: blend takes the two DRB1 typings of a genotype, joined with "+" [bad-syntax]',
          '  DRB3*01:01',
          '  ^^^^^^^^^^',
        ],
      ],
      [
        'lift 3.29.0 A*24:329',
        1,
        [''],
        [
          "hla: note: read as hla lift --from 3.29.0 'A*24:329' [read-as]",
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'lift 3290 3580 A*24:329',
        1,
        [''],
        [
          "hla: note: read as hla lift --from 3290 --to 3580 'A*24:329' [read-as]",
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'lift 3.29.0 3.30.0 3.31.0 A*24:329',
        1,
        ['', '', '', ''],
        [
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'redux 3.29.0 A*24:329',
        1,
        ['', ''],
        [
          'hla: error: a name cannot contain "." [bad-character]',
          '  3.29.0',
          '   ^',
          'hla: error: A*24:329 is not fully covered by the built-in starter set [starter]',
          '  A*24:329',
          '  ^^^^^^^^',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'lift --from 3.30.0 3.29.0 A*24:329',
        1,
        ['', ''],
        [
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
          'hla: error: translating names between releases needs complete lists; the built-in starter set has none [starter]',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      ['validate names.txt', 0, ['valid'], ['hla: note: read as hla validate -i names.txt [read-as]']],
    ],
    () => ({ cwd, env }),
  )
})

describe('typings', () => {
  testCommands(
    [
      [
        'redux A0201',
        1,
        [''],
        [
          'hla: error: A0201 is not fully covered by the built-in starter set [starter]',
          '  A0201',
          '  ^^^^^',
          '  hla data install 3.58.0 installs the full release',
          "  did you mean hla redux 'A*02:01'?",
        ],
      ],
      ['redux A*0201', 0, ['A*02:01'], []],
      [
        "redux '01:01'",
        1,
        [''],
        [
          'hla: error: locus missing in "01:01" [bad-syntax]',
          '  01:01',
          '  ^^^^^',
          '  every allele needs its locus',
        ],
      ],
      [
        'redux A*02.01',
        1,
        [''],
        [
          'hla: error: a name cannot contain "." [bad-character]',
          '  A*02.01',
          '      ^',
          "  did you mean hla redux 'A*02:01'?",
        ],
      ],
      [
        'redux A*02:01-A*24:02',
        1,
        [''],
        [
          'hla: error: a name cannot contain "-" [bad-character]',
          '  A*02:01-A*24:02',
          '         ^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'A*02:01+A*24:02'?",
        ],
      ],
      [
        "redux 'A*02:01 A*24:02'",
        1,
        [''],
        [
          'hla: error: a name cannot contain white space [bad-character]',
          '  A*02:01 A*24:02',
          '  ^^^^^^^^^^^^^^^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'A*02:01+A*24:02'?",
        ],
      ],
      [
        'redux A2,24',
        1,
        [''],
        [
          'hla: error: a name cannot contain "," [bad-character]',
          '  A2,24',
          '    ^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
        ],
      ],
      [
        'redux A*O1:01',
        1,
        [''],
        [
          'hla: error: A*O1:01 is not fully covered by the built-in starter set [starter]',
          '  A*O1:01',
          '  ^^^^^^^',
          '  hla data install 3.58.0 installs the full release',
          "  did you mean hla redux 'A*01:01'?",
        ],
      ],
      [
        'redux HLA-a2',
        1,
        [''],
        [
          'hla: error: "a2" is not an allele, group, MAC, XX code or antigen [bad-syntax]',
          '  HLA-a2',
          '      ^^',
        ],
      ],
      [
        'redux a2',
        1,
        [''],
        ['hla: error: "a2" is not an allele, group, MAC, XX code or antigen [bad-syntax]', '  a2', '  ^^'],
      ],
      [
        "redux 'A*01:01 or A*02:01'",
        1,
        [''],
        [
          'hla: error: a name cannot contain white space [bad-character]',
          '  A*01:01 or A*02:01',
          '  ^^^^^^^^^^^^^^^^^^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'A*01:01/A*02:01'?",
        ],
      ],
      [
        'redux A*01:01/02',
        1,
        [''],
        [
          'hla: error: locus missing in "02" [bad-syntax]',
          '  A*01:01/02',
          '          ^^',
          '  every allele needs its locus',
          "  did you mean hla redux 'A*01:01/A*01:02'?",
        ],
      ],
      [
        'redux DRB1*15:01-DQB1*06:02',
        1,
        [''],
        [
          'hla: error: a name cannot contain "-" [bad-character]',
          '  DRB1*15:01-DQB1*06:02',
          '            ^',
          '  "~" joins genes of one chromosome: DRB1*15:01~DQB1*06:02',
          "  did you mean hla redux 'DRB1*15:01~DQB1*06:02'?",
        ],
      ],
      [
        "redux 'DRB1 15:01'",
        1,
        [''],
        [
          'hla: error: a name cannot contain white space [bad-character]',
          '  DRB1 15:01',
          '  ^^^^^^^^^^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'DRB1*15:01'?",
        ],
      ],
      [
        'redux A*01:01,A*02:01,B*07:02,B*08:01',
        1,
        [''],
        [
          'hla: error: a name cannot contain "," [bad-character]',
          '  A*01:01,A*02:01,B*07:02,B*08:01',
          '         ^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'A*01:01+A*02:01^B*07:02+B*08:01'?",
        ],
      ],
      [
        'redux A*02:',
        1,
        [''],
        ['hla: error: a field is empty in "A*02:" [bad-syntax]', '  A*02:', '  ^^^^^'],
      ],
      [
        'redux A*02',
        1,
        [''],
        [
          'hla: error: A*02 is not fully covered by the built-in starter set [starter]',
          '  A*02',
          '  ^^^^',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'mac AB',
        1,
        [''],
        [
          'hla: error: "AB" is not an allele, group, MAC, XX code or antigen [bad-syntax]',
          '  AB',
          '  ^^',
          "  did you mean hla mac 'A*01:AB'?",
        ],
      ],
      [
        'redux A*01:01|',
        1,
        [''],
        [
          'hla: error: a part of the GL String is empty [empty-part]',
          '  A*01:01|',
          '          ^',
          "  did you mean hla redux 'A*01:01'?",
        ],
      ],
      [
        "redux 'A*01:01+A*02:01 B*07:02'",
        1,
        [''],
        [
          'hla: error: a name cannot contain white space [bad-character]',
          '  A*01:01+A*02:01 B*07:02',
          '          ^^^^^^^^^^^^^^^',
          '  names are joined with "/" (or), "+" (the two copies) and "^" (loci); for tables, see hla help tables',
          "  did you mean hla redux 'A*01:01+A*02:01^B*07:02'?",
        ],
      ],
      [
        'redux B*07:02&B*08:01',
        1,
        [''],
        [
          'hla: error: a name cannot contain "&" [bad-character]',
          '  B*07:02&B*08:01',
          '         ^',
          "  did you mean hla redux 'B*07:02+B*08:01'?",
        ],
      ],
      [
        'redux A*01:01 foo',
        1,
        ['A*01:01', ''],
        ['hla: error: "foo" is not an allele, group, MAC, XX code or antigen [bad-syntax]', '  foo', '  ^^^'],
      ],
      [
        'redux a*01:01 --accept zero',
        1,
        [''],
        [
          'hla: error: loci are written in capitals, not "a" [bad-syntax]',
          '  a*01:01',
          '  ^',
          '  --accept case reads it as A*01:01',
          "  did you mean hla redux 'A*01:01' --accept zero?",
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})
