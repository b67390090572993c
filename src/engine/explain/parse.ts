/** What the text of a leaf is by its form, before any look at the release. */
import { readExpression, hasPrefix, readLocus, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import { parseAntigen } from '../../nomenclature/antigen.ts'
import { parseMac } from '../expand/mac.ts'
import type { Step } from './step.ts'

export function parseStep(leaf: string): Step {
  const prefix = hasPrefix(leaf) ? `; ${PREFIX} is put back on the answer` : ''
  return { title: 'parse', text: describeForm(withoutPrefix(leaf)) + prefix }
}

function describeForm(name: string): string {
  const antigen = parseAntigen(name)
  if (antigen !== undefined) return `antigen: ${antigen.letters}, number ${antigen.number}`
  const locus = readLocus(name)
  const right = name.slice(locus.length + 1)
  const fields = right.split(':')
  if (fields.length === 1) return `name without colons: locus ${locus}, ${right}`
  const [first = '', last = ''] = fields
  if (fields.length === 2 && last === 'XX') return `XX code: locus ${locus}, first field ${first}`
  if (parseMac(name) !== undefined) return `code: locus ${locus}, first field ${first}, letters ${last}`
  const letter = /[GPg]$/.exec(name)?.[0] ?? readExpression(name)
  const numbers = letter === '' ? right : right.slice(0, -1)
  return `${describeKind(letter)}: locus ${locus}, fields ${numbers.replaceAll(':', ' ')}${tail(letter)}`
}

function describeKind(letter: string): string {
  return /[GP]/.test(letter) ? `${letter} group` : letter === 'g' ? 'name with g' : 'allele'
}

function tail(letter: string): string {
  return letter === '' || /[GPg]/.test(letter) ? '' : `, expression letter ${letter}`
}
