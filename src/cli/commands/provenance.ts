/** `hla provenance …`: checks a provenance record against the files and data present. */
import { commandOf, late } from '../options/declare-command.ts'
import { DATA_DIR } from '../options/options.ts'

const VERIFY = commandOf({
  usage: 'verify <file>',
  summary: 'say whether input, output, data, program and options match a provenance file',
  description:
    'Say whether input, output, data, program and options match a provenance file. Exit status 1: something differs.',
  options: [
    DATA_DIR,
    { name: 'rerun', help: 'convert once more, into a temporary folder, and compare the output' },
    { name: 'json', help: 'print a JSON object', isOfOneRun: true },
  ],
  examples: [
    'hla redux -q -i donors.csv -o donors.lgx.csv --provenance',
    { command: 'hla provenance verify donors.lgx.csv.hla.json' },
    { command: 'hla provenance verify donors.lgx.csv.hla.json --rerun' },
  ],
  run: late(() => import('../run/provenance/verify.ts'), 'verifyProvenance'),
})

export const PROVENANCE = { usage: 'provenance', commands: [VERIFY] }
