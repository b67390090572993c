/** hla diff of a table, and of typings, between two releases; releases that are installed, in questions. Small releases from a folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { writeReleases } from '../../support/two-releases.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_DATA_DIR: 'data' }
const FILES = {
  't.csv': 'id,A_1,A_2,B_1,B_2\n1,01:01,01:01:01:01,07:02,07:02:01:01\n2,01:01,99:99,07:02,\n3,01:01\n',
  'same.csv': 'id,A_1\n1,01:01:01:01\n',
  'names.txt': 'A*01:01\nB*07:02\nA*99:99\n',
  'odd.csv': 'id,A_1,A_2,antigen\n1,01:01,01:01,A1\n2,01:01,01:01,A9\n',
  'two.csv': 'id,A_1,B_1\n1,01:01,07:02\n2,01:01:01:01,07:02\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
  writeReleases(cwd)
})

describe('two installed releases', () => {
  testCommands(
    [
      [
        'data install 3.57.0 --from source --no-mac',
        0,
        [],
        [
          'hla: read 7 files of IPD-IMGT/HLA 3.57.0 (2024-07-01) from source',
          'hla: note: no md5checksum.txt for these files: not compared with published checksums',
          'hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted',
          'hla: installed in data/releases/3.57.0 and made active',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data install 3.58.0 --from source --no-mac --use',
        0,
        [],
        [
          'hla: read 8 files of IPD-IMGT/HLA 3.58.0 (2024-10-09) from source',
          'hla: md5checksum.txt: 5 of 5 match',
          'hla: installed in data/releases/3.58.0 and made active',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('a table', () => {
  testCommands(
    [
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv',
        1,
        [
          'B*07:02\tserology,associated-antigen\tB703\tB7',
          'B*07:02:01:01\tserology,associated-antigen\tB703\tB7',
        ],
        [
          'hla: t.csv:3:A_2: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          'hla: t.csv:4: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 6 distinct typings: 2 same members, 2 differ (0 gained alleles, 0 lost, 0 renamed, 2 serology, 2 associated-antigen), 2 failed (1 ragged-row, 1 unknown-allele)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i same.csv',
        0,
        [],
        ['hla: 1 distinct typing: 1 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)'],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i same.csv --summary',
        0,
        ['1 distinct typing: 1 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)'],
        [],
      ],
      [
        'diff 3.57.0 3.58.0 -m S,lgx -i two.csv --summary',
        1,
        [
          'S: 3 distinct typings: 2 same members, 1 differ (0 gained alleles, 0 lost, 0 renamed, 1 serology, 1 associated-antigen)',
          'lgx: 3 distinct typings: 3 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)',
        ],
        [],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -m lgx -i two.csv -f csv',
        1,
        [
          'input,method,from,from_result,to,to_result,reasons,gained,lost,from_error,to_error',
          'B*07:02,S,3.57.0,B703,3.58.0,B7,"serology,associated-antigen",B7,B703,,',
        ],
        [
          'hla: S: 3 distinct typings: 2 same members, 1 differ (0 gained alleles, 0 lost, 0 renamed, 1 serology, 1 associated-antigen)',
          'hla: lgx: 3 distinct typings: 3 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv -f jsonl --exit-zero',
        0,
        [
          '{"gl_string":"B*07:02","reduction_method":"S","from_release":"3.57.0","to_release":"3.58.0","from_ard":"B703","to_ard":"B7","changed":true,"reasons":["serology","associated-antigen"],"gained":["B7"],"lost":["B703"]}',
          '{"gl_string":"B*07:02:01:01","reduction_method":"S","from_release":"3.57.0","to_release":"3.58.0","from_ard":"B703","to_ard":"B7","changed":true,"reasons":["serology","associated-antigen"],"gained":["B7"],"lost":["B703"]}',
        ],
        [
          'hla: t.csv:3:A_2: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          'hla: t.csv:4: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 6 distinct typings: 2 same members, 2 differ (0 gained alleles, 0 lost, 0 renamed, 2 serology, 2 associated-antigen), 2 failed (1 ragged-row, 1 unknown-allele)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv -f table -q',
        1,
        [
          'input          method  from    from_result  to      to_result  reasons                      gained  lost  from_error  to_error',
          'B*07:02        S       3.57.0  B703         3.58.0  B7         serology,associated-antigen  B7      B703',
          'B*07:02:01:01  S       3.57.0  B703         3.58.0  B7         serology,associated-antigen  B7      B703',
        ],
        [
          'hla: t.csv:3:A_2: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          'hla: t.csv:4: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv -o out.tsv --errors e.csv',
        1,
        [],
        [
          'hla: t.csv:3:A_2: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          'hla: t.csv:4: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 6 distinct typings: 2 same members, 2 differ (0 gained alleles, 0 lost, 0 renamed, 2 serology, 2 associated-antigen), 2 failed (1 ragged-row, 1 unknown-allele)',
        ],
        {
          'out.tsv': [
            'B*07:02\tserology,associated-antigen\tB703\tB7',
            'B*07:02:01:01\tserology,associated-antigen\tB703\tB7',
          ],
          'e.csv': [
            'row,line,id,column,locus,value,code,message,suggestion',
            '2,3,2,A_2,A,99:99,unknown-allele,A*99:99 is not in IPD-IMGT/HLA 3.57.0,no name in 3.57.0 starts with A*99',
            '3,4,3,,,,ragged-row,2 fields instead of 5,--ragged pad fills short rows with empty fields',
          ],
        },
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv -o out.csv -f csv -q',
        1,
        [],
        [
          'hla: t.csv:3:A_2: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          'hla: t.csv:4: 2 fields instead of 5; --ragged pad fills short rows with empty fields [ragged-row]',
        ],
        {
          'out.csv': [
            'input,method,from,from_result,to,to_result,reasons,gained,lost,from_error,to_error',
            'B*07:02,S,3.57.0,B703,3.58.0,B7,"serology,associated-antigen",B7,B703,,',
            'B*07:02:01:01,S,3.57.0,B703,3.58.0,B7,"serology,associated-antigen",B7,B703,,',
          ],
        },
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i t.csv --plan',
        0,
        [
          'input      t.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'B          B_1 B_2          fields, no locus            07:02 -> B*07:02',
          'diff       S, release 3.57.0 to 3.58.0',
        ],
        [],
      ],
      [
        'diff 3.57.0 3.58.0 -m lgx,S -i same.csv --plan',
        0,
        [
          'input      same.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1              fields, no locus            01:01:01:01 -> A*01:01:01:01',
          'diff       lgx S, release 3.57.0 to 3.58.0',
        ],
        [],
      ],
      [
        'diff 3.57.0 3.58.0 -i odd.csv',
        0,
        [],
        [
          'hla: warning: not read: antigen (typings, but the name has no locus; -l names it) [unread-columns]',
          'hla: 1 distinct typing: 1 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -i odd.csv --strict-columns --plan',
        1,
        [
          'input      odd.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'unread     antigen          typings, but the name has no locus -> -l names it',
          'diff       lgx, release 3.57.0 to 3.58.0',
        ],
        [],
      ],
      [
        'diff 3.57.0 3.58.0 -i odd.csv --strict-columns --exit-zero',
        1,
        [],
        [
          'hla: warning: not read: antigen (typings, but the name has no locus; -l names it) [unread-columns]',
          'hla: 1 distinct typing: 1 same members, 0 differ (0 gained alleles, 0 lost, 0 renamed)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -i t.csv -i same.csv -i odd.csv',
        2,
        [],
        ['hla: error: only one table can be read at a time by diff', '  run the command once for each file'],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('typings', () => {
  testCommands(
    [
      [
        'diff 3.57.0 3.58.0 -m S A*01:01 B*07:02 A*99:99',
        1,
        ['same\tA1', 'serology,associated-antigen\tB703\tB7', ''],
        [
          'hla: error: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          '  A*99:99',
          '  ^^^^^^^',
          '  no name in 3.57.0 starts with A*99',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i names.txt',
        1,
        ['same\tA1', 'serology,associated-antigen\tB703\tB7', ''],
        [
          'hla: error: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          '  names.txt:3: A*99:99',
          '               ^^^^^^^',
          '  no name in 3.57.0 starts with A*99',
          'hla: 3 typings: 2 ok, 1 failed (1 unknown-allele)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S -i names.txt --summary',
        1,
        ['same\tA1', 'serology,associated-antigen\tB703\tB7', ''],
        [
          'hla: error: A*99:99 is not in IPD-IMGT/HLA 3.57.0 [unknown-allele]',
          '  names.txt:3: A*99:99',
          '               ^^^^^^^',
          '  no name in 3.57.0 starts with A*99',
          'hla: 3 typings: 1 same, 1 serology, 1 associated-antigen',
          'hla: 3 typings: 2 ok, 1 failed (1 unknown-allele)',
        ],
      ],
      [
        'diff 3.57.0 3.58.0 -m S B*07:02 -f jsonl',
        1,
        [
          '{"gl_string":"B*07:02","reduction_method":"S","from_release":"3.57.0","to_release":"3.58.0","from_ard":"B703","to_ard":"B7","changed":true,"reasons":["serology","associated-antigen"],"gained":["B7"],"lost":["B703"]}',
        ],
        [],
      ],
      ['diff 3.58.0 3.57.0 -m S B*07:02', 1, ['serology,associated-antigen\tB7\tB703'], []],
      [
        'diff 3.57.0 3.56.0 B*07:02',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.56.0 is not installed',
          '  hla data install 3.56.0, or with --from FOLDER from a folder, a zip file or a URL; installed: 3.58.0, 3.57.0',
        ],
      ],
      ['diff 3.57.0 t.csv', 2, [], ['hla: error: "t.csv" is not a release: give it as 3.58.0, 3.58 or 3580']],
      ['redux -r 3.57.0 -m S B*07:02', 0, ['B703'], []],
      ['redux -m S B*07:02', 0, ['B7'], []],
      [
        'redux -r 3.56.0 A*01:01',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.56.0 is not installed',
          '  hla data install 3.56.0, or with --from FOLDER from a folder, a zip file or a URL; installed: 3.58.0, 3.57.0',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})
