/** A published file as read. */
import { HlaError } from '../../errors.ts'

export interface FetchedFile {
  /** Path in an installed release: `wmda/hla_nom_g.txt`, `allelelist/Allelelist.3580.txt`, `Deleted_alleles.txt`. */
  readonly name: string
  readonly bytes: Buffer
  /** Origin, for messages: `/mnt/IMGTHLA/3580/wmda/hla_nom_g.txt`. */
  readonly origin: string
}

/** Files that every release needs, besides its allele list. */
export const WMDA_FILES = [
  'hla_nom.txt',
  'hla_nom_g.txt',
  'hla_nom_p.txt',
  'rel_dna_ser.txt',
  'rel_ser_ser.txt',
] as const

/** True for lists of checksums, which are used for checking only. */
export function isChecksumList(file: FetchedFile): boolean {
  return file.name.endsWith('md5checksum.txt')
}

/** True for the placeholder of a large file that git-lfs has not fetched. */
export function isLfsPointer(bytes: Buffer): boolean {
  return bytes.subarray(0, LFS.length).equals(LFS)
}

/** @throws {HlaError} lfs-pointer */
export function refusePointer(origin: string, bytes: Buffer): void {
  if (!isLfsPointer(bytes)) return
  const hint = 'run "git lfs pull" there, or download the file'
  throw new HlaError('lfs-pointer', `${origin} is a git-lfs pointer, not the file`, {
    offending: origin,
    hint,
  })
}

const LFS = Buffer.from('version https://git-lfs')
