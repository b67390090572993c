/** The questions of the battery, with the answers of a computation that shares no code with the program. */
import { answerOfOperation } from '../support/independent/operations.ts'
import { type Answer, answer } from '../support/independent/reduce.ts'
import { tablesOf } from '../support/independent/tables.ts'
import { codes, worldOf } from '../support/independent/world.ts'

export const RELEASE = '3440'
export const METHODS = ['G', 'P', 'lg', 'lgx', 'W', 'exon', 'U2', 'S', '1F'] as const

export interface Case {
  readonly check: string
  /** A method of redux, or an operation. */
  readonly ask: string
  readonly input: string
  readonly config: string
  readonly promised: Answer
}

/** Every sixth name is asked. */
const EVERY = 6

export function makeCases(): Case[] {
  const world = worldOf(RELEASE)
  const { alleles, shortNulls, files } = world.tables
  const names = [...alleles].filter((_, at) => at % EVERY === 0)
  const groups = [...files.g, ...files.p].map(({ name }) => name)
  return [
    ...reductions('names', [...names, ...shortNulls.keys()].slice(0, 6000)),
    ...reductions('groups', groups),
    ...reductions('own answers', ownNames()),
    ...reductions('codes', codeNames()),
    ...reductions('GL Strings', GL_STRINGS),
    ...CONFIGS.flatMap((config) => reductions('switches', SWITCHED, config)),
    ...Object.entries(OPERATED).flatMap(
      ([op, inputs]) =>
      inputs.map((input) => ({
        check: op, ask: op, input, config: '', promised: answerOfOperation(op, input, world),
      })), // prettier-ignore
    ),
  ]
}

function reductions(check: string, inputs: readonly string[], config = ''): Case[] {
  const world = worldOf(RELEASE, config)
  return METHODS.flatMap((ask) =>
    inputs.map((input) => ({ check, ask, input, config, promised: answer(input, ask, world) })),
  )
}

/** Results of lgx that are not names of the list, e.g. `A*11:403`. */
function ownNames(): string[] {
  const { lgx, members, alleles } = tablesOf(RELEASE)
  const short = [
    ...lgx.values(),
    ...[...members.keys()].map((group) => group.split(':').slice(0, 2).join(':').replace(/[GP]$/, '')),
  ]
  return [...new Set(short)].filter((name) => !alleles.has(name))
}

/** Codes of many kinds: most have members that do not exist with this first field, some have short nulls. */
function codeNames(): string[] {
  const { shortNulls } = tablesOf(RELEASE)
  const all = [...codes()]
  const some = all.filter((_, at) => at % 120 === 0).flatMap(([code]) => [`A*01:${code}`, `B*15:${code}`])
  const nulls = all.flatMap(([code, members]) =>
    members.some((member) => shortNulls.has(`A*24:${member}`)) ? [`A*24:${code}`] : [],
  )
  return [...some, ...nulls.slice(0, 10)]
}

const GL_STRINGS = [
  'A*01:01+A*02:01', 'A*02:01+A*01:01', 'A*01:01+A*01:01', 'A*01:01/A*02:01', 'A*02:01/A*01:01/A*02:01', 'HLA-A*01:01+A*02:01',
  'B*07:02+B*08:01^A*01:01+A*24:02', 'A*01:01~B*08:01+A*02:01~B*07:02', 'B*08:01~A*01:01+B*07:02~A*02:01', 'A*02:01|A*01:01', 'A*01:01+A*02:01|A*01:01+A*03:01',
  'A*01:01+A*02:01^A*01:01+A*02:01', 'A*01:AB', 'A*01:AB+A*02:01', 'HLA-A*01:AB', 'A*43:XX', 'C*10:XX', 'DRB1*06:XX', 'A*01:XX',
  'A1', 'A10', 'B2708', 'Cw10', 'DR17', 'Bw4', 'A*01:04N', 'A*24:02L', 'A*01:01:01N', 'A*0101', 'A*0104', 'A*01AB', 'H*0101',
  'DPB1*10501', 'A*01:01:999', 'A*99:99', 'A*01:01+', 'A*01:01Q', 'a*01:01', 'A*01:01:', 'A*01:XX:01', 'FOO*01:AB', 'A*99:AB',
  'A*01:QQQQQ', 'A*69:CFFGM', 'A*32:CFFGM', 'MICA*002:01', 'MICA*002:01+A*01:01', 'DRB1*15:01+DRB1*13:01', 'A*02:17:01G',
  'A*01:01~B*13:07N', 'A*01:01+A*01:04N', 'A*01:01 ', 'A*02:101/A*02:11/A*02:9', 'A*02:09/A*02:101/A*02:11', 'DQB1*05:01/DRB1*01:01',
  'HLA-A*24:02^HLA-B*07:02^HLA-C*01:02', 'A*01:01:01G', 'A*02:01P', 'DQB1*03:01+DQB1*05:01', 'B*44:23N', 'DQB1*05:43', 'A203', 'A9',
] // prettier-ignore

const CONFIGS = ['{"strict": false}', '{"ping": false}', '{"ARS_as_lg": true}', '{"ignore_allele_with_suffixes": ["NNNN"]}',
  '{"reduce_shortnull": false}'] // prettier-ignore

const SWITCHED = [
  'A*01:01', 'A*01:04', 'A*01:11', 'A*99:99', 'A*01:01g', 'A*02:131:02', 'DPB1*105:01', 'A*NNNN', 'A*NNNN+A*01:01', 'A*01:04N', 'A*24:09N',
  'A*01:335', 'A*01:AB:01', 'A*01:XX:01', 'A*01:01:01:01', 'B*07:02:01', 'A*01:01:01N',
] // prettier-ignore

const OPERATED: Readonly<Record<string, readonly string[]>> = {
  validate: GL_STRINGS,
  'mac-expand': ['A*01:AB', 'HLA-A*01:AB', 'A*69:CFFGM', 'A*32:CFFGM', 'A*04:AB', 'A*01:XX', 'A*01:01', 'A*01:QQQQQ', 'A*01:AB/A*02:AB', 'FOO*01:AB', 'C*04:NZZG', 'DRB1*15:AB'],
  'mac-lookup': [
    'A*01:02/A*01:01/A*01:03', 'A*01:01/A*01:02', 'C*04:27/C*04:105', 'A*32:15/A*69:01/A*69:02', 'A*25:02/A*25:01', 'A*01:01/B*01:02',
    'A*01:01:01/A*01:02', 'HLA-A*01:01/HLA-A*01:02', 'A*01:01/A*01:01/A*01:02', 'A*77:01/A*77:02', 'A*01:01/A*01:999', 'A*01:AB',
  ],
  'xx-expand': ['A*43:XX', 'HLA-A*43:XX', 'C*10:XX', 'A*99:XX', 'B*16:XX'],
  cwd: ['B*15:01:01/B*15:01:03/B*15:04/B*15:07/B*15:26N/B*15:27', 'A*01:AB', 'HLA-A*01:AB', 'A66', 'A*01:228', 'A*02:01/B*07:02', 'A*01:01+A*02:01', 'B*15:12/B*15:113', 'A*43:XX'],
  splits: ['A10', 'A25', 'A*10', 'HLA-A25', 'B71', 'B14', 'A2', 'A*26:01', 'DR6', 'Cw9', 'A**', 'C*03'],
  similar: ['A*01:29', 'A*01:ABA', 'A*%', 'HLA-A*01:01:01:04', 'dpb1*32:zy', 'A**', 'A*', 'DRB1*15:0', 'FOO*01:AB', 'MICA*00'],
  blend: [
    ['DRB1*03:01+DRB1*04:01', 'DRB3*01:01', 'DRB4*01:03', ''], ['DRB1*03:01+DRB1*01:01', 'DRB3*01:01+DRB3*01:01', '', ''],
    ['DRB1*03:01+DRB1*01:01', 'DRB3*01:01+DRB3*02:02', '', ''], ['DRB1*01:01+DRB1*08:01', 'DRB3*01:01', '', ''],
    ['DRB1*03:01+DRB1*11:01', 'DRB3*01:01+DRB3*02:02', '', ''], ['DRB1*15:01+DRB1*07:01', '', 'DRB4*01:01', 'DRB5*01:01'],
    ['DRB1*09:01+DRB1*01:01', '', 'DRB4*01:03', ''],
    ['DRB1*03:01', 'DRB3*01:01', '', ''], ['DRB1*16:01+DRB1*09:01', '', '', 'DRB5*02:02'], ['DRB1*02:01+DRB1*01:01', '', 'DRB4*01:01', ''],
  ].map((texts) => JSON.stringify(texts)),
} // prettier-ignore
