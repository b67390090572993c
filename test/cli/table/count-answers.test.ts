/** hla count in all its formats, with its messages and refusals, of the built-in starter set. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_RELEASE: 'starter' }
const FILES = {
  't.csv': 'id,POP,A_1,A_2\n1,X,02:01,24:02\n2,X,02:01,-\n3,Y,02:01/02:06,24:09N\n4,Y,99:99,01:01\n',
  'good.csv':
    'id,pop,A_1,A_2,B_1,B_2\n1,N,01:01,02:01,07:02,08:01\n2,N,02:01,,08:01,\n3,S,03:01,02:01,07:02,07:02\n',
  'wide.csv': 'id,a,b,c,d,e,f,g,h,i,j,A_1,A_2\n1,,,,,,,,,,,01:01,02:01\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

describe('what is counted', () => {
  testCommands(
    [
      [
        'count t.csv',
        1,
        [
          'locus,kind,name,typings,persons',
          'A,name,A*01:01,1,1',
          'A,name,A*02:01,3,2',
          'A,name,A*24:02,1,1',
          'A,null,A*24:09N,1,1',
          'A,ambiguous,,1,1',
          'A,unread,,1,1',
        ],
        [
          'hla: t.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 4 persons, 6 rows written',
        ],
      ],
      [
        'count t.csv --by pop -f jsonl',
        1,
        [
          '{"population":"X","locus":"A","kind":"name","name":"A*02:01","typings":3,"persons":2}',
          '{"population":"X","locus":"A","kind":"name","name":"A*24:02","typings":1,"persons":1}',
          '{"population":"Y","locus":"A","kind":"name","name":"A*01:01","typings":1,"persons":1}',
          '{"population":"Y","locus":"A","kind":"null","name":"A*24:09N","typings":1,"persons":1}',
          '{"population":"Y","locus":"A","kind":"ambiguous","name":"","typings":1,"persons":1}',
          '{"population":"Y","locus":"A","kind":"unread","name":"","typings":1,"persons":1}',
        ],
        [
          'hla: t.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 4 persons, 6 rows written',
        ],
      ],
      [
        'count t.csv --by POP --share -f table',
        1,
        [
          'population  locus  kind       name      typings  persons  share',
          'X           A      name       A*02:01   3        2        3',
          'X           A      name       A*24:02   1        1        1',
          'Y           A      name       A*01:01   1        1        1',
          'Y           A      name       A*02:01   0        0        0.5',
          'Y           A      name       A*02:06   0        0        0.5',
          'Y           A      null       A*24:09N  1        1        1',
          'Y           A      ambiguous            1        1',
          'Y           A      unread               1        1',
        ],
        [
          'hla: t.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 4 persons, 8 rows written',
        ],
      ],
      [
        'count good.csv --by pop -f tsv',
        0,
        [
          'population\tlocus\tkind\tname\ttypings\tpersons',
          'N\tA\tname\tA*01:01\t1\t1',
          'N\tA\tname\tA*02:01\t2\t2',
          'N\tA\tuntyped\t\t1\t1',
          'N\tB\tname\tB*07:02\t1\t1',
          'N\tB\tname\tB*08:01\t2\t2',
          'N\tB\tuntyped\t\t1\t1',
          'S\tA\tname\tA*02:01\t1\t1',
          'S\tA\tname\tA*03:01\t1\t1',
          'S\tB\tname\tB*07:02\t2\t1',
        ],
        ['hla: 3 persons, 9 rows written'],
      ],
      [
        'count wide.csv -f json',
        0,
        [
          '[',
          '  {',
          '    "locus": "A",',
          '    "kind": "name",',
          '    "name": "A*01:01",',
          '    "typings": 1,',
          '    "persons": 1',
          '  },',
          '  {',
          '    "locus": "A",',
          '    "kind": "name",',
          '    "name": "A*02:01",',
          '    "typings": 1,',
          '    "persons": 1',
          '  }',
          ']',
        ],
        ['hla: 1 person, 2 rows written'],
      ],
      [
        'count good.csv -q --of genotypes',
        0,
        [
          'locus,kind,name,typings,persons',
          'A,name,A*01:01+A*02:01,2,1',
          'A,name,A*02:01+A*03:01,2,1',
          'A,untyped,,2,1',
          'B,name,B*07:02+B*07:02,2,1',
          'B,name,B*07:02+B*08:01,2,1',
          'B,untyped,,2,1',
        ],
        [],
      ],
      [
        'count good.csv -q --of categories',
        0,
        [
          'locus,kind,name,typings,persons',
          'A,name,CWD,5,3',
          'A,untyped,,1,1',
          'B,name,CWD,5,3',
          'B,untyped,,1,1',
        ],
        [],
      ],
      [
        'count t.csv --exit-zero -q',
        0,
        [
          'locus,kind,name,typings,persons',
          'A,name,A*01:01,1,1',
          'A,name,A*02:01,3,2',
          'A,name,A*24:02,1,1',
          'A,null,A*24:09N,1,1',
          'A,ambiguous,,1,1',
          'A,unread,,1,1',
        ],
        [
          'hla: t.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
        ],
      ],
      [
        'count wide.csv --of categories --catalogue cwd2',
        0,
        ['locus,kind,name,typings,persons', 'A,name,CWD,2,1'],
        ['hla: 1 person, 1 row written'],
      ],
      [
        'count t.csv --plan',
        0,
        [
          'input      t.csv  comma-separated, header, UTF-8, LF',
          'id         id',
          'A          A_1 A_2          fields, no locus            02:01 -> A*02:01',
          'tokens     - -> untyped (A)',
          'count      lgx, release 3.58.0',
        ],
        [],
      ],
      [
        'count t.csv -o c.csv --errors e.csv',
        1,
        [],
        [
          'hla: t.csv:5:A_1: A*99:99 is not fully covered by the built-in starter set; hla data install 3.58.0 installs the full release [starter]',
          'hla: 4 persons, 6 rows written',
        ],
        {
          'c.csv': [
            'locus,kind,name,typings,persons',
            'A,name,A*01:01,1,1',
            'A,name,A*02:01,3,2',
            'A,name,A*24:02,1,1',
            'A,null,A*24:09N,1,1',
            'A,ambiguous,,1,1',
            'A,unread,,1,1',
          ],
          'e.csv': [
            'row,line,id,column,locus,value,code,message,suggestion,file,path',
            '4,5,4,A_1,A,99:99 01:01,starter,A*99:99 is not fully covered by the built-in starter set,hla data install 3.58.0 installs the full release,t.csv,',
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
        'count t.csv --by region',
        2,
        [],
        ['hla: error: t.csv has no column "region"', '  its columns are id, POP, A_1, A_2'],
      ],
      [
        'count wide.csv --by k',
        2,
        [],
        [
          'hla: error: wide.csv has no column "k"',
          '  its columns are id, a, b, c, d, e, f, g, h, i, j, A_1, …',
        ],
      ],
      [
        'count t.csv good.csv',
        2,
        [],
        ['hla: error: one table is counted at a time', '  name a folder, or a pattern in quotes'],
      ],
      ['count t.csv -m G,lgx', 2, [], ['hla: error: counts have names of one method']],
      [
        'count t.csv --of genotypes --share',
        2,
        [],
        ['hla: error: genotypes have no shares: leave out --share'],
      ],
      ['count t.csv --catalogue cwd2', 2, [], ['hla: error: --catalogue requires --of categories']],
      ['count good.csv --provenance', 2, [], ['hla: error: --provenance needs an output file', '  -o FILE']],
      ['count none.csv', 4, [], ['hla: error: there is no file none.csv']],
      [
        'count t.csv --of people',
        2,
        [],
        [
          "hla: error: option '--of <value>' argument 'people' is invalid. Allowed choices are alleles, genotypes, categories",
          '  Run hla count --help for all options.',
        ],
      ],
      ['count', 4, [], ['hla: error: stdin contains no table: it is empty']],
    ],
    () => ({ cwd, env }),
  )
})
