/** hla config: what each of its commands prints, tells and writes; wrong files; which release answers, and who named it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_DATA_DIR: 'data' }
const FILES = {
  'old.json':
    '{"release": "3.99.0", "redux": {"release": "3.98.0"}, "mac": {"release": "starter"}, "limit": 5}\n',
  'wrong.json': '{"lmit": 5, "release": true, "redux": {"limit": "many", "no": 1}, "format": "xml"}\n',
  'list.json': '["release"]\n',
  'broken.json': '{"release": "starter",\n  "limit": }\n',
  'comma.json': '{"release": "starter"\n  "limit": 5}\n',
  'empty.json': '',
  'active.json': '{"release": "active"}\n',
  'method.json': '{"redux": {"method": ["G", "nope"]}}\n',
  'switch.json': '{"quiet": false, "provenance": "yes"}\n',
  'own.json':
    '{"release": "starter", "method": "G", "redux": {"format": "json"}, "network": "timeout=10s", "no-ping": true}\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
})

describe('the file of the user', () => {
  testCommands(
    [
      ['config path', 0, [`${cwd}/.config/hla/config.json`], []],
      ['config check', 0, [], [`hla: no settings file: ${cwd}/.config/hla/config.json does not exist`]],
      ['config list', 0, ['data-dir  data  HLA_DATA_DIR'], []],
      ['config get release', 0, ['active'], []],
      ['config get quiet', 1, [], []],
      ['config unset release', 0, [], []],
      [
        'config set release starter',
        0,
        [],
        [],
        { '.config/hla/config.json': ['{', '  "release": "starter"', '}'] },
      ],
      ['config check', 0, [], [`hla: ${cwd}/.config/hla/config.json is fine`]],
      ['config set redux.method G lgx', 0, [], []],
      ['config set quiet true', 0, [], []],
      [
        'config list',
        0,
        [
          `release       starter      ${cwd}/.config/hla/config.json`,
          'data-dir      data         HLA_DATA_DIR',
          `quiet         true         ${cwd}/.config/hla/config.json`,
          `redux.method  ["G","lgx"]  ${cwd}/.config/hla/config.json`,
        ],
        [],
      ],
      [
        'config list --json',
        0,
        [
          '[',
          '  {',
          '    "key": "release",',
          '    "value": "starter",',
          `    "source": "${cwd}/.config/hla/config.json"`,
          '  },',
          '  {',
          '    "key": "data-dir",',
          '    "value": "data",',
          '    "source": "HLA_DATA_DIR"',
          '  },',
          '  {',
          '    "key": "quiet",',
          '    "value": true,',
          `    "source": "${cwd}/.config/hla/config.json"`,
          '  },',
          '  {',
          '    "key": "redux.method",',
          '    "value": [',
          '      "G",',
          '      "lgx"',
          '    ],',
          `    "source": "${cwd}/.config/hla/config.json"`,
          '  }',
          ']',
        ],
        [],
      ],
      ['config get redux.method', 0, ['["G","lgx"]'], []],
      ['config get quiet', 0, ['true'], []],
      ['config get mac.release', 0, ['starter'], []],
      ['config get limit', 1, [], []],
      [
        'config unset redux.method',
        0,
        [],
        [],
        { '.config/hla/config.json': ['{', '  "release": "starter",', '  "quiet": true', '}'] },
      ],
      [
        'redux -v A*01:01',
        0,
        ['A*01:01'],
        [`hla: note: release quiet (${cwd}/.config/hla/config.json) [settings]`],
      ],
      [
        'redux -v A*01:01 --config none',
        0,
        ['A*01:01'],
        [
          'hla: note: built-in starter set (1,058 common alleles of 3.58.0): lists are incomplete; hla data install installs the full release [starter]',
        ],
      ],
      [
        'config set release 3.99.0',
        0,
        [],
        [
          `hla: warning: ${cwd}/.config/hla/config.json: release: IPD-IMGT/HLA 3.99.0 is not installed [no-data]`,
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
        { '.config/hla/config.json': ['{', '  "release": "3.99.0",', '  "quiet": true', '}'] },
      ],
      [
        'config check',
        2,
        [],
        [
          `hla: error: ${cwd}/.config/hla/config.json: release: IPD-IMGT/HLA 3.99.0 is not installed`,
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'redux A*01:01',
        3,
        [],
        [
          `hla: error: IPD-IMGT/HLA 3.99.0 is not installed (the setting release in ${cwd}/.config/hla/config.json names it)`,
          `  hla config unset release --config ${cwd}/.config/hla/config.json`,
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'redux A*01:01 -r 3.97.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.97.0 is not installed',
          '  hla data install 3.97.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('a file that is named', () => {
  testCommands(
    [
      ['config path --config own.json', 0, ['own.json'], []],
      [
        'config list --config own.json',
        0,
        [
          'method        G            own.json',
          'no-ping       true         own.json',
          'release       starter      own.json',
          'data-dir      data         HLA_DATA_DIR',
          'network       timeout=10s  own.json',
          'redux.format  json         own.json',
        ],
        [],
      ],
      ['config get method --config own.json', 0, ['G'], []],
      ['config get redux.release --config own.json', 0, ['starter'], []],
      [
        'redux -v A*01:01 --config own.json',
        0,
        [
          '{',
          '  "gl_string": "A*01:01",',
          '  "reduction_method": "G",',
          '  "ard": "A*01:01:01G",',
          '  "ipd_version": 3580,',
          '  "status": "ok",',
          '  "dataset": "starter"',
          '}',
        ],
        ['hla: note: method no-ping release format network (own.json) [settings]'],
      ],
      ['config check --config own.json', 0, [], ['hla: own.json is fine']],
      [
        'config set --config new.json locus A=A1,A2 B=B1,B2',
        0,
        [],
        [],
        { 'new.json': ['{', '  "locus": [', '    "A=A1,A2",', '    "B=B1,B2"', '  ]', '}'] },
      ],
      [
        'config set --config new.json redux.limit 7',
        0,
        [],
        [],
        {
          'new.json': [
            '{',
            '  "locus": [',
            '    "A=A1,A2",',
            '    "B=B1,B2"',
            '  ],',
            '  "redux": {',
            '    "limit": "7"',
            '  }',
            '}',
          ],
        },
      ],
      [
        'config unset --config new.json locus',
        0,
        [],
        [],
        { 'new.json': ['{', '  "redux": {', '    "limit": "7"', '  }', '}'] },
      ],
      ['config unset --config new.json redux.limit', 0, [], [], { 'new.json': ['{}'] }],
      [
        'config path --config none',
        2,
        [],
        ['hla: error: --config none cannot be combined with a command about settings files'],
      ],
      ['config list --config none', 0, ['data-dir  data  HLA_DATA_DIR'], []],
    ],
    () => ({ cwd, env }),
  )
})

describe('a file that is wrong', () => {
  testCommands(
    [
      [
        'config check --config wrong.json',
        2,
        [],
        [
          'hla: error: wrong.json: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
          'hla: error: wrong.json: the setting "release" is wrong. It must be a text, a number, or a list of them',
          'hla: error: wrong.json: the setting "limit" is wrong. It must be a whole number',
          'hla: error: wrong.json: unknown setting "redux.no". Did you mean "redux.no-ping"?',
          '  hla config list --all shows the settings there are',
          'hla: error: wrong.json: the setting "format" is wrong. Allowed choices are plain, json, jsonl, csv, tsv, table',
        ],
      ],
      [
        'config list --config wrong.json',
        2,
        [],
        [
          'hla: error: wrong.json: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'redux A*01:01 --config wrong.json',
        2,
        [],
        [
          'hla: error: wrong.json: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config check --config list.json',
        2,
        [],
        ['hla: error: list.json must be an object: {"release": "3.58.0"}'],
      ],
      [
        'config check --config broken.json',
        2,
        [],
        ["hla: error: broken.json: this is not JSON: Unexpected token '}'"],
      ],
      [
        'config check --config comma.json',
        2,
        [],
        ["hla: error: comma.json:2: this is not JSON: Expected ',' or '}' after property value"],
      ],
      [
        'config check --config empty.json',
        2,
        [],
        ['hla: error: empty.json: this is not JSON: Unexpected end of JSON input'],
      ],
      [
        'config check --config none.json',
        4,
        [],
        ['hla: error: cannot read none.json: no such file or directory'],
      ],
      [
        'config check --config method.json',
        2,
        [],
        ['hla: error: method.json: unknown method "nope". Methods: G P lg lgx W exon U2 S 1F hats all.'],
      ],
      ['config check --config switch.json', 0, [], ['hla: switch.json is fine']],
      [
        'config check --config old.json',
        2,
        [],
        [
          'hla: error: old.json: release: IPD-IMGT/HLA 3.99.0 is not installed',
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
          'hla: error: old.json: redux.release: IPD-IMGT/HLA 3.98.0 is not installed',
          '  hla data install 3.98.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      ['config check --config active.json', 0, [], ['hla: active.json is fine']],
      [
        'mac A*01:01 --config old.json',
        1,
        [''],
        [
          'hla: error: A*01:01 is not fully covered by the built-in starter set [starter]',
          '  hla data install 3.58.0 installs the full release',
        ],
      ],
      [
        'redux A*01:01 --config old.json',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.98.0 is not installed (the setting redux.release in old.json names it)',
          '  hla config unset redux.release --config old.json',
          '  hla data install 3.98.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'version --config old.json',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.99.0 is not installed (the setting release in old.json names it)',
          '  hla config unset release --config old.json',
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('a change that is refused', () => {
  testCommands(
    [
      [
        'config set --config x.json lmit 5',
        2,
        [],
        [
          'hla: error: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config set --config x.json redux.metod G',
        2,
        [],
        [
          'hla: error: unknown setting "redux.metod". Did you mean "redux.method"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config set --config x.json zzzzzz 1',
        2,
        [],
        ['hla: error: unknown setting "zzzzzz"', '  hla config list --all shows the settings there are'],
      ],
      [
        'config set --config x.json rows r.csv',
        2,
        [],
        ['hla: error: unknown setting "rows"', '  hla config list --all shows the settings there are'],
      ],
      [
        'config set --config x.json limit many',
        2,
        [],
        ['hla: error: x.json: the setting "limit" is wrong. It must be a whole number'],
      ],
      [
        'config set --config x.json release 3.58.0 3.57.0',
        2,
        [],
        ['hla: error: this setting takes one value, not 2', '  separate the items of a list by commas'],
      ],
      [
        'config set --config x.json release nothing',
        2,
        [],
        ['hla: error: x.json: release: "nothing" is not a release: give it as 3.58.0, 3.58 or 3580'],
      ],
      [
        'config set --config x.json quiet perhaps',
        2,
        [],
        ['hla: error: x.json: the setting "quiet" is wrong. It must be true or false'],
      ],
      [
        'config set --config x.json method nope',
        2,
        [],
        ['hla: error: x.json: unknown method "nope". Methods: G P lg lgx W exon U2 S 1F hats all.'],
      ],
      [
        'config unset --config x.json lmit',
        2,
        [],
        [
          'hla: error: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config get lmit',
        2,
        [],
        [
          'hla: error: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config set --config list.json limit 5',
        2,
        [],
        ['hla: error: list.json must be an object: {"release": "3.58.0"}'],
        { 'list.json': ['["release"]'] },
      ],
      [
        'config set --config broken.json limit 5',
        2,
        [],
        ["hla: error: broken.json: this is not JSON: Unexpected token '}'"],
      ],
      [
        'config set --config wrong.json limit 5',
        2,
        [],
        [
          'hla: error: wrong.json: unknown setting "lmit". Did you mean "limit"?',
          '  hla config list --all shows the settings there are',
        ],
      ],
      [
        'config set limit',
        2,
        [],
        [
          "hla: error: missing required argument 'value'",
          '  hla config set [options] <key> <value...>   hla config set --help lists all options.',
        ],
      ],
      [
        'config lsit',
        2,
        [],
        [
          'hla: error: unknown command "lsit"',
          '  Did you mean "list"?   Run hla config --help for all commands.',
        ],
      ],
      [
        'config set --config x.json format csb',
        2,
        [],
        [
          'hla: error: x.json: the setting "format" is wrong. Allowed choices are plain, json, jsonl, csv, tsv, table',
        ],
      ],
      [
        'config set --config x.json release 3.99.0',
        0,
        [],
        [
          'hla: warning: x.json: release: IPD-IMGT/HLA 3.99.0 is not installed [no-data]',
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
        { 'x.json': ['{', '  "release": "3.99.0"', '}'] },
      ],
      [
        'config set --config x.json redux.release 3.98.0',
        0,
        [],
        [
          'hla: warning: x.json: release: IPD-IMGT/HLA 3.99.0 is not installed [no-data]',
          '  hla data install 3.99.0, or with --from FOLDER from a folder, a zip file or a URL',
          'hla: warning: x.json: redux.release: IPD-IMGT/HLA 3.98.0 is not installed [no-data]',
          '  hla data install 3.98.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
        { 'x.json': ['{', '  "release": "3.99.0",', '  "redux": {', '    "release": "3.98.0"', '  }', '}'] },
      ],
      [
        'config set --config x.json limit 3',
        0,
        [],
        [],
        {
          'x.json': [
            '{',
            '  "release": "3.99.0",',
            '  "redux": {',
            '    "release": "3.98.0"',
            '  },',
            '  "limit": "3"',
            '}',
          ],
        },
      ],
    ],
    () => ({ cwd, env }),
  )
})
