/** `hla provenance …`: checks a provenance record against the files and data present. */
import { type Command, Option } from 'commander'
import { addExamples } from '../help.ts'

export interface VerifyOptions {
  readonly dataDir?: string
  readonly rerun?: boolean
  readonly json?: boolean
}

export function declareProvenance(provenance: Command): void {
  const summary = 'say whether input, output, data, program and options are those of a provenance file'
  const verify = provenance
    .command('verify <file>')
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}. Exit status 1: something differs.`)
    .addOption(new Option('--data-dir <dir>', 'folder in which releases are installed').env('HLA_DATA_DIR'))
    .option('--rerun', 'convert once more, into a temporary folder, and compare the output')
    .option('--json', 'print a JSON object')
  addExamples(verify, EXAMPLES)
}

const EXAMPLES = [
  {
    command:
      "printf 'id,A_1\\n1,A*01:01:01:01\\n' | hla redux -q -d , -o a.lgx.csv --provenance; hla provenance verify a.lgx.csv.hla.json | cut -f 1,2",
    output: 'input\tunknown\noutput\tok\nrecord\tok\ndata\tok\nhla\tok\noptions\tok',
  },
  {
    command:
      "printf 'id,A_1\\n1,A*01:01:01:01\\n' > b.csv; hla redux -q -i b.csv -o b.lgx.csv --provenance; hla provenance verify b.lgx.csv.hla.json --rerun | tail -1 | cut -f 1,2",
    output: 'rerun\tok',
  },
  {
    command:
      "printf 'id,A_1\\n1,A*01:01:01:01\\n' > c.csv; hla redux -q -i c.csv -o c.lgx.csv --provenance; hla provenance verify c.lgx.csv.hla.json --json | grep differs",
    output: '  "differs": false,',
  },
]
