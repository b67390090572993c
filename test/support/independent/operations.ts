/** Operations other than reduction: specification 5 and 9, docs/divergences.md. */
import { readings, respelled } from './fixed.ts'
import { BROAD_FIELDS } from './fixed.ts'
import { commonOf, expandCode, expandXx, findCode, similarTo } from './lists.ts'
import { bare, locus } from './names.ts'
import type { Answer } from './reduce.ts'
import { checkLeaf, codeNames, isAntigen, isDoubtful, isName, malformed, relaxed } from './validity.ts'
import { leavesOf, NoAnswer, type World } from './world.ts'

export type Operation = (input: string, world: World) => string

/** Keys are the names of the corpus. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  validate: validated,
  'mac-expand': expandCode,
  'mac-lookup': findCode,
  'xx-expand': expandXx,
  cwd: commonOf,
  splits: familyOf,
  associated: (input, world) => associated(input, world) ?? input,
  'serology-xx': codeOfAntigen,
  similar: similarTo,
  'v2-to-v3': presentSpelling,
  blend: (input) => blended(JSON.parse(input) as string[]),
}

export function answerOfOperation(op: string, input: string, world: World): Answer {
  const operation = OPERATIONS[op]
  if (operation === undefined) throw new Error(`no operation ${op}`)
  try {
    return { text: operation(input, world) }
  } catch (error) {
    if (error instanceof NoAnswer) return { error: error.code }
    throw error
  }
}

function validated(text: string, world: World): string {
  const leaves = leavesOf(text, world)
  // syntax errors need no release: the first invalid leaf of the text decides, whatever the error
  for (const leaf of leaves) checkValid(leaf, world)
  return 'true'
}

function checkValid(leaf: string, world: World): void {
  const { switches, habits, tables } = world
  const strict = { ...world, switches: { ...switches, strict: true } }
  if (malformed(leaf) !== undefined && !habits.has('codes-need-a-locus')) return checkLeaf(leaf, strict)
  if (!habits.has('absent-gene') && /^[^*]+\*NNNN$/.test(leaf) && tables.loci.has(locus(bare(leaf)))) return
  if (!switches.strict) {
    const name = bare(leaf)
    const full = name.endsWith('*') ? name : relaxed(name, world)
    if (name !== '' && isName(full, world) && !/[^\p{L}\p{N}*:]/u.test(name)) return
    if (habits.has('own-names') && /\d[GP]$/.test(name)) throw new NoAnswer('unknown-allele')
  }
  checkLeaf(leaf, strict)
  const found = leaf.endsWith(':XX') ? undefined : codeNames(bare(leaf), world)
  const isEmpty = found?.names.every((name) => !tables.alleles.has(name)) === true
  if (isEmpty && !habits.has('mac-empty')) throw new NoAnswer('mac-empty-expansion')
}

function familyOf(text: string, world: World): string {
  const name = bare(text)
  const prefix = text.startsWith('HLA-') ? 'HLA-' : ''
  const serological = world.tables.files.families
    .filter(({ splits }) => splits.length > 0)
    .map(({ letters, number, splits }) => [letters + number, splits.map((one) => letters + one)] as const)
  const table = name.includes('*') ? BROAD_FIELDS : serological
  const find = (one: string) =>
    table.find(([broad]) => broad === one) ?? table.find(([, splits]) => splits.includes(one))
  const parent = world.habits.has('splits-none') ? undefined : associated(name, world)
  const found = find(name) ?? (parent === undefined ? undefined : find(parent))
  if (found !== undefined) return `${prefix}${found[0]}=${found[1].map((one) => prefix + one).join('/')}`
  if (world.habits.has('splits-none')) return ''
  throw new NoAnswer(malformed(text) ?? 'unknown-antigen')
}

function associated(antigen: string, { tables }: World): string | undefined {
  const found = tables.files.families.find(({ letters, associated: all }) =>
    all.some((number) => letters + number === antigen),
  )
  return found === undefined ? undefined : found.letters + found.number
}

const FAMILIES: ReadonlyMap<string, string> = new Map(
  'A*02 A203 A210|B*40 B60 B61|B*14 B64 B65|B*15 B62 B63 B70 B71 B72 B75 B76 B77|B*07 B703|DRB1*03 DR17 DR18|DRB1*01 DR103|DQB1*03 DQ7 DQ8 DQ9'
    .split('|')
    .flatMap((line) => line.split(' ').slice(1).map((antigen) => [antigen, line.split(' ')[0] ?? ''] as const)),
) // prettier-ignore

const LETTERS: Readonly<Record<string, string>> = {
  Bw: 'B', Cw: 'C', Dw: 'D', DR: 'DRB1', DQ: 'DQB1', DPw: 'DPB1',
} // prettier-ignore

function codeOfAntigen(antigen: string, world: World): string {
  if (!isAntigen(antigen, world)) throw new NoAnswer('unknown-antigen')
  const family = FAMILIES.get(antigen)
  if (family !== undefined) return `${family}:XX`
  const [, letters = '', number = ''] = /^(\D+)(\d+)$/.exec(associated(antigen, world) ?? antigen) ?? []
  return `${LETTERS[letters] ?? letters}*${number.padStart(2, '0')}:XX`
}

function presentSpelling(text: string, world: World): string {
  if (world.habits.has('respelled-text')) return respelledText(text, world)
  const leaves = leavesOf(text, world)
  const wrong = leaves.map(malformed).find((one) => one !== undefined)
  if (wrong !== undefined) throw new NoAnswer(wrong)
  return text.replaceAll(/[^/|+^~?]+/g, (leaf) => {
    const name = bare(leaf)
    const isOld = /^[A-Z][A-Z0-9]*\*[^:]+$/.test(name) && !['MICA', 'MICB', 'HFE'].includes(locus(name))
    const spelled = isOld ? oldSpelling(name, world) : name
    return leaf.startsWith('HLA-') ? `HLA-${spelled}` : spelled
  })
}

function oldSpelling(name: string, world: World): string {
  const { habits, tables } = world
  if (isDoubtful(name, world)) return name
  const all = habits.has('before-2002') ? [respelled(name)] : readings(name)
  return all.find((one) => tables.alleles.has(one)) ?? all[0] ?? name
}

/** The peer converts any text with one star the same way. */
function respelledText(text: string, world: World): string {
  const { habits } = world
  const name = bare(text)
  if (name.split('*').length !== 2) throw new NoAnswer('bad-syntax')
  const foreign = habits.has('foreign-characters') ? asciiDigits(name) : name
  const first = (one: string) => (habits.has('before-2002') ? respelled(one) : (readings(one)[0] ?? one))
  const spelled = foreign === name ? first(name) : sameDigits(name, first(foreign))
  return text.startsWith('HLA-') ? `HLA-${spelled}` : spelled
}

/** The peer accepts the digits of any script. */
function asciiDigits(name: string): string {
  return name.replaceAll(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : '0'))
}

function sameDigits(original: string, spelled: string): string {
  const digits = Array.from(original.replaceAll(':', ''))
  let at = 0
  return Array.from(spelled, (one) => (one === ':' ? one : (digits[at++] ?? ''))).join('')
}

const CARRIED: ReadonlyMap<string, string> = new Map(
  'DRB3 03 05 06 11 12 13 14|DRB4 04 07 09|DRB5 02 15 16'
    .split('|')
    .flatMap((line) => line.split(' ').slice(1).map((field) => [field, line.slice(0, 4)] as const)),
) // prettier-ignore

function blended([drb1 = '', ...typings]: readonly string[]): string {
  const chromosomes = drb1.split('+')
  if (chromosomes.length !== 2 || chromosomes.some((one) => !one.includes('*'))) return ''
  const expected = chromosomes.map((one) => CARRIED.get(/^[^*]*\*([^*:]*)/.exec(one)?.[1] ?? ''))
  const genes = ['DRB3', 'DRB4', 'DRB5'].map((gene, at) => ({ gene, typing: typings[at] ?? '' }))
  const stray = genes.find(({ gene, typing }) => typing !== '' && !expected.includes(gene))
  if (stray !== undefined) throw new NoAnswer(`found=${stray.gene} expected=none`)
  if (expected[0] !== undefined && expected[0] === expected[1])
    return genes.find(({ gene }) => gene === expected[0])?.typing ?? ''
  const isOnly = expected.includes(undefined)
  const parts = genes.filter(({ gene }) => expected.includes(gene)).map(({ gene, typing }) => {
    const [one = '', two, ...more] = typing.split('+')
    if (two === undefined) return one
    if (more.length > 0) return isOnly ? typing : ''
    if (one !== two) throw new NoAnswer(`found=${gene} het expected=hom`)
    return one
  }) // prettier-ignore
  return parts.filter((part) => part !== '').join('+')
}
