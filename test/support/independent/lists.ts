/** Codes and lists: expansion, lookup, common alleles (specification 9.1 to 9.4, docs/divergences.md). */
import { readFileSync } from 'node:fs'
import { sharedPath } from '../shared.ts'
import { bare, fields, locus, short } from './names.ts'
import { sorted } from './order.ts'
import { sortAsPeer } from './peer-order.ts'
import { answer } from './reduce.ts'
import { checkLeaf, codeNames, mainField, malformed, xxFamily } from './validity.ts'
import { NoAnswer, once, type World } from './world.ts'

export function expandCode(text: string, world: World): string {
  const { tables, habits } = world
  const name = bare(text)
  if (!habits.has('codes-need-a-locus')) checkCode(text, world)
  const found = codeNames(name, world)
  if (found === undefined) throw new NoAnswer(codeError(name, world))
  const names = found.names.filter((one) => tables.alleles.has(one))
  if (names.length === 0 && !habits.has('mac-empty')) throw new NoAnswer('mac-empty-expansion')
  return prefixed(names, text)
}

function checkCode(text: string, { tables }: World): void {
  const name = bare(text)
  const wrong = malformed(text)
  if (/[\^|+~?/]/.test(text)) throw new NoAnswer('not-a-single-allele')
  if (wrong !== undefined) throw new NoAnswer(wrong)
  if (/^[^:]*:XX$/.test(name)) throw new NoAnswer('xx-not-mac')
  if (!/^[^:]*\*[^:]*:[A-Za-z]+$/.test(name)) throw new NoAnswer('unknown-mac')
  if (!tables.loci.has(locus(name))) throw new NoAnswer('unknown-locus')
}

function codeError(name: string, { codes }: World): string {
  return codes.has(name.slice(name.indexOf(':') + 1)) ? 'mac-invalid-group' : 'unknown-mac'
}

export function expandXx(text: string, world: World): string {
  const family = xxFamily(bare(text), world)
  const isOurs = !world.habits.has('no-silence') && /^[^:]*:XX$/.test(bare(text))
  if (isOurs && family === undefined) checkLeaf(text, world)
  return family === undefined ? '' : prefixed(world.tables.xx.get(family) ?? [], text)
}

function prefixed(names: readonly string[], text: string): string {
  return names.map((name) => (text.startsWith('HLA-') ? `HLA-${name}` : name)).join('/')
}

/** The shortest code of the list; among equally short ones the first in alphabetical order. */
export function findCode(text: string, world: World): string {
  if (world.habits.has('mac-sets')) return findCodeAsPeer(text, world)
  const leaves = checkedList(text)
  const members = leaves.map((leaf) => /\*(\d+:\d+[NQLSCA]?)$/.exec(bare(leaf))?.[1] ?? '')
  if (members.includes('')) throw new NoAnswer('no-mac')
  const at = locus(bare(leaves[0] ?? ''))
  if (!world.tables.loci.has(at)) throw new NoAnswer('unknown-locus')
  const families = new Set(members.map((member) => short(member, 1)))
  const seconds = members.map((member) => member.split(':')[1] ?? '')
  const generic = families.size === 1 ? codeOfSet(seconds, world) : undefined
  const code = generic ?? codeOfSet(members, world)
  if (code === undefined) throw new NoAnswer('no-mac')
  const family = generic === undefined ? mainField(world.codes.get(code) ?? []) : [...families][0]
  return prefixed([`${at}*${family}:${code}`], text)
}

function codeOfSet(members: readonly string[], world: World): string | undefined {
  const sets = once({ memo: world.shared }, 'codes by set', () => {
    const bySet = new Map<string, string>()
    const isBetter = (code: string, than: string | undefined) =>
      than === undefined || code.length < than.length || (code.length === than.length && code < than)
    for (const [code, list] of world.codes)
      if (isBetter(code, bySet.get(setText(list)))) bySet.set(setText(list), code)
    return bySet
  })
  return sets.get(setText(members))
}

/** The list as a set: order, repetition and leading zeros are ignored. */
function setText(members: readonly string[]): string {
  const plain = members.map((member) => member.replaceAll(/(^|:)0+(?=\d)/g, '$1'))
  return [...new Set(plain)].sort().join('/')
}

function findCodeAsPeer(text: string, world: World): string {
  const leaves = text.split('/')
  const parts = leaves.map((leaf) => leaf.split('*')[1])
  if (parts.some((part) => part === undefined)) throw new NoAnswer('peer')
  const members = parts.map((part) => part ?? '')
  const families = [...new Set(members.map((member) => short(member, 1)))].sort()
  const byText = once({ memo: world.shared }, 'codes by text', () => {
    const first = new Map<string, string>()
    for (const [code, list] of world.codes) if (!first.has(list.join('/'))) first.set(list.join('/'), code)
    return first
  })
  const seconds = members.map((member) => member.split(':')[1])
  if (seconds.includes(undefined)) throw new NoAnswer('peer')
  const inOrder = (names: readonly string[]) => sortAsPeer(names, []) ?? []
  const found =
    (families.length === 1
      ? byText.get(textOrder(new Set(members.map((member) => member.split(':')[1] ?? ''))).join('/'))
      : undefined) ??
    byText.get(members.join('/')) ??
    byText.get(inOrder(members).join('/'))
  if (found === undefined) throw new NoAnswer('no-mac')
  return `${leaves[0]?.split('*')[0]}*${families[0]}:${found}`
}

/** Checks that the text is one list of one locus. */
function checkedList(text: string): string[] {
  if (/[\^|+~?]/.test(text)) throw new NoAnswer('not-a-single-allele')
  const leaves = text.split('/')
  const wrong = leaves.map(malformed).find((one) => one !== undefined)
  if (wrong !== undefined) throw new NoAnswer(wrong)
  if (new Set(leaves.map((leaf) => locusOfAny(bare(leaf)))).size > 1) throw new NoAnswer('mixed-loci')
  return leaves
}

const LOCI: Readonly<Record<string, string>> = {
  Bw: 'B', Cw: 'C', Dw: 'D', DR: 'DRB1', DQ: 'DQB1', DPw: 'DPB1',
} // prettier-ignore

/** Locus of an allele or antigen. */
export function locusOfAny(name: string): string {
  const letters = /^([A-Z]+w?)\d+$/.exec(name)?.[1]
  if (letters === undefined) return locus(name)
  return { DR51: 'DRB5', DR52: 'DRB3', DR53: 'DRB4' }[name] ?? LOCI[letters] ?? letters
}

export function commonOf(text: string, world: World): string {
  return world.habits.has('cwd-one-list') ? commonAsPeer(text, world) : commonOfList(text, world)
}

function commonOfList(text: string, world: World): string {
  const found = checkedList(text).flatMap((leaf) => commonNames(bare(leaf), world))
  const common = [...new Set(found)].filter((name) => catalogue().has(name)).sort()
  if (common.length === 0) throw new NoAnswer('not-in-catalogue')
  return prefixed(common, text)
}

function commonNames(name: string, world: World): readonly string[] {
  const isCode = /^[^:]*\*[^:]*:[A-Za-z]+$/.test(name) && !name.endsWith(':XX')
  if (isCode || /\*\d{2,}:\d{2,}[NQLS]?$/.test(name)) {
    if (!isCode) return [name]
    const { tables } = world
    if (!tables.loci.has(locus(name))) throw new NoAnswer('unknown-locus')
    const found = codeNames(name, world)
    if (found === undefined) throw new NoAnswer(codeError(name, world))
    if (found.isGeneric && !tables.firstFields.has(short(name, 1))) throw new NoAnswer('unknown-allele')
    return found.names.filter((one) => tables.alleles.has(one))
  }
  const reduced = answer(name, 'lgx', world)
  if ('text' in reduced) return fields(name) === 2 && !name.endsWith(':XX') ? [name] : reduced.text.split('/')
  if (reduced.error === 'no-alleles') return []
  throw new NoAnswer(reduced.error)
}

function commonAsPeer(text: string, world: World): string {
  // the peer builds a query from the locus
  if (locus(bare(text)).includes("'")) throw new NoAnswer('peer')
  const found = text.split('/').flatMap((leaf) => {
    if (codeNames(bare(leaf), world) !== undefined) return expandCode(leaf, world).split('/')
    if (fields(leaf) === 2 && xxFamily(bare(leaf), world) === undefined) return [leaf]
    const reduced = answer(leaf, 'lgx', world)
    if ('error' in reduced) throw new NoAnswer(reduced.error)
    return reduced.text.split('/')
  })
  // an antigen has another locus here, so none of its alleles stays
  const at = locus(bare(text))
  return [...new Set(found)].filter((name) => locus(name) === at && catalogue().has(name)).sort().join('/') // prettier-ignore
}

let common: ReadonlySet<string> | undefined

/** CWD 2.0.0 alleles. */
function catalogue(): ReadonlySet<string> {
  const rows = () => readFileSync(sharedPath('upstream/cwd/CWD2.csv'), 'utf8').trim().split(/\r?\n/).slice(1)
  return (common ??= new Set(rows().map((row) => row.split(',')[1] ?? '')))
}

/** Names that begin with the prefix. */
export function similarTo(prefix: string, world: World): string {
  const { habits } = world
  return habits.has('similar-literal') ? similarAsPeer(prefix, world) : similarNames(prefix, world)
}

function similarNames(given: string, world: World): string {
  const text = given.toUpperCase()
  if (!/^[^*]+\*[^*]/.test(bare(text))) throw new NoAnswer('bad-syntax')
  const letters = /^[^:]*:([A-Z]+)$/.exec(bare(text))?.[1]
  const codes =
    letters === undefined ? [] : [...world.codes.keys()].filter((code) => code.startsWith(letters))
  const family = bare(text).split(':')[0] ?? ''
  if (codes.length === 0)
    return prefixed(sorted([...world.tables.alleles].filter((name) => name.startsWith(bare(text)))), text)
  const here = world.tables.loci.has(locus(family)) ? codes : []
  const names = here.sort().map((code) => `${family}:${code}`)
  return prefixed(
    names.filter((name) => codeNames(name, world) !== undefined),
    text,
  )
}

function similarAsPeer(text: string, world: World): string {
  const stars = text.split('*').length - 1
  if (stars > 1) throw new NoAnswer('peer')
  const after = text.split('*')[1] ?? ''
  if (after === '') return ''
  const [family = '', letters, ...more] = text.split(':')
  if (letters !== undefined && more.length === 0 && /^\p{L}+$/u.test(letters)) {
    const codes = [...world.codes.keys()].filter((code) => code.startsWith(letters.toUpperCase()))
    const names = codes.map((code) => `${family}:${code}`)
    const here = names.filter((name) => codeNames(bare(name), world) !== undefined)
    if (codes.length > 0) return here.sort().join('/')
  }
  const pattern = text
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('%', '.*')
    .replaceAll('_', '.')
  const like = new RegExp(`^${pattern}`, 'iu')
  const names = [...world.tables.alleles].filter((name) => like.test(name))
  const isMixed = names.length > 1 && !names.every((name) => /\*\d+:\d+/.test(name))
  if (isMixed && sortAsPeer(names, []) === undefined) throw new NoAnswer('peer')
  return sorted(names).join('/')
}

function textOrder(texts: Iterable<string>): string[] {
  return [...texts].sort()
}
