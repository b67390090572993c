/**
 * Status in a release of each name ever published, computed only from the published lists: allele lists,
 * Deleted_alleles.txt and hla_nom.txt.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { readTexts, releasesOfToday } from '../releases.ts'
import { sharedPath } from '../shared.ts'

const LATEST = ['upstream', 'IMGTHLA', 'Latest'] as const

interface List {
  readonly order: number
  readonly nameOf: ReadonlyMap<string, string>
}

let lists: readonly List[] | undefined

/** All allele lists, oldest first; the last is 3.64.0, generated or published. */
function allLists(): readonly List[] {
  if (lists !== undefined) return lists
  const folder = sharedPath(...LATEST, 'allelelist')
  const texts = new Map<number, string>()
  for (const file of readdirSync(folder)) {
    const code = file.replace(/\D/g, '')
    texts.set(orderOf(code), readFileSync(`${folder}/${file}`, 'utf8'))
  }
  for (const code of releasesOfToday())
    if (code === '3640') texts.set(orderOf(code), readTexts(code).alleleList)
  lists = [...texts].sort(([a], [b]) => a - b).map(([order, text]) => ({ order, nameOf: readList(text) }))
  return lists
}

/** Number that orders releases: `320` is 3.2.0, `3131` a second edition of 3.13.0. */
function orderOf(code: string): number {
  return Number(code.slice(0, 1)) * 1000 + Number(code.slice(1, -1))
}

function readList(text: string): Map<string, string> {
  const rows = text.split(/\r?\n/).map((line) => /^(HLA\d+)[, ]([A-Z0-9]+\*[0-9A-Z:]+)\s*$/.exec(line))
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row[1] ?? '', row[2] ?? ''] as const])))
}

interface DeletionRow {
  readonly name: string
  readonly accession: string
  /** Names in the description. */
  readonly mentioned: readonly string[]
}

function deletionRows(): DeletionRow[] {
  const text = readFileSync(sharedPath(...LATEST, 'Deleted_alleles.txt'), 'utf8')
  return text.split(/\r?\n/).flatMap((line) => {
    const [accession = '', name = '', ...words] = line.split(',')
    if (!/^HLA\d+$/.test(accession)) return []
    return [{ name, accession, mentioned: words.join(',').match(/[A-Z0-9]+\*[0-9:]*\d[A-Z]?/g) ?? [] }]
  })
}

/** Names of hla_nom.txt without a deletion date. */
function officialNames(text: string): Set<string> {
  const rows = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'))
  return new Set(
    rows.flatMap((row) => {
      const [locus = '', name = '', , deleted = ''] = row.split(';')
      return deleted === '' ? [locus + name] : []
    }),
  )
}

function stemOf(name: string): [stem: string, letter: string] {
  const [, stem = name, letter = ''] = /^(.*\d)([NLSQCA]?)$/.exec(name) ?? []
  return [stem, letter]
}

interface Histories {
  /** Name -> its accession numbers, each with the order of the first list that has the pair. */
  readonly owners: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Accession number -> order of its first list. */
  readonly firstOf: ReadonlyMap<string, number>
}

let known: Histories | undefined

function histories(all: readonly List[]): Histories {
  if (known !== undefined) return known
  const owners = new Map<string, Map<string, number>>()
  const firstOf = new Map<string, number>()
  for (const { nameOf, order } of all) {
    for (const [accession, name] of nameOf) {
      const orders = owners.get(name) ?? new Map<string, number>()
      owners.set(name, orders)
      if (!orders.has(accession)) orders.set(accession, order)
      if (!firstOf.has(accession)) firstOf.set(accession, order)
    }
  }
  known = { owners, firstOf }
  return known
}

/** `code`: release such as `3580`. Each name of all lists and of the deletions -> its verdict. */
export function publishedVerdicts(code: string): Map<string, string> {
  const all = allLists()
  const order = orderOf(code)
  const here = all.find((list) => list.order === order)
  if (here === undefined) throw new Error(`no list of ${code}`)
  const listed = new Set(here.nameOf.values())
  const official = officialNames(readTexts(code).nomenclature)
  const short = new Set<string>()
  const families = new Set<string>()
  for (const name of listed) {
    const [stem, letter] = stemOf(name)
    const fields = stem.split(':')
    if (letter === '' || fields.length > 2) families.add(fields.slice(0, 2).join(':'))
    for (let count = 2; count < fields.length; count += 1) {
      const cut = fields.slice(0, count).join(':')
      short.add(cut + letter)
      short.add(cut)
    }
  }
  const { owners, firstOf } = histories(all)
  const rows = deletionRows()
  const deleted = new Map(rows.toReversed().map(({ name, accession }) => [name, accession]))
  /** Current names of an allele; for a deleted one the alleles that its row mentions. */
  const namesNow = (accession: string): string[] => {
    const own = here.nameOf.get(accession)
    if (own !== undefined) return [own]
    const mentioned = rows.find((row) => row.accession === accession)?.mentioned ?? []
    const theirs = mentioned.flatMap((name) => [...(owners.get(name)?.keys() ?? [])].flatMap((one) => here.nameOf.get(one) ?? [])) // prettier-ignore
    return [...mentioned.filter((name) => listed.has(name) || short.has(name)), ...theirs]
  }
  const isOf = (name: string, full: string): boolean => {
    const [stem, letter] = stemOf(name)
    const [fullStem, fullLetter] = stemOf(full)
    return full === name || (fullStem.startsWith(`${stem}:`) && (letter === '' || letter === fullLetter))
  }
  const isReused = (name: string) =>
    [...(owners.get(name) ?? [])].some(
      ([one, first]) => first < order && !namesNow(one).some((now) => isOf(name, now)),
    )

  const verdict = (name: string): string => {
    // the grammar dropped locus Cw in 2010
    if (name.startsWith('Cw*')) return 'malformed'
    if (listed.has(name)) return isReused(name) ? 'reused' : 'valid'
    if (official.has(name)) return 'not-public'
    if (short.has(name)) return isReused(name) ? 'reused' : 'valid'
    const accessions = [...(owners.get(name)?.keys() ?? [])]
    const filed = deleted.get(name)
    if (accessions.length === 0 && filed !== undefined) accessions.push(filed)
    if (accessions.some((one) => here.nameOf.has(one))) return 'renamed'
    if (accessions.some((one) => (firstOf.get(one) ?? 0) <= order)) return 'deleted'
    const [stem] = stemOf(name)
    const two = stem.split(':').slice(0, 2).join(':')
    return stem.split(':').length > 2 && families.has(two) ? 'unlisted' : 'unknown'
  }
  return new Map(
    [...new Set([...owners.keys(), ...deleted.keys()])].sort().map((name) => [name, verdict(name)]),
  )
}
