/** Which error gives which HTTP status: the contract's, and a place for every other. */
import type { ErrorCode } from '../errors.ts'

const [wrong, missing, lacking, broken] = [400, 404, 501, 500]

/** A new code does not compile until it has its place here. Operations name those that are 404 for them alone. */
export const STATUS_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  'empty-part': wrong, 'bad-character': wrong, 'bad-syntax': wrong, 'not-a-single-allele': wrong,
  'too-ambiguous': wrong, 'unknown-locus': wrong, 'unknown-allele': wrong, 'renamed-allele': wrong,
  'deleted-allele': wrong, 'missing-suffix': wrong, 'unknown-mac': wrong, 'mac-invalid-group': wrong,
  'mac-empty-expansion': wrong, 'xx-not-mac': wrong, 'no-mac': wrong, 'unknown-antigen': wrong, 'no-alleles': wrong,
  'no-serology': wrong, 'no-hats': wrong, 'not-expanded': wrong, 'not-in-catalogue': wrong, 'locus-mismatch': wrong,
  'mixed-loci': wrong, 'blend-mismatch': missing, 'lift-ambiguous': wrong, 'no-match': missing,
  'ragged-row': wrong, 'bad-quote': wrong, 'bad-encoding': wrong, 'ambiguous-digits': wrong, 'excel-artifact': wrong,
  'too-many-failures': wrong,
  usage: wrong, 'unknown-method': wrong, 'bad-request': wrong, 'unknown-release': wrong,
  // a right question that the installed data cannot answer
  starter: lacking, 'no-data': lacking, 'no-catalogue': lacking,
  'bad-release-file': broken, 'unknown-format': broken, 'lfs-pointer': broken, 'truncated-file': broken,
  'checksum-mismatch': broken, 'data-differs': broken, 'not-found': broken, io: broken, remote: 502, pin: 409,
} // prettier-ignore
