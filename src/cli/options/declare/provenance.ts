/** `hla provenance …`: checks a provenance record against the files and data present. */
import type { Command } from 'commander'
import type { OptionRow, OptionsOf } from '../../../options/option-row.ts'
import { optionOf } from '../option-of.ts'
import { DATA_DIR } from '../options.ts'
import { declareSubcommand } from './subcommand.ts'

const VERIFY_OPTIONS = [
  DATA_DIR,
  { name: 'rerun', help: 'convert once more, into a temporary folder, and compare the output' },
  { name: 'json', help: 'print a JSON object', isOfOneRun: true },
] as const satisfies readonly OptionRow[]

export type VerifyOptions = OptionsOf<typeof VERIFY_OPTIONS>

export function declareProvenance(provenance: Command): void {
  const summary = 'say whether input, output, data, program and options match a provenance file'
  const more = ' Exit status 1: something differs.'
  declareSubcommand(provenance, 'verify <file>', summary, {
    options: VERIFY_OPTIONS.map(optionOf),
    examples: EXAMPLES,
    more,
  })
}

const TABLE = "printf 'id,A_1\\n1,A*01:01:01:01\\n'"
const EXAMPLES = [
  [
    `${TABLE} | hla redux -q -d , -o a.lgx.csv --provenance; hla provenance verify a.lgx.csv.hla.json | cut -f 1,2`,
    'input\tunknown\noutput\tok\nrecord\tok\ndata\tok\nhla\tok\noptions\tok',
  ],
  [
    `${TABLE} > b.csv; hla redux -q -i b.csv -o b.lgx.csv --provenance; hla provenance verify b.lgx.csv.hla.json --rerun | tail -1 | cut -f 1,2`,
    'rerun\tok',
  ],
  [
    `${TABLE} > c.csv; hla redux -q -i c.csv -o c.lgx.csv --provenance; hla provenance verify c.lgx.csv.hla.json --json | grep differs`,
    '  "differs": false,',
  ],
] as const
