/** Exit statuses: the contract of design and manual, and which error gives which. */
import type { ErrorCode } from '../errors.ts'

export const EXIT = {
  ok: 0,
  /** not valid, no match, or at least one typing failed */
  no: 1,
  usage: 2,
  data: 3,
  io: 4,
  remote: 5,
  pin: 6,
  bug: 70,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const

const { no, usage, data, io, remote, pin } = EXIT

/** A new code does not compile until it has its place here. */
export const EXIT_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  'empty-part': no, 'bad-character': no, 'bad-syntax': no, 'not-a-single-allele': no, 'too-ambiguous': no,
  'unknown-locus': no, 'unknown-allele': no, 'renamed-allele': no, 'deleted-allele': no, 'missing-suffix': no,
  'unknown-mac': no, 'mac-invalid-group': no, 'mac-empty-expansion': no, 'xx-not-mac': no, 'no-mac': no,
  'unknown-antigen': no, 'no-alleles': no, 'no-serology': no, 'no-hats': no, 'not-expanded': no,
  'not-in-catalogue': no, starter: no, 'locus-mismatch': no, 'mixed-loci': no, 'blend-mismatch': no,
  'lift-ambiguous': no, 'no-match': no,
  'ambiguous-digits': no, 'excel-artifact': no, 'too-many-failures': no,
  'ragged-row': io, 'bad-quote': io, 'bad-encoding': io,
  usage, 'unknown-method': usage, 'bad-request': usage, 'unknown-release': usage,
  'no-data': data, 'bad-release-file': data, 'unknown-format': data, 'lfs-pointer': data, 'truncated-file': data,
  'checksum-mismatch': data, 'data-differs': data, 'no-catalogue': data,
  'not-found': io, io, remote, pin,
} // prettier-ignore
