/** hla redux and validate over a table: what each option writes, tells and refuses, and the exit status. Built-in starter set. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_RELEASE: 'starter' }
const FILES = {
  't.csv': 'id,A_1,A_2\n1,01:01,02:01\n',
  'bad.csv': 'id,A_1,A_2,note\n1,01:01,02:01,x\n2,99:99,02:01,y\n3,02:01,03:01\n',
  'odd.csv': 'id,A_1,A_2,antigen\n1,01:01,02:01,A2\n2,02:01,03:01,A3\n',
  'gl.csv': 'id,gl\n1,A*01:01+A*02:01^B*07:02+B*08:01\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

describe('what is written', () => {
  testCommands(
    [
      [
        'redux -i t.csv',
        0,
        ['id,A_1,A_1_lgx,A_2,A_2_lgx', '1,01:01,A*01:01,02:01,A*02:01'],
        ['hla: 1 row, 2 typings: 2 ok'],
      ],
      ['redux -i t.csv --into replace -q', 0, ['id,A_1,A_2', '1,A*01:01,A*02:01'], []],
      [
        'redux -i t.csv -m G,P',
        0,
        [
          'id,A_1,A_1_G,A_1_P,A_2,A_2_G,A_2_P',
          '1,01:01,A*01:01:01G,A*01:01P,02:01,A*02:01:01G/A*02:01:02G,A*02:01P',
        ],
        ['hla: 1 row, 2 typings: 2 ok'],
      ],
      [
        'redux -i t.csv -f tsv --into replace',
        0,
        ['id\tA_1\tA_2', '1\tA*01:01\tA*02:01'],
        ['hla: note: --format tsv of a table is read as -D tab [read-as]', 'hla: 1 row, 2 typings: 2 ok'],
      ],
      [
        'redux -i gl.csv --into replace',
        0,
        ['id,gl', '1,A*01:01+A*02:01^B*07:02+B*08:01'],
        ['hla: 1 row, 1 typing: 1 ok'],
      ],
      [
        'redux -i t.csv --as glsc --into none --gl-out gl',
        0,
        ['id,A_1,A_2,gl', '1,01:01,02:01,hla#3.58.0#A*01:01+A*02:01'],
        ['hla: 1 row, 2 typings: 2 ok'],
      ],
      [
        'redux -i t.csv --plan',
        0,
        [
          'input      t.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'method     lgx, release 3.58.0',
          'output     new columns after each source: A_1_lgx A_2_lgx',
        ],
        [],
      ],
      [
        'redux -i gl.csv --plan -m U2',
        0,
        [
          'input      gl.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'GL         gl               GL Strings                  A*01:01+A*02:01^B*07:02+B*08:01',
          'method     U2, release 3.58.0',
          'output     new columns after each source: gl_U2',
        ],
        [],
      ],
      [
        'redux -i t.csv -o out.csv --provenance -q',
        0,
        [],
        [],
        { 'out.csv': ['id,A_1,A_1_lgx,A_2,A_2_lgx', '1,01:01,A*01:01,02:01,A*02:01'] },
      ],
      [
        'redux -i bad.csv --into replace',
        1,
        ['id,A_1,A_2,note', '1,A*01:01,A*02:01,x', '2,,A*02:01,y', '3,,,'],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 3 rows, 6 typings (3 distinct): 3 ok, 3 failed (2 ragged-row, 1 starter)',
        ],
      ],
      [
        'redux -i bad.csv --into replace --exit-zero -q',
        0,
        ['id,A_1,A_2,note', '1,A*01:01,A*02:01,x', '2,,A*02:01,y', '3,,,'],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
        ],
      ],
      [
        'redux -i bad.csv --into replace -o out.csv',
        1,
        [],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 3 rows, 6 typings (3 distinct): 3 ok, 3 failed (2 ragged-row, 1 starter)',
          'hla: wrote out.csv, out.csv.errors.csv',
        ],
        {
          'out.csv': ['id,A_1,A_2,note', '1,A*01:01,A*02:01,x', '2,,A*02:01,y', '3,,,'],
          'out.csv.errors.csv': [
            'row,line,id,column,locus,value,code,message,suggestion',
            '2,3,2,A_1,A,99:99,starter,A*99:99 is not fully covered by the built-in starter set,hla data install 3.58.0 installs the full release',
            '3,4,3,,,,ragged-row,3 fields instead of 4,--ragged pad fills short rows with empty fields',
          ],
        },
      ],
      [
        'redux -i bad.csv --into replace -o out.csv --errors mine.tsv -q',
        1,
        [],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
        ],
        {
          'mine.tsv': [
            'row\tline\tid\tcolumn\tlocus\tvalue\tcode\tmessage\tsuggestion',
            '2\t3\t2\tA_1\tA\t99:99\tstarter\tA*99:99 is not fully covered by the built-in starter set\thla data install 3.58.0 installs the full release',
            '3\t4\t3\t\t\t\tragged-row\t3 fields instead of 4\t--ragged pad fills short rows with empty fields',
          ],
        },
      ],
      [
        'redux -i bad.csv --into none',
        2,
        [],
        ['hla: error: --into none leaves nothing to write', '  --gl-out gl adds a column of GL Strings'],
      ],
      [
        'redux -i bad.csv --max-errors 0',
        1,
        [],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: error: 1 typing failed up to row 2, more than --max-errors allows [too-many-failures]',
        ],
      ],
      [
        'redux -i bad.csv --on-error keep',
        1,
        [
          'id,A_1,A_1_lgx,A_2,A_2_lgx,note',
          '1,01:01,A*01:01,02:01,A*02:01,x',
          '2,99:99,99:99,02:01,A*02:01,y',
          '3,02:01,02:01,03:01,03:01,',
        ],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 3 rows, 6 typings (3 distinct): 3 ok, 3 failed (2 ragged-row, 1 starter)',
        ],
      ],
      [
        'redux -i odd.csv -q',
        0,
        [
          'id,A_1,A_1_lgx,A_2,A_2_lgx,antigen',
          '1,01:01,A*01:01,02:01,A*02:01,A2',
          '2,02:01,A*02:01,03:01,A*03:01,A3',
        ],
        [],
      ],
      [
        'redux -i odd.csv --strict-columns -x antigen',
        0,
        [
          'id,A_1,A_1_lgx,A_2,A_2_lgx,antigen',
          '1,01:01,A*01:01,02:01,A*02:01,A2',
          '2,02:01,A*02:01,03:01,A*03:01,A3',
        ],
        ['hla: 2 rows, 4 typings (3 distinct): 4 ok'],
      ],
      [
        'validate -i odd.csv',
        1,
        [
          'id,A_1,A_1_verdict,A_2,A_2_verdict,antigen',
          '1,01:01,valid,02:01,valid,A2',
          '2,02:01,valid,03:01,valid,A3',
        ],
        [
          'hla: warning: not read: antigen (typings, but the name has no locus; -l names it) [unread-columns]',
          'hla: 2 rows, 4 typings (3 distinct): 4 valid; not read: 1 column that may hold typings',
        ],
      ],
      [
        'validate -i odd.csv --strict-columns',
        1,
        [
          'id,A_1,A_1_verdict,A_2,A_2_verdict,antigen',
          '1,01:01,valid,02:01,valid,A2',
          '2,02:01,valid,03:01,valid,A3',
        ],
        [
          'hla: warning: not read: antigen (typings, but the name has no locus; -l names it) [unread-columns]',
          'hla: 2 rows, 4 typings (3 distinct): 4 valid; not read: 1 column that may hold typings',
        ],
      ],
      [
        'validate -i odd.csv --exit-zero -q',
        0,
        [
          'id,A_1,A_1_verdict,A_2,A_2_verdict,antigen',
          '1,01:01,valid,02:01,valid,A2',
          '2,02:01,valid,03:01,valid,A3',
        ],
        [],
      ],
      [
        'redux -i odd.csv --strict-columns --plan',
        1,
        [
          'input      odd.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'unread     antigen          typings, but the name has no locus -> -l names it',
          'method     lgx, release 3.58.0',
          'output     new columns after each source: A_1_lgx A_2_lgx',
        ],
        [],
      ],
      [
        'validate -i bad.csv',
        1,
        [
          'id,A_1,A_1_verdict,A_2,A_2_verdict,note',
          '1,01:01,valid,02:01,valid,x',
          '2,99:99,,02:01,valid,y',
          '3,02:01,,03:01,,',
        ],
        [
          'hla: bad.csv:3:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: bad.csv:4: 3 fields instead of 4; --ragged pad fills short rows with empty fields [ragged-row]',
          'hla: 3 rows, 6 typings (3 distinct): 3 valid, 3 failed (2 ragged-row, 1 starter)',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('what is refused', () => {
  testCommands(
    [
      [
        'redux -i t.csv -f json',
        2,
        [],
        [
          'hla: error: a table is always written as a table, not as JSON or another format',
          '  choose its delimiter: -D tab',
        ],
      ],
      [
        'redux -i t.csv --as netmhcpan --gl-out gl',
        2,
        [],
        [
          'hla: error: --as netmhcpan writes molecule names, which cannot form GL Strings',
          '  leave out --gl-out, --shape and --output-format',
        ],
      ],
      [
        'redux -i t.csv --as netmhcpan --shape long',
        2,
        [],
        [
          'hla: error: --as netmhcpan writes molecule names, which cannot form GL Strings',
          '  leave out --gl-out, --shape and --output-format',
        ],
      ],
      [
        'redux -i t.csv -g A*01:01',
        2,
        [],
        ["hla: error: -g names GL-string columns of a table. Typings are arguments: hla redux 'A*01:01'"],
      ],
      [
        'redux --columns A_1 A*01:01',
        2,
        [],
        [
          'hla: error: options for tables cannot be combined with typings as arguments',
          '  give the table with -i',
        ],
      ],
      [
        'redux -i t.csv --columns A_3',
        2,
        [],
        ['hla: error: no column "A_3" in t.csv. Did you mean A_1, A_2?', '  Columns: id A_1 A_2'],
      ],
      ['redux -i t.csv --provenance', 2, [], ['hla: error: --provenance needs an output file', '  -o FILE']],
      [
        'redux -i t.csv -o /dev/null --provenance',
        2,
        [],
        ['hla: error: --provenance needs an output file', '  -o FILE'],
      ],
      ['redux -i t.csv -x none', 2, [], ['hla: error: no column "none" in t.csv', '  Columns: id A_1 A_2']],
      [
        'redux -i t.csv --max-errors many',
        2,
        [],
        ['hla: error: --max-errors is a number such as 100 or a share such as 5%, not "many"'],
      ],
      [
        'redux -i t.csv --summary nothing',
        2,
        [],
        ['hla: error: --summary is text, json or json=FILE, not "nothing"'],
      ],
      [
        'redux -i t.csv -o out.json',
        2,
        [],
        [
          'hla: error: out.json: hla writes text here, not JSON',
          '  name it .csv or .tsv, with .gz to compress it',
        ],
      ],
      [
        'redux -d , -i t.csv --from 3.57.0',
        1,
        ['id,A_1,A_1_lgx,A_2,A_2_lgx', '1,01:01,,02:01,'],
        [
          'hla: t.csv:2:A_1: translating names between releases needs complete lists; the built-in starter set has none; hla data install 3.58.0 installs the full release [starter]',
          'hla: t.csv:2:A_2: translating names between releases needs complete lists; the built-in starter set has none; hla data install 3.58.0 installs the full release [starter]',
          'hla: 1 row, 2 typings: 0 ok, 2 failed (2 starter)',
        ],
      ],
      [
        'redux -i t.csv --into nowhere',
        2,
        [],
        [
          "hla: error: option '--into <where>' argument 'nowhere' is invalid. Allowed choices are after, replace, append, none",
          '  Run hla redux --help for all options.',
        ],
      ],
      ['redux -i t.csv --locus B=A_1,A_2 --columns A_1', 2, [], ['hla: error: column A_1 is chosen twice']],
      [
        'redux -i t.csv --out-delimiter xx',
        2,
        [],
        ['hla: error: a delimiter must be one character or one of auto , tab ; : % pipe space, not "xx"'],
      ],
    ],
    () => ({ cwd, env }),
  )
})
