/** The styles of a workbook, as far as they say how numbers are shown. */
import { builtInFormat, type NumberFormat, parseFormat } from './number-format.ts'
import { readWholeXml } from './read-xml.ts'
import { MOST_OF_SMALL_PART } from './sheet-list.ts'
import type { ZipParts } from './zip-parts.ts'

/** The format of each style, by its number; `path`: of the part, when there is one. @throws {HlaError} io */
export async function readFormats(
  parts: ZipParts,
  path: string | undefined,
  name: string,
): Promise<readonly NumberFormat[]> {
  if (path === undefined) return []
  const own = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isInCells = false
  await readWholeXml(parts.read(path, MOST_OF_SMALL_PART), name, {
    open(element, attributes) {
      if (element === 'numFmt')
        own.set(Number(attributes.get('numFmtId')), parseFormat(attributes.get('formatCode') ?? ''))
      if (element === 'cellXfs') isInCells = true
      if (element !== 'xf' || !isInCells) return
      const id = Number(attributes.get('numFmtId') ?? 0)
      formats.push(own.get(id) ?? builtInFormat(id))
    },
    close(element) {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats
}
