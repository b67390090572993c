/** hla data: what each command prints and tells, in an order in which a user may type them. Small releases from a folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { testCommands } from '../../support/command-rows.ts'
import { writeReleases } from '../../support/two-releases.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('')
const env = { HLA_DATA_DIR: 'data' }
const FILES = {
  'numer.v3.txt': 'LAST UPDATED: 07/11/20\nCODE\tSUBTYPE\n\nAB\t01/02\nAC\t01/03\n',
  'newer.txt': 'LAST UPDATED: 01/02/26\nCODE\tSUBTYPE\n\nAB\t01/02\n',
  'older.txt': 'LAST UPDATED: 07/10/20\nCODE\tSUBTYPE\n\nAB\t01/02\n',
  'none.txt': 'x\n',
  'config.json':
    '{"release": "3.57.0", "mac": {"release": "starter"}, "redux": {"release": "3.50.0"}, "diff": {"release": "active"}}\n',
}

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
  writeReleases(cwd)
  mkdirSync(join(cwd, 'empty'))
})

describe('before anything is installed', () => {
  testCommands(
    [
      [
        'data list',
        0,
        [],
        [
          'hla: no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'data list --json',
        0,
        ['[]'],
        [
          'hla: no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'data info',
        3,
        [],
        [
          'hla: error: no nomenclature data installed',
          '  hla data install latest, or with --from FOLDER from a folder, a zip file or a URL     (hla help data)',
        ],
      ],
      [
        'data info 3.58.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.58.0 is not installed',
          '  hla data install 3.58.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      ['data path', 0, ['data'], []],
      [
        'data path 3.58.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.58.0 is not installed',
          '  hla data install 3.58.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'data use 3.58.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.58.0 is not installed',
          '  hla data install 3.58.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'data remove 3.58.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.58.0 is not installed',
          '  hla data install 3.58.0, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
      [
        'data verify',
        3,
        [],
        [
          'hla: error: no nomenclature data installed',
          '  hla data install latest, or with --from FOLDER from a folder, a zip file or a URL     (hla help data)',
        ],
      ],
      [
        'data verify --all',
        3,
        [],
        [
          'hla: error: no nomenclature data installed',
          '  hla data install latest, or with --from FOLDER from a folder, a zip file or a URL     (hla help data)',
        ],
      ],
      [
        'data mac --check numer.v3.txt',
        1,
        ['installed\t-', 'published\t2020-07-11'],
        ['hla: no MAC list is installed: hla data mac installs it'],
      ],
      ['data list --available --from source', 0, ['3.58.0\t2024-10-09\tnewest', '3.57.0\t2024-07-01'], []],
      [
        'data list --available --json --from revised',
        0,
        [
          '[',
          '  {',
          '    "release": "3.57.0",',
          '    "date": "2024-07-01",',
          '    "newest": true,',
          '    "installed": false',
          '  }',
          ']',
        ],
        [],
      ],
      ['data list --available --from empty', 0, [], ['hla: no release in empty']],
      ['data install latest --from empty', 4, [], ['hla: error: no release in empty']],
      [
        'data install 3.56.0 --from source',
        4,
        [],
        [
          'hla: error: no IPD-IMGT/HLA 3.56.0 in source',
          '  a release has wmda/hla_nom.txt, wmda/hla_nom_g.txt … and an allele list; hla data list --available --from source shows what is there',
        ],
      ],
      [
        'data install active --from source',
        2,
        [],
        ['hla: error: say which release to install, such as 3.58.0, or latest'],
      ],
      [
        'data install lgx --from source',
        2,
        [],
        [
          'hla: error: "lgx" is not a release',
          '  did you mean -m lgx? (-r chooses the IPD-IMGT/HLA release)',
        ],
      ],
      [
        'data install 3.58.0 --from source --as 3.57.0-r2',
        2,
        [],
        [
          'hla: error: --as 3.57.0-r2 names another release than 3.58.0',
          '  begin it with the release: --as 3.58.0-r2',
        ],
      ],
      [
        'data install 3.58.0 --from source --mac nowhere.zip',
        4,
        [],
        ['hla: error: cannot read nowhere.zip: no such file or directory'],
      ],
      ['data install 3.58.0 --from nowhere', 4, [], ['hla: error: nowhere: no such folder or file']],
      [
        'data catalogue cwd2',
        2,
        [],
        ['hla: error: unknown catalogue "cwd2"; ciwd3 and eurcwd can be installed, cwd2 is built in'],
      ],
      [
        'data catalogue ciwd --from numer.v3.txt',
        2,
        [],
        ['hla: error: unknown catalogue "ciwd"; ciwd3 and eurcwd can be installed, cwd2 is built in'],
      ],
      [
        'data list',
        0,
        [],
        [
          'hla: no release is installed: hla data install latest, or with --from FOLDER from a folder, a zip file or a URL',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('installing', () => {
  testCommands(
    [
      [
        'data install latest --from source',
        0,
        [],
        [
          'hla: the newest release in source is 3.58.0 (2024-10-09)',
          'hla: read 8 files of IPD-IMGT/HLA 3.58.0 (2024-10-09) from source',
          'hla: md5checksum.txt: 5 of 5 match',
          'hla: note: no MAC list is installed: hla data mac installs it',
          'hla: installed in data/releases/3.58.0 and made active',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data install 3.57.0 --from broken --no-mac',
        3,
        [],
        [
          'hla: error: the files of 3.57.0 contradict each other: hla_nom_g.txt: it has A*01:01:01 in two groups [bad-release-file]',
          '  fetch all of them again; if that is how they are published, --accept-changed installs them, and "hla version" says so',
        ],
      ],
      [
        'data install 3.57.0 --from source --no-mac',
        0,
        [],
        [
          'hla: read 7 files of IPD-IMGT/HLA 3.57.0 (2024-07-01) from source',
          'hla: note: no md5checksum.txt for these files: not compared with published checksums',
          'hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted',
          'hla: installed in data/releases/3.57.0; 3.58.0 stays active (hla data use 3.57.0)',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data install 3.57.0 --from source --no-mac',
        0,
        [],
        [
          'hla: read 7 files of IPD-IMGT/HLA 3.57.0 (2024-07-01) from source',
          'hla: note: no md5checksum.txt for these files: not compared with published checksums',
          'hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted',
          'hla: already installed in data/releases/3.57.0; 3.58.0 stays active (hla data use 3.57.0)',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data install 3.57.0 --from revised --no-mac',
        3,
        [],
        [
          'hla: error: 3.57.0 is installed with other files than revised has (wmda/rel_dna_ser.txt) [data-differs]',
          '  --as 3.57.0-r2 keeps both, --force replaces the installed one',
        ],
      ],
      [
        'data install 3.57.0 --from revised --no-mac --as 3.57.0-r2 --use',
        0,
        [],
        [
          'hla: read 7 files of IPD-IMGT/HLA 3.57.0 (2024-07-01) from revised',
          'hla: note: no md5checksum.txt for these files: not compared with published checksums',
          'hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted',
          'hla: installed in data/releases/3.57.0-r2 and made active',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data install 3.57.0 --from broken --as 3.57.0-r3 --accept-changed --no-mac',
        0,
        [],
        [
          'hla: read 7 files of IPD-IMGT/HLA 3.57.0 (2024-07-01) from broken',
          'hla: note: no md5checksum.txt for these files: not compared with published checksums',
          'hla: warning: hla_nom_g.txt: it has A*01:01:01 in two groups',
          'hla: note: no Allelelist_history.txt or allelelist/ of other releases: names cannot be lifted',
          'hla: installed in data/releases/3.57.0-r3; 3.57.0-r2 stays active (hla data use 3.57.0-r3)',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      ['data remove 3.57.0-r3', 0, [], ['hla: removed data/releases/3.57.0-r3']],
      [
        'data mac --check numer.v3.txt',
        1,
        ['installed\t-', 'published\t2020-07-11'],
        ['hla: no MAC list is installed: hla data mac installs it'],
      ],
      [
        'data mac numer.v3.txt',
        0,
        [],
        [
          'hla: MAC list 2020-07-11: 2 codes',
          'hla: installed in data/mac/2020-07-11-54e6045c0939.bin and made active',
        ],
      ],
      [
        'data mac --check numer.v3.txt',
        0,
        ['installed\t2020-07-11', 'published\t2020-07-11'],
        ['hla: the MAC list is the published one'],
      ],
      [
        'data mac --check newer.txt',
        1,
        ['installed\t2020-07-11', 'published\t2026-01-02'],
        ['hla: a newer MAC list is published: hla data mac installs it'],
      ],
      [
        'data mac --check older.txt',
        0,
        ['installed\t2020-07-11', 'published\t2020-07-10'],
        ['hla: older.txt has an older MAC list than the one in use'],
      ],
      [
        'data list',
        0,
        [
          '   RELEASE    DATE        ALLELES  MAC LIST    STATE',
          '   3.58.0     2024-10-09  3        2020-07-11  verified',
          '*  3.57.0-r2  2024-07-01  3        2020-07-11  verified',
          '   3.57.0     2024-07-01  3        2020-07-11  verified',
        ],
        [],
      ],
      [
        'data list --json',
        0,
        [
          '[',
          '  {',
          '    "release": "3.58.0",',
          '    "active": false,',
          '    "answers": false,',
          '    "date": "2024-10-09",',
          '    "alleles": 3,',
          '    "mac_list": "2020-07-11",',
          '    "state": "verified"',
          '  },',
          '  {',
          '    "release": "3.57.0-r2",',
          '    "active": true,',
          '    "answers": true,',
          '    "date": "2024-07-01",',
          '    "alleles": 3,',
          '    "mac_list": "2020-07-11",',
          '    "state": "verified"',
          '  },',
          '  {',
          '    "release": "3.57.0",',
          '    "active": false,',
          '    "answers": false,',
          '    "date": "2024-07-01",',
          '    "alleles": 3,',
          '    "mac_list": "2020-07-11",',
          '    "state": "verified"',
          '  }',
          ']',
        ],
        [],
      ],
      [
        'data list --available --from source',
        0,
        ['3.58.0\t2024-10-09\tnewest installed', '3.57.0\t2024-07-01\tinstalled'],
        [],
      ],
      ['data path 3.57', 0, ['data/releases/3.57.0'], []],
      ['data use 3580', 0, [], ['hla: IPD-IMGT/HLA 3.58.0 (2024-10-09) is now active']],
      [
        'data use 3580 --config config.json',
        0,
        [],
        [
          'hla: IPD-IMGT/HLA 3.58.0 (2024-10-09) is now active',
          'hla: warning: answers come from 3.57.0: the setting release in config.json names it',
          '  hla config unset release --config config.json',
          'hla: warning: hla mac answers from the built-in starter set: the setting mac.release in config.json names it',
          '  hla config unset mac.release --config config.json',
          'hla: warning: hla redux answers from 3.50.0, which is not installed: the setting redux.release in config.json names it',
          '  hla config unset redux.release --config config.json',
        ],
      ],
      [
        'data use 3.57.0 --config config.json',
        0,
        [],
        [
          'hla: IPD-IMGT/HLA 3.57.0 (2024-07-01) is now active',
          'hla: warning: hla mac answers from the built-in starter set: the setting mac.release in config.json names it',
          '  hla config unset mac.release --config config.json',
          'hla: warning: hla redux answers from 3.50.0, which is not installed: the setting redux.release in config.json names it',
          '  hla config unset redux.release --config config.json',
        ],
      ],
      [
        'data list --config config.json',
        0,
        [
          '   RELEASE    DATE        ALLELES  MAC LIST    STATE',
          '   3.58.0     2024-10-09  3        2020-07-11  verified',
          '   3.57.0-r2  2024-07-01  3        2020-07-11  verified',
          '*  3.57.0     2024-07-01  3        2020-07-11  verified',
        ],
        [
          'hla: warning: hla mac answers from the built-in starter set: the setting mac.release in config.json names it',
          '  hla config unset mac.release --config config.json',
          'hla: warning: hla redux answers from 3.50.0, which is not installed: the setting redux.release in config.json names it',
          '  hla config unset redux.release --config config.json',
        ],
      ],
      [
        'data use 3.56.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.56.0 is not installed',
          '  hla data install 3.56.0, or with --from FOLDER from a folder, a zip file or a URL; installed: 3.58.0, 3.57.0-r2, 3.57.0',
        ],
      ],
      ['data verify', 0, [], ['hla: 3.57.0: 7 files as installed']],
      [
        'data verify --all',
        0,
        [],
        [
          'hla: 3.58.0: 8 files as installed',
          'hla: 3.57.0-r2: 7 files as installed',
          'hla: 3.57.0: 7 files as installed',
        ],
      ],
      ['data verify 3.57.0 --from source', 0, [], ['hla: 3.57.0: 7 files as installed and as in source']],
      [
        'data verify 3.57.0 --from source --json',
        0,
        [
          '{',
          '  "mac_list": {',
          '    "name": "2020-07-11-54e6045c0939",',
          '    "state": "as-installed"',
          '  },',
          '  "releases": [',
          '    {',
          '      "release": "3.57.0",',
          '      "files": 7,',
          '      "state": "as-installed",',
          '      "differences": []',
          '    }',
          '  ]',
          '}',
        ],
        ['hla: 3.57.0: 7 files as installed and as in source'],
      ],
      [
        'data verify 3.57.0 --from revised',
        3,
        ['rel_dna_ser.txt\tdiffers\tinstalled 236040ce9a39\tsource 8c159163a556'],
        [
          'hla: error: 1 of 7 files of 3.57.0 differ from revised: the release was revised after you installed it',
          '  your results are reproducible as installed; "hla data install 3.57.0 --from … --as 3.57.0-r2" keeps both',
        ],
      ],
    ],
    () => ({ cwd, env }),
  )
})

describe('removing', () => {
  testCommands(
    [
      ['data remove 3.57.0-r2', 0, [], ['hla: removed data/releases/3.57.0-r2']],
      [
        'data remove 3.57.0',
        0,
        [],
        [
          'hla: removed data/releases/3.57.0',
          'hla: note: it was the active release; choose another with hla data use',
        ],
      ],
      [
        'data remove 3.57.0',
        3,
        [],
        [
          'hla: error: IPD-IMGT/HLA 3.57.0 is not installed',
          '  hla data install 3.57.0, or with --from FOLDER from a folder, a zip file or a URL; installed: 3.58.0',
        ],
      ],
      [
        'data list',
        0,
        [
          '   RELEASE  DATE        ALLELES  MAC LIST    STATE',
          '   3.58.0   2024-10-09  3        2020-07-11  verified',
        ],
        [],
      ],
      ['data info', 3, [], ['hla: error: no release is active', '  hla data use 3.58.0']],
      ['redux A*01:01', 3, [], ['hla: error: no release is active', '  hla data use 3.58.0']],
      [
        'data install 3.57.0 --from source/3580',
        4,
        [],
        [
          'hla: error: no IPD-IMGT/HLA 3.57.0 in source/3580: it holds 3.58.0',
          '  source contains it: hla data install 3.57.0 --from source',
        ],
      ],
      [
        'data install 3.58.0 --from source --force --mac numer.v3.txt --use',
        0,
        [],
        [
          'hla: read 8 files of IPD-IMGT/HLA 3.58.0 (2024-10-09) from source',
          'hla: md5checksum.txt: 5 of 5 match',
          'hla: MAC list 2020-07-11: 2 codes',
          'hla: installed in data/releases/3.58.0 and made active',
          'hla: IPD-IMGT/HLA is CC BY-ND; cite Barker et al. NAR 2023 51:D1053 and Robinson et al. HLA 2024 103:e15549',
        ],
      ],
      [
        'data list',
        0,
        [
          '   RELEASE  DATE        ALLELES  MAC LIST    STATE',
          '*  3.58.0   2024-10-09  3        2020-07-11  verified',
        ],
        [],
      ],
    ],
    () => ({ cwd, env }),
  )
})
