/** Binary content: recognised by its first bytes and refused, with what to do. */
import { type Advice } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

interface BinaryFormat {
  readonly what: string
  readonly remedy: string
  /**
   * Pattern over the first bytes as Latin-1; a signature of printable characters needs one byte that text never has,
   * or is excluded from `ASCII_TEXT`.
   */
  readonly begins: RegExp
  /** Command that unpacks a file to standard output. */
  readonly command?: string
}

const UNPACK = 'unpack it first'
const RECODE = 'write it as UTF-8'
const EXPORT = 'export its table as CSV'
const PICTURE = 'hla cannot read pictures: get the typings as text'
const PROGRAM = { what: 'a program', remedy: 'name the file with the typings' }

/* eslint-disable no-control-regex */
/** Signatures from the formats' specifications. */
const FORMATS: readonly BinaryFormat[] = [
  { what: 'compressed with bzip2', remedy: UNPACK, begins: /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/, command: 'bzip2 -dc' },
  { what: 'compressed with xz', remedy: UNPACK, begins: /^\xfd7zXZ\0/, command: 'xz -dc' },
  { what: 'compressed with lz4', remedy: UNPACK, begins: /^(?:\x04"M\x18|\x02!L\x18)/, command: 'lz4 -dc' },
  { what: 'compressed with lzip', remedy: UNPACK, begins: /^LZIP[\0\x01]/, command: 'lzip -dc' },
  { what: 'compressed with compress', remedy: UNPACK, begins: /^\x1f\x9d/, command: 'gzip -dc' },
  { what: 'compressed twice', remedy: UNPACK, begins: /^\x1f\x8b/, command: 'gzip -dc' },
  { what: 'compressed twice', remedy: UNPACK, begins: /^\x28\xb5\x2f\xfd/, command: 'zstd -dc' },
  // before UTF-16, whose mark its own begins with
  { what: 'UTF-32 text', remedy: RECODE, begins: /^(?:\xff\xfe\0\0|(?:[^\0]\0\0\0){4})/, command: 'iconv -f UTF-32LE -t UTF-8' },
  { what: 'UTF-32 text', remedy: RECODE, begins: /^(?:\0\0\xfe\xff|(?:\0\0\0[^\0]){4})/, command: 'iconv -f UTF-32BE -t UTF-8' },
  { what: 'a 7-Zip archive', remedy: UNPACK, begins: /^7z\xbc\xaf'\x1c/ },
  { what: 'a RAR archive', remedy: UNPACK, begins: /^Rar!\x1a\x07/ },
  // tar alone has its signature further on (POSIX pax, section ustar)
  { what: 'a tar archive', remedy: UNPACK, begins: /^(?=[^]{1,256}\0)[^\0][^]{256}ustar[\0 ]/ },
  { what: 'a PDF document', remedy: 'export its table as CSV or text', begins: /^%PDF-\d/ },
  { what: 'a PNG picture', remedy: PICTURE, begins: /^\x89PNG/ },
  { what: 'a JPEG picture', remedy: PICTURE, begins: /^\xff\xd8\xff/ },
  { what: 'a GIF picture', remedy: PICTURE, begins: /^GIF8[79]a[^]{0,12}[\0\x80-\xff]/ },
  { what: 'a TIFF picture', remedy: PICTURE, begins: /^(?:II\*\0|MM\0\*)/ },
  { what: 'an SQLite database', remedy: EXPORT, begins: /^SQLite format 3\0/ },
  { what: 'a Parquet file', remedy: EXPORT, begins: /^PAR[1E][\0-\x08\x0e-\x1f]/ },
  { what: 'an Arrow file', remedy: EXPORT, begins: /^(?:ARROW1\0\0|FEA1\0)/ },
  { what: 'an HDF5 file', remedy: EXPORT, begins: /^\x89HDF\r\n\x1a\n/ },
  { what: 'a saved R object', remedy: 'write it as CSV, with write.csv', begins: /^(?:RD[ABX][23]\n)?[BX]\n\0\0\0[\x02\x03]/ },
  { what: 'an alignment (BAM or CRAM)', remedy: 'type it first', begins: /^(?:BAM\x01|CRAM[\x01-\x08])/ },
  { ...PROGRAM, begins: /^(?:\x7fELF|\0asm|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf])/ },
  { ...PROGRAM, begins: /^MZ[^]{0,62}\0/ },
] // prettier-ignore
/* eslint-enable no-control-regex */

/** Begins text: without bytes of a signature, and with no signature of printable characters. */
const ASCII_TEXT = /^(?!BZh|%PDF)[\t\n\r -~]*$/

/** Bytes that identify every format but tar. */
export const SIGNATURE = 64
const HEAD_BYTES = 512

/**
 * Refuses binary content; `head` is the beginning of the file, unpacked if compressed.
 * @throws {HlaError} io — not text
 */
export function refuseBinary(head: Uint8Array, name: string): void {
  const beginning = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1')
  const format = ASCII_TEXT.test(beginning) ? undefined : FORMATS.find(({ begins }) => begins.test(beginning))
  if (format === undefined) return
  const { what, remedy, command } = format
  throw new HlaError('io', `${name} is ${what}: ${remedy}`, {
    offending: name,
    ...(command === undefined ? {} : { hint: unpackingCommand(command, name) }),
  })
}

/** `xz -dc donors.csv.xz | hla … -i -` */
export function unpackingCommand(command: string, name: string): Advice {
  return [{ shell: `${command} ${name === 'stdin' ? '' : `${name} `}| hla … -i -` }]
}
