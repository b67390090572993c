/** hla match over tables: pairs in all formats and orders, with messages and refusals, of the built-in starter set. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_RELEASE: 'starter' }
const FILES = {
  'patients.csv': 'id,A_1,A_2,B_1,B_2\np1,01:01,02:01,07:02,08:01\np2,02:01,02:01,08:01,08:01\n',
  'donors.csv':
    'id,A_1,A_2,B_1,B_2\nd1,01:01,02:01,07:02,08:01\nd2,01:01,03:01,07:02,08:01\np2,02:01,03:01,08:01,08:01\nd4,99:99,02:01,07:02,08:01\n',
  'other.csv': 'id,A_1,A_2\nq1,01:01,02:01\n',
  'pairs.csv': 'id,P_A_1,P_A_2,D_A_1,D_A_2\nx,01:01,02:01,01:01,02:01\ny,01:01,02:01,03:01,02:01\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

describe('pairs', () => {
  testCommands(
    [
      [
        'match --patients patients.csv --donors donors.csv --count 6/6',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
          'p1,d2,3,1,1,mismatch,1,1,match,0,0,4,,',
          'p1,d4,2,0,0,unread,,,match,0,0,2,,A',
          'p1,p2,2,2,1,mismatch,1,1,mismatch,1,0,4,,',
          'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
          'p2,d1,2,0,2,mismatch,0,1,mismatch,0,1,4,,',
          'p2,d2,1,2,3,mismatch,2,2,mismatch,0,1,4,,',
          'p2,d4,1,0,1,unread,,,mismatch,0,1,2,,A',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 8 pairs of 2 patients and 4 donors: 8 pairs written',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
          'p1,d2,3,1,1,mismatch,1,1,match,0,0,4,,',
          'p1,d4,2,0,0,unread,,,match,0,0,2,,A',
          'p1,p2,2,2,1,mismatch,1,1,mismatch,1,0,4,,',
          'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
          'p2,d1,2,0,2,mismatch,0,1,mismatch,0,1,4,,',
          'p2,d2,1,2,3,mismatch,2,2,mismatch,0,1,4,,',
          'p2,d4,1,0,1,unread,,,mismatch,0,1,2,,A',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 8 pairs of 2 patients and 4 donors: 8 pairs written',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv --min 3/6 -q',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
          'p1,d2,3,1,1,mismatch,1,1,match,0,0,4,,',
          'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv --top 1 --min-sure 2/6',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
          'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 8 pairs of 2 patients and 4 donors: 2 pairs written',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv --by-id',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: note: 1 id is in patients.csv alone [persons]',
          'hla: note: 3 ids are in donors.csv alone [persons]',
          'hla: 2 patients: 1 pair written',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv -f jsonl --top 1 --count 6/6 -q',
        1,
        [
          '{"patient":"p1","donor":"d1","level":"P","homozygous":2,"count":"6/6","loci":[{"locus":"A","verdict":"match","matched":[2,2],"gvh":[0,0],"hvg":[0,0]},{"locus":"B","verdict":"match","matched":[2,2],"gvh":[0,0],"hvg":[0,0]}],"total":{"of":4,"matched":[4,4],"gvh":[0,0],"hvg":[0,0],"untyped":["DRB1"]}}',
          '{"patient":"p2","donor":"p2","level":"P","homozygous":2,"count":"6/6","loci":[{"locus":"A","verdict":"mismatch","matched":[1,1],"gvh":[0,0],"hvg":[1,1],"grade":"antigen","graded_by":"first-field"},{"locus":"B","verdict":"match","matched":[2,2],"gvh":[0,0],"hvg":[0,0]}],"total":{"of":4,"matched":[3,3],"gvh":[0,0],"hvg":[1,1],"untyped":["DRB1"]}}',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv --plan',
        0,
        [
          'input      patients.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'B          B_1 B_2          fields, no locus            07:02 -> B*07:02',
          'match      release 3.58.0',
          '',
          'input      donors.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            01:01 -> A*01:01',
          'B          B_1 B_2          fields, no locus            07:02 -> B*07:02',
          'match      release 3.58.0',
        ],
        [],
      ],
      [
        'match --patients patients.csv --donors donors.csv -f table -q',
        1,
        [
          'patient  donor  matched  gvh  hvg  A_verdict  A_gvh  A_hvg  B_verdict  B_gvh  B_hvg  of  untyped      unread',
          'p1       d1     4        0    0    match      0      0      match      0      0      4   C DRB1 DQB1',
          'p1       d2     3        1    1    mismatch   1      1      match      0      0      4   C DRB1 DQB1',
          'p1       d4     2        0    0    unread                   match      0      0      2   C DRB1 DQB1  A',
          'p1       p2     2        2    1    mismatch   1      1      mismatch   1      0      4   C DRB1 DQB1',
          'p2       p2     3        0    1    mismatch   0      1      match      0      0      4   C DRB1 DQB1',
          'p2       d1     2        0    2    mismatch   0      1      mismatch   0      1      4   C DRB1 DQB1',
          'p2       d2     1        2    3    mismatch   2      2      mismatch   0      1      4   C DRB1 DQB1',
          'p2       d4     1        0    1    unread                   mismatch   0      1      2   C DRB1 DQB1  A',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
        ],
      ],
      [
        'match --patients patients.csv --donors other.csv --by-id',
        0,
        ['patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread'],
        [
          'hla: warning: 2 ids are in patients.csv alone [persons]',
          'hla: warning: 1 id is in other.csv alone [persons]',
          'hla: 2 patients: 0 pairs written',
        ],
      ],
      [
        'match --patients patients.csv --donors other.csv -f tsv',
        0,
        [
          'patient\tdonor\tmatched\tgvh\thvg\tA_verdict\tA_gvh\tA_hvg\tB_verdict\tB_gvh\tB_hvg\tof\tuntyped\tunread',
          'p1\tq1\t2\t0\t0\tmatch\t0\t0\tuntyped\t\t\t2\tB\t',
          'p2\tq1\t1\t0\t1\tmismatch\t0\t1\tuntyped\t\t\t2\tB\t',
        ],
        ['hla: 2 pairs of 2 patients and 1 donor: 2 pairs written'],
      ],
      [
        'match -i pairs.csv --patient P_ --donor D_',
        0,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,of,untyped,unread',
          'x,x,2,0,0,match,0,0,2,,',
          'y,y,1,1,1,mismatch,1,1,2,,',
        ],
        ['hla: 2 patients: 2 pairs written'],
      ],
      [
        'match -i pairs.csv --subject patient=P_ --subject donor=D_ -f json',
        0,
        [
          '[',
          '  {',
          '    "patient": "x",',
          '    "donor": "x",',
          '    "level": "P",',
          '    "homozygous": 2,',
          '    "count": "10/10",',
          '    "loci": [',
          '      {',
          '        "locus": "A",',
          '        "verdict": "match",',
          '        "matched": [2, 2],',
          '        "gvh": [0, 0],',
          '        "hvg": [0, 0]',
          '      }',
          '    ],',
          '    "total": {',
          '      "of": 2,',
          '      "matched": [2, 2],',
          '      "gvh": [0, 0],',
          '      "hvg": [0, 0],',
          '      "untyped": [',
          '        "B",',
          '        "C",',
          '        "DRB1",',
          '        "DQB1"',
          '      ]',
          '    }',
          '  },',
          '  {',
          '    "patient": "y",',
          '    "donor": "y",',
          '    "level": "P",',
          '    "homozygous": 2,',
          '    "count": "10/10",',
          '    "loci": [',
          '      {',
          '        "locus": "A",',
          '        "verdict": "mismatch",',
          '        "matched": [1, 1],',
          '        "gvh": [1, 1],',
          '        "hvg": [1, 1],',
          '        "grade": "antigen",',
          '        "graded_by": "first-field"',
          '      }',
          '    ],',
          '    "total": {',
          '      "of": 2,',
          '      "matched": [1, 1],',
          '      "gvh": [1, 1],',
          '      "hvg": [1, 1],',
          '      "untyped": [',
          '        "B",',
          '        "C",',
          '        "DRB1",',
          '        "DQB1"',
          '      ]',
          '    }',
          '  }',
          ']',
        ],
        ['hla: 2 patients: 2 pairs written'],
      ],
      [
        'match --patients patients.csv --donors donors.csv --top 1 --min 4/6 --count 6/6 --min-sure 3/6',
        1,
        [
          'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
          'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
        ],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 8 pairs of 2 patients and 4 donors: 1 pair written',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv -o m.csv --errors e.tsv --top 1',
        1,
        [],
        [
          'hla: donors.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 8 pairs of 2 patients and 4 donors: 2 pairs written',
        ],
        {
          'm.csv': [
            'patient,donor,matched,gvh,hvg,A_verdict,A_gvh,A_hvg,B_verdict,B_gvh,B_hvg,of,untyped,unread',
            'p1,d1,4,0,0,match,0,0,match,0,0,4,,',
            'p2,p2,3,0,1,mismatch,0,1,match,0,0,4,,',
          ],
          'e.tsv': [
            'row\tline\tid\tcolumn\tlocus\tvalue\tcode\tmessage\tsuggestion\tfile\tpath',
            '4\t5\td4\tA_1\tA\t99:99 02:01\tstarter\tA*99:99 is not fully covered by the built-in starter set\thla data install 3.58.0 installs the full release\tdonors.csv\t',
          ],
        },
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('what is refused', () => {
  testCommands(
    [
      [
        'match -i pairs.csv -i other.csv',
        2,
        [],
        [
          'hla: error: one table of pairs is read at a time',
          '  hla match --patients FILE --donors FILE reads two tables',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv -i pairs.csv',
        2,
        [],
        ['hla: error: --input cannot be combined with --patients'],
      ],
      [
        'match --patients - --donors -',
        2,
        [],
        ['hla: error: standard input cannot be both patients and donors'],
      ],
      [
        'match --patients patients.csv --donors donors.csv --min 7/8 --min-sure 7/10',
        2,
        [],
        ['hla: error: --min 7/8 and --min-sure 7/10 count other loci'],
      ],
      [
        'match --patients patients.csv --donors donors.csv --min 7/8 --count 10/10',
        2,
        [],
        ['hla: error: --count "10/10" does not count of 8 alleles', '  --count 8/8'],
      ],
      [
        'match --patients patients.csv --donors donors.csv --top 0',
        2,
        [],
        ['hla: error: --top is 1 or more'],
      ],
      [
        'match --patients patients.csv --donors donors.csv --min 9/8',
        2,
        [],
        [
          'hla: error: --min is a number of alleles such as 8/10, not "9/8"',
          '  alleles are counted by 6/6, 8/8, 10/10, 12/12',
        ],
      ],
      [
        'match --patients patients.csv --donors donors.csv --min-sure x',
        2,
        [],
        [
          'hla: error: --min-sure is a number of alleles such as 8/10, not "x"',
          '  alleles are counted by 6/6, 8/8, 10/10, 12/12',
        ],
      ],
      ['match --patients patients.csv', 2, [], ['hla: error: --patients requires --donors']],
      [
        'match A*01:01+A*02:01 A*01:01+A*02:01 --top 1',
        2,
        [],
        [
          'hla: error: --top is about tables, but the patient is given as text',
          '  hla match --patients FILE --donors FILE, or one table of pairs: hla match -i FILE',
        ],
      ],
      [
        'match A*01:01 A*01:01 -i pairs.csv',
        2,
        [],
        [
          'hla: error: pairs.csv is a table, but the patient is given as text',
          '  hla match --patients FILE --donors FILE, or one table of pairs: hla match -i FILE',
        ],
      ],
      [
        'match A*01:01 A*01:01 --patients patients.csv',
        2,
        [],
        [
          'hla: error: --patients is about tables, but the patient is given as text',
          '  hla match --patients FILE --donors FILE, or one table of pairs: hla match -i FILE',
        ],
      ],
      ['match', 4, [], ['hla: error: stdin contains no table: it is empty']],
    ],
    () => ({ cwd, env }),
  )
})
