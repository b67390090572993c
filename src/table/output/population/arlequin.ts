/**
 * Arlequin 3.5, unphased genotypes: one sample per population, two lines per person, one per copy, `?` for missing
 * (Arlequin manual, "Data file": Profile and Samples). Sizes precede the persons: `arlequin-sink.ts` assembles the file
 * from these rows.
 */
import type { PopulationFormat } from './population-format.ts'

export const ARLEQUIN: PopulationFormat = {
  title: 'Arlequin',
  summary:
    'Arlequin: a project file, one sample per population, two lines per person, `?` for missing; written at the end',
  holds: { lists: false, alternatives: false, half: 'copy', anyLoci: false },
  roles: ['population'],
  forbidden: /[\t\r\n\v\f "#{}]/,
  head: () => '',
  row({ id, role, genotypes }) {
    const copies = [0, 1].map((at) =>
      genotypes.map(({ genotype }) => genotype?.alternatives[0]?.[at] ?? MISSING).join(' '),
    )
    return `${[role('population') || 'population', `${id}\t1\t${copies[0]}`, `\t\t${copies[1]}`].join(ARLEQUIN_PART)}\n`
  },
}

/** Separates the population from the lines of a person. */
export const ARLEQUIN_PART = '\u001f'

const MISSING = '?'
