/** Titles as they are compared and sorted, and the file extension in them. */

/** Equal without regard to case: NFC and full case folding, in three steps (`ẞ` `ß` `SS` `ss`); the dotless `ı` is an `i` too. */
export function foldTitle(title: string): string {
  return title.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/** Sorts as people count: each run of digits becomes its length and itself, so that `10` comes after `9`. */
export function naturalTitle(title: string): string {
  return foldTitle(title).replace(/\d+/g, (run) => {
    const digits = run.replace(/^0+(?=\d)/, '')
    return `0${String(digits.length).padStart(5, '0')}${digits}`
  })
}

export interface Extensions {
  /** `gz` */
  readonly last: string
  /** `tar.gz` */
  readonly full: string
}

/** Compressed forms of another form: these two belong together. */
const DOUBLE = /\.([a-z0-9]{1,20}\.(?:gz|bz2|xz|zst|lz4|br|z))$/i
const SINGLE = /\.([a-z0-9]{1,20})$/i

export function splitExtensions(title: string): Extensions | undefined {
  const last = SINGLE.exec(title)?.[1]
  if (last === undefined) return undefined
  return { last, full: DOUBLE.exec(title)?.[1] ?? last }
}
