/**
 * HML 1.0.2 or 1.0.1: a sample per person, and for each locus a typing with its allele assignment, a GL String
 * (schemas.nmdp.org/spec/hml). The schema requires a date of each typing, and a typing of each sample.
 */
import { date, oneOf } from '../../sources/exchange/rules/field-rules.ts'
import { documentSink } from './document-sink.ts'
import { type FieldValue, type LocusGenotype, type OutputFormat, prefixedGenotype, type WrittenPerson } from './output-format.ts' // prettier-ignore

const TITLE = 'HML'

/** Versions and their namespaces. */
const SPACES: Readonly<Record<string, string>> = {
  '1.0.2': 'http://schemas.nmdp.org/spec/hml/1.0',
  '1.0.1': 'http://schemas.nmdp.org/spec/hml/1.0.1',
}

const [NGS, SANGER] = ['sbt-ngs', 'sbt-sanger']

export const HML: OutputFormat = {
  title: TITLE,
  summary:
    'HML 1.0.2, or 1.0.1 by the field version: a sample per person, a typing per locus as a GL String; lists and possible genotypes unchanged',
  holds: { lists: true, alternatives: true, half: 'blank', anyLoci: true, antigens: false },
  fields: [
    { name: 'version', fallback: '1.0.2', form: '1.0.2|1.0.1', rule: oneOf(...Object.keys(SPACES)) },
    { name: 'project-name', need: 'expected' },
    { name: 'reporting-center', need: 'expected' },
    { name: 'reporting-center-context' },
    {
      name: 'date',
      columns: ['typing_date', 'typing-date', 'typing date'],
      need: 'required',
      form: 'YYYY-MM-DD',
      rule: date,
    },
    { name: 'center-code', columns: ['center_code', 'center-code', 'center code'] },
    { name: 'collection-method', columns: ['collection_method', 'collection-method', 'collection method'] },
    {
      name: 'typing-method',
      columns: ['typing_method', 'typing-method', 'typing method'],
      need: 'expected',
      form: `${NGS}|${SANGER}`,
      // SSO and SSP require the scores of their kit
      rule: oneOf(NGS, SANGER),
    },
    { name: 'test-id', columns: ['test_id', 'test-id', 'test id'], need: 'expected' },
    { name: 'test-id-source', columns: ['test_id_source', 'test-id-source', 'test id source'] },
  ],
  // XML has no others
  forbidden: /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
  head: (_, field) => header(field),
  row: sample,
  refusePerson(person) {
    const [method, test, source] = ['typing-method', 'test-id', 'test-id-source'].map(person.field)
    if (person.genotypes.every(({ genotype }) => genotype === undefined)) return 'a person without a typing'
    if (test !== '' && method === '') return 'a test-id without a typing-method'
    if ((test === '') !== (source === ''))
      return 'a test-id without its test-id-source, or one without a test-id'
    if (method === SANGER && person.field('version') === '1.0.1')
      return `${SANGER} without its amplification in version 1.0.1`
    return undefined
  },
  sink: (sink, ended) => documentSink(sink, { title: TITLE, separator: '', tail: ended('</hml>\n') }),
}

function header(field: FieldValue): string {
  const version = field('version')
  const all = { xmlns: SPACES[version] ?? '', version, 'project-name': field('project-name') }
  const center = {
    'reporting-center-id': field('reporting-center'),
    'reporting-center-context': field('reporting-center-context'),
  }
  const by = field('reporting-center') === '' ? '' : `  <reporting-center${attributes(center)}/>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<hml${attributes(all)}>\n${by}`
}

function sample(person: WrittenPerson): string {
  const { id, field, genotypes } = person
  const collected = field('collection-method')
  return [
    `  <sample${attributes({ id, 'center-code': field('center-code') })}>\n`,
    collected === '' ? '' : `    <collection-method>${escaped(collected)}</collection-method>\n`,
    ...genotypes.map((one) => typing(one, person)),
    '  </sample>\n',
  ].join('')
}

function typing({ locus, genotype }: LocusGenotype, { field, release }: WrittenPerson): string {
  if (genotype === undefined) return ''
  const text = prefixedGenotype(genotype)
  const method = field('typing-method')
  const [gene = ''] = text.split('*')
  const test = {
    locus: gene || locus,
    'test-id': field('test-id'),
    'test-id-source': field('test-id-source'),
  }
  const by = method === '' ? '' : `<${method}${attributes(test)}/>`
  const assigned = { date: field('date'), 'allele-db': 'IMGT/HLA', 'allele-version': release }
  return `    <typing${attributes({ 'gene-family': 'HLA', date: field('date') })}>
      <allele-assignment${attributes(assigned)}>
        <glstring>${escaped(text)}</glstring>
      </allele-assignment>
      ${by === '' ? '<typing-method/>' : `<typing-method>${by}</typing-method>`}
    </typing>
`
}

/** Attributes that have a value. */
function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A parser would read white space in an attribute as blanks. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign] ?? `&#${sign.charCodeAt(0)};`)
}
