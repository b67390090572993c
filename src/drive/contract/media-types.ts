/** Media types by file name ending, for the command line and the store's page. Pure. */

/** Lower-case ending without the dot -> type (IANA's registry; else `application/x-…` or text). */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  // tables and texts
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['tab', 'text/tab-separated-values'],
  ['txt', 'text/plain'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['xml', 'application/xml'],
  ['hml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['r', 'text/plain'],
  ['py', 'text/x-python'],
  ['sh', 'application/x-sh'],
  // documents
  ['pdf', 'application/pdf'],
  ['rtf', 'application/rtf'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['eml', 'message/rfc822'],
  // pictures
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  // sequences: text, and program files without a registered type
  ['fa', 'text/x-fasta'],
  ['fasta', 'text/x-fasta'],
  ['fna', 'text/x-fasta'],
  ['fastq', 'text/x-fastq'],
  ['fq', 'text/x-fastq'],
  ['sam', 'text/x-sam'],
  ['bam', 'application/x-bam'],
  ['bai', 'application/x-bai'],
  ['cram', 'application/x-cram'],
  ['vcf', 'text/x-vcf'],
  ['bed', 'text/x-bed'],
  ['gff', 'text/x-gff3'],
  ['gff3', 'text/x-gff3'],
  ['ab1', 'application/x-ab1'],
  // compressed
  ['gz', 'application/gzip'],
  ['zst', 'application/zstd'],
  ['bz2', 'application/x-bzip2'],
  ['xz', 'application/x-xz'],
  ['zip', 'application/zip'],
  ['tar', 'application/x-tar'],
  ['7z', 'application/x-7z-compressed'],
])

/** undefined for an unknown ending or none. */
export function knownMediaType(title: string): string | undefined {
  const dot = title.lastIndexOf('.')
  return dot < 0 ? undefined : MEDIA_TYPES.get(title.slice(dot + 1).toLowerCase())
}

/** The store itself never inspects content. */
export function guessMediaType(title: string): string {
  return knownMediaType(title) ?? 'application/octet-stream'
}
