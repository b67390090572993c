/** Every error code: what it means, and what to do. */
import type { ErrorCode } from '../errors.ts'

export interface ErrorAdvice {
  readonly means: string
  readonly remedy: string
}

/** A new code does not compile until it has its place here. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  'empty-part': {
    means: 'a part of the GL String is empty: there is nothing before, after or between operators',
    remedy: 'remove the operator, or write the typing that is missing',
  },
  'bad-character': {
    means: 'a character that no name can contain, such as a space or a letter of another alphabet',
    remedy: 'take it out; --accept space forgives spaces',
  },
  'bad-syntax': {
    means: 'the text is neither a name nor a GL String',
    remedy:
      'write locus, asterisk and fields: A*01:01; --accept shorthand forgives a locus left out in a list',
  },
  'not-a-single-allele': {
    means: 'one allele or MAC was expected, but a GL String was given',
    remedy: 'use hla redux for GL Strings',
  },
  'too-ambiguous': {
    means: 'the input or the answer has more names than --limit, or the operator of a service, allows',
    remedy: 'raise the limit, or --limit 0 for none',
  },
  'unknown-locus': { means: 'the release has no such locus', remedy: 'correct the locus' },
  'unknown-allele': {
    means: 'the name is well-formed but not in the release',
    remedy: 'take one of the suggestions, or name the release the typing is from: --from 3.29.0',
  },
  'renamed-allele': {
    means: 'the name is from an earlier release and has been changed since',
    remedy: 'use the name shown, or --lift to translate old names',
  },
  'deleted-allele': {
    means: 'the name was withdrawn',
    remedy: 'the reason is shown; where there is a successor, use it',
  },
  'missing-suffix': {
    means: 'the expression letter of the allele (N, L, S, Q …) is missing',
    remedy: 'write the letter, or --accept suffix',
  },
  'unknown-mac': {
    means: 'the MAC list has no such code',
    remedy: 'check the letters, or install a newer list: hla data mac',
  },
  'mac-invalid-group': {
    means: 'the MAC belongs to other first fields than the one it is written with',
    remedy: 'write the code with the first field it belongs to',
  },
  'mac-empty-expansion': {
    means: 'none of the alleles of the MAC exist in the release',
    remedy: 'check locus and first field, or use the release the typing is from',
  },
  'xx-not-mac': {
    means: 'an XX code was given where a MAC is expected',
    remedy: 'hla mac --xx expands XX codes too',
  },
  'no-mac': {
    means: 'no MAC stands for exactly these alleles',
    remedy: 'none is needed: the list itself is a valid typing',
  },
  'unknown-antigen': {
    means: 'there is no such antigen',
    remedy: 'correct its name; similar ones are shown',
  },
  'no-alleles': {
    means: 'the antigen has no alleles in the release, such as Bw4',
    remedy: 'use an antigen of a locus',
  },
  'no-serology': {
    means: 'the allele has no antigen, for instance because it is not expressed',
    remedy: 'nothing: it is the answer of method S',
  },
  'no-hats': { means: 'the release has no HATS antigens', remedy: 'use a release from 3.64.0 on' },
  'not-expanded': {
    means: 'names of this kind are switched off by the option "off" of the request',
    remedy: 'take the kind out of it',
  },
  'not-in-catalogue': {
    means: 'no allele of the list is in the catalogue of common alleles',
    remedy: 'nothing: it is the answer of hla cwd',
  },
  starter: {
    means: 'the built-in starter set cannot answer this completely, and never answers incompletely',
    remedy: 'install a release: hla data install 3.58.0',
  },
  'locus-mismatch': {
    means: 'the locus in a cell is not that of its column',
    remedy: 'correct the cell, or the columns: -l LOCUS=column,column',
  },
  'mixed-loci': {
    means: 'a list contains names of different loci',
    remedy: 'separate loci with ^ in GL Strings; a code stands for one locus',
  },
  'blend-mismatch': {
    means: 'the DRB3, DRB4 and DRB5 typings do not fit the DRB1 genotype',
    remedy: 'check the typings: found and expected are shown',
  },
  'lift-ambiguous': {
    means: 'the name meant different alleles in different releases',
    remedy: 'say which release it is from: --from 3.29.0',
  },
  'no-match': { means: 'no name starts with this prefix', remedy: 'shorten the prefix' },
  'ragged-row': {
    means: 'a row of the table has more or fewer fields than its header',
    remedy: 'correct the row, or --ragged pad',
  },
  'bad-quote': {
    means: 'a quoted field is never closed, or continues after its closing quote',
    remedy: 'correct it, or --lazy-quotes, or --quote none',
  },
  'bad-encoding': {
    means: 'a typing cell has bytes that are invalid in the encoding of the table',
    remedy: '--encoding says which it is',
  },
  'ambiguous-digits': {
    means: 'digits without a colon are ambiguous in this column',
    remedy: '--bare-digits antigen, first-field or v2 says which',
  },
  'excel-artifact': {
    means: 'a spreadsheet turned the typing into a number: 0.0430555 was 01:02',
    remedy: 'export the column as text; --accept excel reads it as the clock time it was',
  },
  'too-many-failures': {
    means: 'more typings failed than --max-errors allows',
    remedy: 'read the report of failures; correct the columns or the method first',
  },
  usage: { means: 'the command line is wrong', remedy: 'the message says how it is right; hla help COMMAND' },
  'unknown-method': { means: 'there is no such method', remedy: 'hla redux --help lists them' },
  'bad-request': {
    means:
      'a request of a service or of hla pipe is wrong: a property is unknown, missing or of another type',
    remedy: 'the message names the property; /openapi.json describes all requests',
  },
  'no-data': {
    means: 'the release, or a part of it that is needed, is not installed',
    remedy: 'the message says which hla data install',
  },
  'unknown-release': {
    means: 'that is not a release number',
    remedy: 'write it as 3.58.0, 3.58 or 3580; hla data list shows those installed',
  },
  'bad-release-file': {
    means: 'a published or installed file is damaged or not the expected one',
    remedy: 'fetch it again, and hla data install with --force',
  },
  'unknown-format': {
    means: 'a published file has unknown columns, or a file is of an unsupported format',
    remedy: 'a newer version of hla may know them',
  },
  'lfs-pointer': {
    means: 'the file is a git-lfs pointer, not the file itself',
    remedy: 'run git lfs pull in that checkout, or download the file',
  },
  'truncated-file': { means: 'the file ends too early', remedy: 'fetch it again' },
  'checksum-mismatch': {
    means: 'a file is not the one that was installed',
    remedy: 'hla data verify; then install it again',
  },
  'data-differs': {
    means: 'installed files and their source differ: the release was revised',
    remedy: 'results are reproducible as installed; install a second copy with --as to compare',
  },
  'no-catalogue': { means: 'the catalogue is not installed', remedy: 'hla data catalogue ciwd3' },
  'not-found': { means: 'there is no such file', remedy: 'correct its name' },
  io: {
    means: 'a file cannot be read or written, or is not a table',
    remedy: 'the message says why; nothing incomplete is left under its name',
  },
  remote: {
    means: 'the service cannot be reached, or failed after all attempts',
    remedy: 'check address and network; --retries, --timeout',
  },
  pin: {
    means: 'the data are not those that were asked for',
    remedy: 'ask for the release that the service has, or another service',
  },
}
