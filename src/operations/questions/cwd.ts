/** cwd: keep the common and well-documented alleles of a list, or say how common each name is. */
import { command } from '../../advice.ts'
import { CATEGORY_WORDS, type CategorizedName, mostCommon } from '../../engine/categories.ts'
import { categorize, keepCommon } from '../../engine/cwd.ts'
import { HlaError } from '../../errors.ts'
import {
  type Catalogue,
  CATALOGUE_IDS,
  cwd2Catalogue,
  DEFAULT_FILTER,
  FILE_CATALOGUES,
  fileCatalogue,
  fileCatalogueIds,
} from '../../reference/catalogues.ts'
import {
  CIWD_POPULATIONS,
  type CiwdPopulation,
  FREQUENCY_CATEGORIES,
} from '../../reference/sources/catalogue-files.ts'
import { withAdvice } from '../answers/advice.ts'
import { DATASET_SCHEMA, defineOperation, describeDataset, NOTES_SCHEMA, withNotes } from '../operation.ts'
import type { Knowledge } from '../knowledge.ts'
import { answerWithOptions, type Reading, READING_PROPERTIES } from '../answers/lifting.ts'
import { PROBLEM_SCHEMA } from '../answers/problem.ts'
import { object, type Property, type ValueOf } from '../schema.ts'

const INPUT = object(['gl_string'], {
  gl_string: { type: 'string', description: 'an allele list or a MAC; with category any GL String' },
  category: {
    type: 'boolean',
    description:
      'say how common each name is, in total and by population; in a table, add a column with the category',
  },
  catalogue: {
    type: 'string',
    enum: CATALOGUE_IDS,
    description: 'CWD 2.0.0 (default), CIWD 3.0.0 or EURCWD',
  },
  categories: {
    type: 'array',
    items: { type: 'string', enum: FREQUENCY_CATEGORIES },
    description: 'categories to keep (default C, I, WD); EURCWD has C and WD',
  },
  populations: {
    type: 'array',
    items: { type: 'string', enum: CIWD_POPULATIONS },
    description: 'populations of CIWD 3.0.0 to look in (default TOTAL); with category, a column each',
  },
  no_mac: { type: 'boolean', description: 'do not look up the MAC of the result' },
  ...READING_PROPERTIES,
})

const CATEGORY_SCHEMA = { type: 'string', enum: CATEGORY_WORDS } as const satisfies Property

const NAME_SCHEMA = object(['name', 'position', 'category'], {
  name: { type: 'string' },
  position: PROBLEM_SCHEMA.properties.position,
  category: {
    ...CATEGORY_SCHEMA,
    description:
      'in total: C common, I intermediate, WD well-documented, R rare; CWD: in CWD 2.0.0; none: not listed',
  },
  listed: { type: 'string', description: 'the name in the catalogue, if it differs' },
  populations: {
    type: 'object',
    additionalProperties: CATEGORY_SCHEMA,
    description: 'categories of CIWD 3.0.0, by population',
  },
})

type NameRecord = ValueOf<typeof NAME_SCHEMA>

export const cwdOperation = defineOperation({
  name: 'cwd',
  group: 'reduce',
  summary:
    'Keep only common and well-documented alleles, with the MAC of the result, or say how common each is',
  http: {
    method: 'POST',
    path: '/cwd-redux',
    summary: 'Keeps the common and well-documented alleles of a typing, and returns the MAC of those',
    failure: 'not-in-catalogue',
    empty: {
      codes: ['not-in-catalogue'],
      output: (input, knowledge) => ({
        gl_string: input.gl_string,
        cwd: '',
        cwd_mac: '',
        catalogue: chosenCatalogue(input, knowledge).title,
        ...describeDataset(knowledge),
      }),
    },
  },
  subject: 'gl_string',
  answer: 'cwd',
  input: INPUT,
  output: object(['gl_string', 'cwd', 'cwd_mac', 'catalogue'], {
    gl_string: { type: 'string' },
    cwd: {
      type: 'string',
      description:
        'the members, separated by "/"; with category the GL String of them, empty where a typing has none',
    },
    cwd_mac: { type: 'string', description: 'the MAC of the members, or empty if no MAC stands for them' },
    catalogue: { type: 'string' },
    dropped: {
      type: 'array',
      items: { type: 'string' },
      description: 'names that the catalogue leaves out',
    },
    names: { type: 'array', items: NAME_SCHEMA, description: 'with category, in the order of the text' },
    dataset: DATASET_SCHEMA,
    notes: NOTES_SCHEMA,
  }),
  examples: [
    {
      command: "hla cwd 'B*15:01:01/B*15:01:03/B*15:04/B*15:07/B*15:26N/B*15:27'",
      output: 'B*15:01/B*15:04/B*15:07/B*15:27\t',
    },
    { command: "hla cwd 'A*01:AB'", output: 'A*01:01/A*01:02\tA*01:AB' },
    { command: "hla cwd 'HLA-A*01:01:01:01'", output: 'HLA-A*01:01\t' },
    { command: "hla cwd --category 'A*01:01+A*01:104'", output: 'A*01:01\tCWD\nA*01:104\tnone' },
    {
      command: "printf 'id,A_1\\n1,01:01/01:04N/01:06\\n' | hla cwd -d , --no-mac",
      output: 'id,A_1,A_1_cwd\n1,01:01/01:04N/01:06,A*01:01/A*01:04N/A*01:06',
    },
  ],
  run: (input, knowledge) =>
    withAdvice(input.gl_string, knowledge, () => {
      const { gl_string, no_mac } = input
      const catalogue = chosenCatalogue(input, knowledge)
      // the catalogues contain two-field names
      return answerWithOptions(gl_string, { ...input, keepsFields: true }, knowledge, (read) => {
        if (input.category === true) return answerCategories(read, input, knowledge)
        const { names, mac, dropped, notes } = keepCommon(
          knowledge.engine(undefined, read.membersOf),
          read.text,
          catalogue,
        )
        const cwd_mac = no_mac === true ? '' : mac
        return {
          gl_string,
          cwd: names.join('/'),
          cwd_mac,
          catalogue: catalogue.title,
          ...(dropped.length === 0 ? {} : { dropped }),
          ...describeDataset(knowledge),
          ...withNotes([...read.notes, ...read.placed(notes)]),
        }
      })
    }),
  toText: ({ cwd, cwd_mac, names }) =>
    names === undefined ? `${cwd}\t${cwd_mac}` : names.map(categoryLine).join('\n'),
  table: {
    columns: ({ category, populations = DEFAULT_FILTER.populations }) =>
      category === true
        ? [
            'input',
            ...populations.map(categoryColumn),
            'categories',
            'catalogue',
            'status',
            'code',
            'message',
          ]
        : undefined,
    row: ({ gl_string, names, catalogue }, { populations }) =>
      names && [gl_string, ...categoryCells(names, populations), catalogue, 'ok', '', ''],
  },
  cells: {
    columns: ({ category, populations = DEFAULT_FILTER.populations, no_mac }) => {
      if (category === true) return populations.map(categoryColumn)
      return no_mac === true ? ['cwd'] : ['cwd', 'cwd_mac']
    },
    detailColumns: ({ category }) =>
      category === true ? ['categories', 'catalogue'] : ['dropped', 'catalogue'],
    outcome({ cwd, cwd_mac, names, dropped = [], catalogue }, { populations, no_mac }) {
      if (names === undefined)
        return { results: [cwd, ...(no_mac === true ? [] : [cwd_mac]), dropped.join('/'), catalogue] }
      return { results: [...categoryCells(names, populations), catalogue] }
    },
    areTypings: true,
    isAboutTypings: ({ category }) => category === true,
  },
})

function answerCategories(read: Reading, input: ValueOf<typeof INPUT>, knowledge: Knowledge) {
  const catalogue = chosenCatalogue(input, knowledge)
  const { names, kept, dropped, notes } = categorize(
    knowledge.engine(undefined, read.membersOf),
    read.text,
    catalogue,
  )
  return {
    gl_string: input.gl_string,
    cwd: kept,
    cwd_mac: '',
    catalogue: catalogue.title,
    ...(dropped.length === 0 ? {} : { dropped }),
    names: names.map((entry) => nameRecord(entry, catalogue)),
    ...describeDataset(knowledge),
    ...withNotes([...read.notes, ...read.placed(notes)]),
  }
}

/** Categories of one name in the catalogues that are installed: `CWD 2.0.0: CWD as A*01:02; CIWD 3.0.0: C (AFA C, API I)`. */
export function categoriesText(name: string, knowledge: Knowledge): string {
  const catalogues = [
    knowledge.release.derive(cwd2Catalogue),
    ...fileCatalogueIds().flatMap((id) => {
      const table = knowledge.catalogue(id)
      return table === undefined ? [] : [fileCatalogue(id, table)]
    }),
  ]
  const texts = catalogues.flatMap((catalogue) =>
    categorize(knowledge.engine(), name, catalogue).names.map((entry) => {
      const { category, listed, populations } = nameRecord(entry, catalogue)
      const as = listed === undefined ? '' : ` as ${listed}`
      return `${catalogue.name}: ${category}${as}${populations === undefined ? '' : ` (${populationsText(populations)})`}`
    }),
  )
  return texts.join('; ')
}

function nameRecord(
  { name, position, listed, categories }: CategorizedName,
  catalogue: Catalogue,
): NameRecord {
  const [category = 'none'] = categories
  const [, ...populations] = catalogue.populations.map((population, at) => [population, categories[at]])
  return {
    name,
    position: [...position],
    category,
    ...(listed === undefined || listed === name ? {} : { listed }),
    ...(categories.length < 2 ? {} : { populations: Object.fromEntries(populations) }),
  }
}

/** `A*01:02`, `WD`, `AFA R, API R, EURO I, …` */
function categoryLine({ name, category, populations = {} }: NameRecord): string {
  return [name, category, populationsText(populations)].join('\t').trimEnd()
}

function populationsText(populations: NonNullable<NameRecord['populations']>): string {
  return Object.entries(populations)
    .map(([population, of]) => `${population} ${of}`)
    .join(', ')
}

function categoryIn({ category, populations }: NameRecord, population: CiwdPopulation) {
  return population === 'TOTAL' ? category : (populations?.[population] ?? 'none')
}

/** The most common category in each population, and the category of each name in total. */
function categoryCells(
  names: readonly NameRecord[],
  populations: readonly CiwdPopulation[] = DEFAULT_FILTER.populations,
): string[] {
  const best = populations.map((population) => mostCommon(names.map((name) => categoryIn(name, population))))
  return [...best, names.map(({ name, category }) => `${name}=${category}`).join(' ')]
}

/** `category`, `category_EURO` */
function categoryColumn(population: CiwdPopulation): string {
  return population === 'TOTAL' ? 'category' : `category_${population}`
}

function chosenCatalogue(
  { catalogue = 'cwd2', categories, populations }: ValueOf<typeof INPUT>,
  knowledge: Knowledge,
): Catalogue {
  if (catalogue === 'cwd2') {
    if (categories === undefined && populations === undefined) return knowledge.release.derive(cwd2Catalogue)
    throw new HlaError('bad-request', 'CWD 2.0.0 has no categories or populations; those are of ciwd3')
  }
  const { name, categories: known, populations: published } = FILE_CATALOGUES[catalogue]
  if (populations?.some((population) => !published.includes(population)) === true)
    throw new HlaError('bad-request', `${name} has no populations; those are of ciwd3`)
  if (categories?.every((category) => known.includes(category)) === false)
    throw new HlaError('bad-request', `${name} has the categories ${known.join(' and ')} only`)
  const table = knowledge.catalogue(catalogue)
  if (table === undefined) {
    const hint = command('data catalogue', { args: [catalogue] })
    throw new HlaError('no-catalogue', `the ${name} catalogue is not installed`, { hint })
  }
  return fileCatalogue(catalogue, table, {
    categories: categories ?? DEFAULT_FILTER.categories,
    populations: populations ?? DEFAULT_FILTER.populations,
  })
}
