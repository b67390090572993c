/** Help topic: files of a file store. Pure. */
import { withSubcommands } from '../command-facts.ts'
import { optionTerm } from '../command-page.ts'
import type { ManualFacts } from '../manual-facts.ts'
import { type Block, heading, session, terms, text } from '../page.ts'

export function fileStoreTopic({ program }: ManualFacts): Block[] {
  const ls = withSubcommands(program).find(({ words }) => words.join(' ') === 'drive ls')
  const options = ls?.options.filter(({ long }) => long.startsWith('--drive')) ?? []
  return [
    ...text(
      '`hla drive serve` runs a file store, on this machine or another. `hla drive` lists, fetches, stores, shares and removes its files, and `drive:` before a path names one wherever hla reads or writes a file:',
    ),
    terms([
      ['hla drive put -p donors.csv /registry/', 'stores it, and makes the folder.'],
      ['hla redux -i drive:/registry/donors.csv -o drive:/registry/donors.lgx.csv', 'converts it there.'],
      ['hla drive rule add /registry -m lgx', 'has the store convert each new or changed table.'],
    ]),
    heading('Paths'),
    terms([
      ['`/registry/donors.csv`', 'begins at your own folder. Upper and lower case differ.'],
      ['`1AbC...`', 'the id of a file: `hla drive ls -l` shows it.'],
      ['`1AbC.../donors.csv`', 'names below a folder with that id, or below a shared drive.'],
    ]),
    ...text(
      'Several files of a folder may have the same title. A path that matches several files is refused, with their ids. A local file whose name begins with `drive:` is written `./drive:...`.',
    ),
    heading('Address and token'),
    terms(options.map(optionTerm)),
    ...text(
      'The address and the token file can be settings, as in `hla config set drive-token-file FILE`. A token is never given on the command line: it is read from the file, else from `HLA_DRIVE_TOKEN`.',
    ),
    session({
      command: 'hla drive ls --drive-url http://127.0.0.1:9 --retries 0 2>&1',
      output: [
        'hla: error: the file store requires an access token',
        '  hla drive login signs in; or hla drive token create --user … > FILE creates a token; pass it with --drive-token-file FILE or HLA_DRIVE_TOKEN_FILE',
      ].join('\n'),
      exit: 2,
    }),
    heading('What is written'),
    ...text(
      'Writing to an existing file adds a revision; `hla drive log` lists them all. Output is uploaded while it is made and becomes visible when everything went well; an interrupted run leaves nothing there. Beside the output of a table are its provenance and, when cells failed, the report (`donors.lgx.csv.hla.json`, `donors.lgx.csv.errors.csv`).',
      'Uploads and downloads resume where a connection broke, up to `--retries` times without progress. `hla drive get` and `put` of large files also resume in a later run. Every transfer is checked against the MD5 of the store.',
    ),
    heading('Rules of folders'),
    ...text(
      '`hla drive rule add` has the server convert each new or changed table of a folder, as the user who made the rule. Each revision is converted once, because the output records the revision that it was made from. An output is renamed with its table, unless a user renamed it. Answers come from the release that the rule or the server names.',
      'A table that cannot be converted gets a comment that says why, once; so does one with cells that failed.',
    ),
  ]
}
