/** What to say about a name that a release does not know: what became of it, or what may have been meant. */
import { PREFIX, hasPrefix, withoutPrefix } from '../../nomenclature/allele.ts'
import type { History } from '../../reference/history/history.ts'
import { SUFFIXES, splitSuffix } from '../lift/relation.ts'
import { MOST_SUGGESTIONS } from './advice.ts'
import type { Advice, NameSource } from './advice.ts'
import { findNeighbours } from './neighbours.ts'
import { adviseFromPast } from './past.ts'
import { knownStem } from './stem.ts'
import { isBrokenOldName, tidyName } from './tidy.ts'

export type { Advice, NameSource } from './advice.ts'

/**
 * The first that applies: an answer of lg; renamed or deleted, by the history; another expression letter; a slip in writing; the known
 * part of the name with names one edit away. Suggestions carry `HLA-` when `name` does; none is ever applied.
 */
export function adviseOnUnknown(name: string, names: NameSource, history: History | undefined): Advice {
  const bare = withoutPrefix(name)
  const advice =
    adviseOnLg(bare, names) ??
    adviseOnSpelling(bare, names, history) ??
    adviseOnBroken(bare) ??
    adviseOnSlip(bare, names, history) ??
    adviseOnStem(bare, names)
  const prefix = hasPrefix(name) ? PREFIX : ''
  const distinct = [...new Set(advice.suggestions)].slice(0, MOST_SUGGESTIONS)
  return { ...advice, suggestions: distinct.map((suggestion) => prefix + suggestion) }
}

/** `A*01:01g`, `A*01:01ARS`: our own answers, which are no names of a release. */
function adviseOnLg(name: string, names: NameSource): Advice | undefined {
  const [, stem, suffix] = /^(.*\d)(g|ARS)$/.exec(name) ?? []
  if (stem === undefined || !names.isKnown(stem)) return undefined
  const hint = `an answer of method lg; the same without ${suffix} is a name`
  const detail = `use ${stem}${suffix === 'g' ? ', or --accept g' : ''}`
  return { code: 'unknown-allele', hint, detail, suggestions: [stem] }
}

/** What the history knows goes first: it says which expression letter the name got, and when. */
function adviseOnSpelling(name: string, names: NameSource, history: History | undefined): Advice | undefined {
  const past = history === undefined ? undefined : adviseFromPast(name, names.release, history)
  return past ?? adviseOnSuffix(name, names)
}

function adviseOnSuffix(name: string, names: NameSource): Advice | undefined {
  const { stem, letter } = splitSuffix(name)
  const forms =
    letter === ''
      ? SUFFIXES.map((suffix) => stem + suffix)
      : [stem, ...SUFFIXES.map((suffix) => stem + suffix)]
  const suggestions = /\d$/.test(stem) ? forms.filter((form) => form !== name && names.isKnown(form)) : []
  const [best] = suggestions
  if (best === undefined) return undefined
  if (letter !== '')
    return { code: 'unknown-allele', hint: `known as ${suggestions.join(', ')}`, suggestions }
  const hint = `the expression letter is part of the name: ${best}`
  return { code: 'missing-suffix', hint, detail: `use ${best}, or --accept suffix`, suggestions }
}

/** Any name near it would be a guess. */
function adviseOnBroken(name: string): Advice | undefined {
  if (!isBrokenOldName(name)) return undefined
  const hint = 'no field of three digits begins with 0: it may be an old name with a colon at the wrong place'
  return { code: 'unknown-allele', hint, suggestions: [] }
}

function adviseOnSlip(name: string, names: NameSource, history: History | undefined): Advice | undefined {
  const readings = tidyName(name)
  const known = readings.filter((reading) => names.isKnown(reading.name))
  const [best] = known
  if (best !== undefined) {
    const accept = best.leniencies.length === 0 ? '' : `, or --accept ${best.leniencies.join(',')}`
    const detail = `use ${best.name}${accept}`
    return { code: 'unknown-allele', detail, suggestions: known.map((reading) => reading.name) }
  }
  for (const reading of readings) {
    const advice = adviseOnSpelling(reading.name, names, history)
    if (advice !== undefined) return advice
  }
  return undefined
}

function adviseOnStem(name: string, names: NameSource): Advice {
  const stem = knownStem(name, names)
  const suggestions = [...(stem?.suggestions ?? []), ...findNeighbours(name, names)]
  return { code: 'unknown-allele', ...(stem === undefined ? {} : { hint: stem.hint }), suggestions }
}
