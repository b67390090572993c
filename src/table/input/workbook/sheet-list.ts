/** Which sheets a workbook has, and in which parts they and what they share stand. */
import { HlaError } from '../../../errors.ts'
import { readWholeXml } from './read-xml.ts'
import { damaged, type ZipParts } from './zip-parts.ts'

export interface SheetPlace {
  readonly name: string
  readonly path: string
  readonly isHidden: boolean
}

export interface SheetList {
  /** Sheets of cells, in the order of the workbook. */
  readonly sheets: readonly SheetPlace[]
  readonly sharedStrings: string | undefined
  readonly styles: string | undefined
  /** Days are counted from 1904, as early Macintosh programs did. */
  readonly isFrom1904: boolean
}

/** Bytes of a part that only says what there is. */
export const MOST_OF_SMALL_PART = 16 * 1024 ** 2

/** @throws {HlaError} io — it is none that can be read */
export async function listSheets(parts: ZipParts, name: string): Promise<SheetList> {
  const [main] = (await readRelations(parts, '', name)).filter(({ type }) => type === 'officeDocument')
  if (main === undefined) throw await refusal(parts, name)
  const related = await readRelations(parts, main.path, name)
  const found: { name: string; id: string; isHidden: boolean }[] = []
  let isFrom1904 = false
  await readWholeXml(parts.read(main.path, MOST_OF_SMALL_PART), name, {
    open(element, attributes) {
      if (element === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes.get('date1904') ?? '')
      if (element !== 'sheet') return
      found.push({
        name: attributes.get('name') ?? '',
        id: attributes.get('id') ?? '',
        isHidden: /hidden/i.test(attributes.get('state') ?? ''),
      })
    },
  })
  const sheets = found.flatMap(({ name: title, id, isHidden }) => {
    const place = related.find((one) => one.id === id && one.type === 'worksheet')
    return place === undefined ? [] : [{ name: title, path: place.path, isHidden }]
  })
  if (sheets.length === 0) throw damaged(name, 'it has no sheet of cells')
  const pathFor = (kind: string) => related.find(({ type }) => type === kind)?.path
  return { sheets, sharedStrings: pathFor('sharedStrings'), styles: pathFor('styles'), isFrom1904 }
}

/** Zip files that are something else. */
async function refusal(parts: ZipParts, name: string): Promise<HlaError> {
  const isOpenDocument = parts.has('mimetype') && parts.has('content.xml')
  const what = isOpenDocument ? 'an OpenDocument file' : 'a zip file, and no workbook of cells (.xlsx)'
  return new HlaError('io', `${name} is ${what}`, {
    offending: name,
    hint: isOpenDocument
      ? 'save the sheet as .xlsx or CSV, with the typing columns formatted as text'
      : 'unpack it; a table is text, such as CSV, or a sheet of an .xlsx workbook',
  })
}

interface Relation {
  readonly id: string
  /** `worksheet`: the last part of the address that names the kind. */
  readonly type: string
  readonly path: string
}

/** What the part at `path` refers to; of the whole document, when it is empty. */
async function readRelations(parts: ZipParts, path: string, name: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  const place = `${folder}_rels/${path.slice(folder.length)}.rels`
  await readWholeXml(parts.read(place, MOST_OF_SMALL_PART), name, {
    open(element, attributes) {
      if (element !== 'Relationship' || attributes.get('TargetMode') === 'External') return
      const target = resolvePath(folder, attributes.get('Target') ?? '')
      const type = (attributes.get('Type') ?? '').replace(/^.*\//, '')
      relations.push({ id: attributes.get('Id') ?? '', type, path: target })
    },
  })
  return relations
}

function resolvePath(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const steps: string[] = []
  for (const step of `${folder}${target}`.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
