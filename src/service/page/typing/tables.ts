/** Tables of further facts about a typing: codes, antigens, common alleles, DRBX. */
import { type Blended, type Codes, type Common, isFailed, type PageOutcome, type Splits } from '../answers.ts'
import { element, table } from '../../../web/page/elements.ts'
import { sentence } from '../service.ts'
import { fold } from './fold.ts'
import { typingText } from './typing-text.ts'

export interface NamedOutcome<T> {
  readonly name: string
  readonly outcome: PageOutcome<T>
}

/** Table of codes with their alleles, and of lists with their codes. */
export function codesTables(all: readonly NamedOutcome<Codes>[]): HTMLElement[] {
  const isList = ({ name }: NamedOutcome<Codes>) => name.includes('/')
  const [lists, codes] = [all.filter(isList), all.filter((one) => !isList(one))]
  const rows = (some: readonly NamedOutcome<Codes>[]) =>
    some.map(({ name, outcome }) => [
      typingText(name),
      isFailed(outcome)
        ? element('span', { class: 'hint' }, sentence(outcome.error.message))
        : outcome.direction === 'lookup'
          ? outcome.mac
          : typingText(outcome.alleles.join(' ')),
    ])
  const columns = (one: string, other: string) => [
    { title: one, style: 'name' },
    { title: other, style: 'name' },
  ]
  const title = lists.length === 1 ? 'The code of the list' : 'The codes of the lists'
  const tables = [
    ...(codes.length === 0
      ? []
      : [table('What the codes stand for', columns('Code', 'Alleles'), rows(codes))]),
    ...(lists.length === 0 ? [] : [table(title, columns('List', 'Code'), rows(lists))]),
  ]
  return tables.length === 0 ? [] : [fold('codes', 'Codes', ...tables)]
}

export function antigensTable(splits: readonly PageOutcome<Splits>[]): HTMLElement[] {
  // an antigen may have neither a broad antigen nor splits
  const rows = splits.flatMap((outcome) =>
    isFailed(outcome) ? [] : [[outcome.allele, outcome.broad, outcome.splits.join(' ')]],
  )
  if (rows.length === 0) return []
  const columns = [
    { title: 'Antigen' },
    { title: 'Broad', style: 'name' },
    { title: 'Splits', style: 'name' },
  ]
  return [table('Broad and split antigens', columns, rows)]
}

export function commonTable(all: readonly NamedOutcome<Common>[]): HTMLElement[] {
  if (all.length === 0) return []
  const rows = all.map(({ name, outcome }) => [
    typingText(name),
    isFailed(outcome)
      ? element('span', { class: 'hint' }, sentence(outcome.error.message))
      : typingText(outcome.cwd),
    isFailed(outcome) ? '' : outcome.cwd_mac,
  ])
  const catalogue = all.map(({ outcome }) => (isFailed(outcome) ? '' : outcome.catalogue)).find(Boolean)
  const columns = [
    { title: 'Typing', style: 'name' },
    { title: 'Common and well-documented', style: 'name' },
    { title: 'Code', style: 'name' },
  ]
  const title = catalogue === undefined ? 'By typing' : `By ${catalogue}`
  return [fold('common', 'Common alleles', table(title, columns, rows))]
}

export function blendTable(outcome: PageOutcome<Blended> | undefined): HTMLElement[] {
  if (outcome === undefined) return []
  const said = isFailed(outcome)
    ? element('span', { class: 'hint' }, sentence(outcome.error.message))
    : outcome.DRBX_blend === ''
      ? element('span', { class: 'hint' }, 'DRB1 implies none of them, or none is typed.')
      : typingText(outcome.DRBX_blend)
  const columns = [{ title: 'Gene' }, { title: 'Typing', style: 'name' }]
  return [table('DRB3, DRB4 and DRB5 as DRB1 implies them', columns, [['DRBX', said]])]
}
