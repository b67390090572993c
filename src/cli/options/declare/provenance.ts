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

const EXAMPLES = [
  'hla redux -q -i donors.csv -o donors.lgx.csv --provenance',
  { command: 'hla provenance verify donors.lgx.csv.hla.json' },
  { command: 'hla provenance verify donors.lgx.csv.hla.json --rerun' },
] as const
