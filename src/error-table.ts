/** All error codes: subject, exit and HTTP status, meaning and remedy. */

/**
 * `typing`: one input, others may be right · `question`: the request · `data`: the release and its lists ·
 * `world`: files, network, the program itself. An error that is not about a typing ends a run: every other input would
 * fail alike.
 */
export type ErrorSubject = 'typing' | 'question' | 'data' | 'world'

export interface ErrorKind {
  readonly about: ErrorSubject
  /** Exit status of the command line. */
  readonly exit: number
  /** HTTP status, unless an operation's contract names another. */
  readonly status: number
  readonly means: string
  /** What to do on a command line. */
  readonly remedy: string
}

type Statuses = Partial<Pick<ErrorKind, 'exit' | 'status'>>

function typing(means: string, remedy: string, statuses: Statuses = {}): ErrorKind {
  return { about: 'typing', exit: 1, status: 400, means, remedy, ...statuses }
}

function question(means: string, remedy: string): ErrorKind {
  return { about: 'question', exit: 2, status: 400, means, remedy }
}

function data(means: string, remedy: string, statuses: Statuses = {}): ErrorKind {
  return { about: 'data', exit: 3, status: 500, means, remedy, ...statuses }
}

function world(means: string, remedy: string, statuses: Statuses = {}): ErrorKind {
  return { about: 'world', exit: 4, status: 500, means, remedy, ...statuses }
}

/**
 * 501: a valid question that the installed data cannot answer. Codes are stable: scripts and stored reports depend on
 * them.
 */
export const ERRORS = {
  // the text of a typing
  'empty-part': typing(
    'a part of the GL String is empty: there is nothing before, after or between operators',
    'remove the operator, or write the typing that is missing',
  ),
  'bad-character': typing(
    'a character that no name can contain, such as a space or a letter of another alphabet',
    'remove it; --accept space ignores spaces',
  ),
  'bad-syntax': typing(
    'the text is neither a name nor a GL String',
    'write locus, asterisk and fields: A*01:01; --accept shorthand forgives a locus left out in a list',
  ),
  'not-a-single-allele': typing(
    'one allele or MAC was expected, not a GL String',
    'hla redux accepts GL Strings',
  ),
  'too-ambiguous': typing(
    'the input or the answer has more names than --limit, or the operator of a service, allows',
    'raise the limit with --limit; 0 means no limit',
  ),
  // what the text names
  'unknown-locus': typing('the release has no such locus', 'correct the locus'),
  'unknown-allele': typing(
    'the name is well-formed but not in the release',
    'take one of the suggestions, or name the release the typing is from: --from 3.29.0',
  ),
  'not-public': typing(
    'the name is assigned, but the release keeps it confidential: it is in hla_nom.txt, but not in the allele list',
    'use a later release that publishes it',
  ),
  'renamed-allele': typing(
    'the name is from an earlier release and has been changed since',
    'use the name shown, or let --lift translate old names',
  ),
  'deleted-allele': typing('the name was withdrawn', 'the reason is shown; use its successor, if any'),
  'missing-suffix': typing(
    'the expression letter of the allele (N, L, S, Q …) is missing',
    'write the letter, or let --accept suffix add it',
  ),
  'unknown-mac': typing(
    'the MAC list has no such code',
    'check the letters, or install a newer list: hla data mac',
  ),
  'mac-invalid-group': typing(
    'the MAC is assigned to another first field than the one written',
    'write the code with the first field it belongs to',
  ),
  'mac-empty-expansion': typing(
    'none of the alleles of the MAC exist in the release',
    'check locus and first field, or use the release the typing is from',
  ),
  'xx-not-mac': typing('an XX code was given where a MAC is expected', 'hla mac --xx expands XX codes too'),
  'not-xx': typing('an XX code was expected, such as A*01:XX', 'GET /mac/{allele_code} expands MACs'),
  'no-mac': typing(
    'no MAC stands for exactly these alleles',
    'none is needed: the list itself is a valid typing',
  ),
  'unknown-antigen': typing('there is no such antigen', 'correct its name; similar ones are shown'),
  'no-alleles': typing(
    'the antigen, such as Bw4, has no alleles in the release',
    'use an antigen of a locus',
  ),
  'no-molecule': typing(
    'the predictor chosen with --as does not know this molecule',
    '-m U2 gives names of proteins; a molecule of DQ or DP needs the typings of both genes, in a row or as DQA1*05:01~DQB1*02:01',
  ),
  'no-serology': typing(
    'the allele has no antigen, for instance because it is not expressed',
    'nothing to do: this is a valid answer of method S',
  ),
  'no-hats': data('the release has no HATS antigens', 'use a release from 3.64.0 on', { status: 501 }),
  'not-expanded': typing(
    'names of this kind are switched off by the option "off" of the request',
    'remove that kind from the option "off"',
  ),
  'not-in-catalogue': typing(
    'no allele of the list is in the catalogue of common alleles',
    'nothing to do: this is a valid answer of hla cwd',
  ),
  starter: typing(
    'the built-in starter set lacks data for a complete answer, so it gives none',
    'install a release: hla data install 3.58.0',
    { status: 501 },
  ),
  'locus-mismatch': typing(
    'the locus in a cell is not that of its column',
    'correct the cell, or name the columns of the locus with -l',
  ),
  'surplus-typing': typing('a person has too many typings of a locus', 'keep two rows per locus and person'),
  'not-in-format': typing('the output format cannot hold it', 'reduce it, or choose another format'),
  'mixed-loci': typing(
    'a list contains names of different loci',
    'separate loci with ^ in GL Strings; a code stands for one locus',
  ),
  'blend-mismatch': typing(
    'the DRB3, DRB4 and DRB5 typings do not fit the DRB1 genotype',
    'check the typings: found and expected are shown',
    { status: 404 },
  ),
  'lift-ambiguous': typing(
    'the name meant different alleles in different releases',
    'say which release it is from: --from 3.29.0',
  ),
  'no-match': typing('no name starts with this prefix', 'shorten the prefix', { status: 404 }),
  // a table
  'ragged-row': world(
    'a row of the table has more or fewer fields than its header',
    'correct the row, or use --ragged pad',
    { status: 400 },
  ),
  'bad-record': world('a person of a document cannot be read', 'correct the document at the path shown', {
    status: 400,
  }),
  'bad-quote': world(
    'a quoted field is never closed, or continues after its closing quote',
    'correct the quotes, or use --quote lazy or --quote none',
    { status: 400 },
  ),
  'bad-encoding': typing(
    'a typing cell has bytes that are invalid in the encoding of the table',
    'set it with --encoding',
    { exit: 4 },
  ),
  'ambiguous-digits': typing(
    'digits without a colon are ambiguous in this column, or in the columns of this person together',
    '--bare-digits antigen, first-field, v2 or mixed says which',
  ),
  'ambiguous-separator': typing(
    'the cell holds two typings, or possible alleles of one',
    'choose with --cell-separator',
  ),
  'ambiguous-old-name': typing(
    'digits without colons that match several names of the release, and that the 2010 renaming rules do not resolve',
    'write the name with its colons; the candidates are shown',
  ),
  'excel-artifact': typing(
    'a spreadsheet turned the typing into a number, a time or a date: 0.0430555 was 01:02',
    'export the column as text, or use --accept excel, which reads 01:02 again',
  ),
  'too-many-failures': typing(
    'more typings failed than --max-errors allows',
    'read the report of failures; correct the columns or the method first',
  ),
  // how we were asked
  usage: question('the command line is wrong', 'follow the message, or see hla help COMMAND'),
  'unknown-method': question('there is no such method', 'hla redux --help lists them'),
  'bad-request': question(
    'a request of a service or of hla pipe is wrong: a property is missing or of another type, or an option is unknown',
    'the message names the property; /openapi.json describes all requests',
  ),
  // reference data
  'no-data': data(
    'the release, or a part of it that is needed, is not installed',
    'run the hla data install command shown in the message',
    { status: 501 },
  ),
  'unknown-release': question(
    'that is not a release number',
    'write it as 3.58.0, 3.58 or 3580; hla data list shows those installed',
  ),
  'bad-release-file': data(
    'a published or installed file is damaged or not the expected one',
    'download it again, then run hla data install with --force',
  ),
  'unknown-format': data(
    'a published file has unknown columns, or a file is of an unsupported format',
    'try a newer version of hla',
  ),
  'lfs-pointer': data(
    'the file is a git-lfs pointer, not the file itself',
    'run git lfs pull in that checkout, or download the file',
  ),
  'truncated-file': data('the file ends too early', 'fetch it again'),
  'checksum-mismatch': data(
    'a file is not the one that was published, or that was installed',
    'fetch it again; for installed files run hla data verify, then install again',
  ),
  'data-differs': data(
    'installed files and their source differ: the release was revised',
    'results are reproducible as installed; install a second copy with --as to compare',
  ),
  'no-catalogue': data('the catalogue is not installed', 'install it: hla data catalogue ciwd3', {
    status: 501,
  }),
  // the world
  'not-found': world('there is no such file', 'correct its name'),
  io: world(
    'a file cannot be read or written, or is not a table',
    'the message says why; nothing incomplete is left under its name',
  ),
  remote: world(
    'the service cannot be reached, or failed after all attempts',
    'check address and network; --network retries=…,timeout=…',
    { exit: 5, status: 502 },
  ),
  pin: world(
    'the installed data are not those you asked for',
    'ask for the release that the service has, or another service',
    { exit: 6, status: 409 },
  ),
  internal: world(
    'an internal error of hla',
    'please report it; the log of the service, or HLA_DEBUG=1, shows where it happened',
    { exit: 70 },
  ),
} as const satisfies Readonly<Record<string, ErrorKind>>
