/** What the name of a converted file ends in, when that of the file would be wrong: a table is no document. Pure. */

/** `.csv`, `.csv.gz`, `.xlsx` -> `.csv`, `.xml.gz` -> `.tsv.gz` */
export function tableSuffix(suffix: string): string {
  if (/^\.xls[xm]$/i.test(suffix)) return '.csv'
  return suffix.replace(DOCUMENTS, '.tsv')
}

const DOCUMENTS = /^\.(?:xml|hml|json)(?=$|\.)/i
