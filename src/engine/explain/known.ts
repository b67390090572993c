/** How a name is known in the release: as an allele, a group, or a short form of alleles. */
import { twoFields, withoutGroupLetter } from '../../nomenclature/allele.ts'
import { releaseTitle } from '../engine.ts'
import { isGroupName } from '../names.ts'
import { groupRow, publishedAs } from './groups.ts'
import { allelesBelow, cited, type Context, countedAlleles, formatCitation, type Step } from './step.ts'

export function knownStep(name: string, context: Context): Step {
  const { release } = context.engine
  if (release.is('who', name)) return alleleStep(name, context)
  if (/[GP]$/.test(name) && isGroupName(name, release)) return groupStep(name, context)
  if (release.is('allele', name)) return shortStep(name, name, context)
  const stem = twoFields(name)
  const bare = withoutGroupLetter(name)
  if (bare !== name && release.is('allele', bare)) return shortStep(name, bare, context)
  if (stem !== name && release.is('allele', stem)) return furtherFieldsStep(name, stem, context)
  return { title: 'known', text: `not in ${releaseTitle(context.engine)}; names are not checked` }
}

function alleleStep(name: string, context: Context): Step {
  const row = context.citations.allele(name)
  if (row !== undefined)
    return { title: 'known', text: `${row.file}:${row.line}, assigned ${row.assigned}`, citation: row }
  const listed = context.citations.inAlleleList(name)
  const text = formatCitation(listed, context) ?? 'in the allele list'
  return listed === undefined ? { title: 'known', text } : { title: 'known', text, citation: listed }
}

function groupStep(name: string, context: Context): Step {
  const members = context.engine.release.listOf('groupMembers', name) ?? []
  const row = groupRow(name, context)
  const text = `${name.slice(-1)} group of ${countedAlleles(members.length)}${publishedAs(row, [name])}`
  return cited('known', text, row, context)
}

function shortStep(name: string, known: string, context: Context): Step {
  const alleles = allelesBelow(known, context)
  const [first] = alleles
  if (first === undefined) return cited('known', 'a short name of the release', undefined, context)
  const dropped = known === name ? '' : `${known} is `
  const text = `${dropped}short for ${countedAlleles(alleles.length)}, the first ${first}`
  return cited('known', text, context.citations.allele(first), context)
}

/** B1 of docs/divergences.md: any third field is accepted once the first two exist. */
function furtherFieldsStep(name: string, stem: string, context: Context): Step {
  const [first = stem] = allelesBelow(stem, context)
  const text = `${name} is not listed; ${stem} is (${first}), and further fields are not checked`
  return cited('known', text, context.citations.allele(first), context)
}
