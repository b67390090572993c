/** Random documents of typings that use all alternatives of their formats, with the expected output. */

export interface RandomDocument {
  readonly text: string
  /** Output of method lgx; with `isSame` the typings are already reduced. */
  readonly expected: string
}

type Random = () => number

interface Making {
  readonly random: Random
  readonly isSame: boolean
}

/** Part of the document, and its expected form. */
type Both = readonly [before: string, behind: string]

function pick<T>(random: Random, all: readonly T[]): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

function joined(parts: readonly (string | Both)[]): Both {
  const of = (at: 0 | 1) => parts.map((part) => (typeof part === 'string' ? part : part[at])).join('')
  return [of(0), of(1)]
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

/** Names without locus: input, lgx. */
const NAMES: readonly Both[] = [
  ['02:01:01:01', '02:01'],
  ['24:02:01:01', '24:02'],
  ['01:01', '01:01'],
  ['03:01', '03:01'],
]

function name({ random, isSame }: Making): Both {
  const [long, short] = pick(random, NAMES)
  return isSame ? [short, short] : [long, short]
}

/** White space that XML and JSON allow. */
function space(random: Random): string {
  return pick(random, ['', '', ' ', '\n', '\r\n  ', '\t', '\n\n    '])
}

function spaced(random: Random): string {
  return pick(random, [' ', '\n   ', '\t', '  '])
}

// JSON

function jsonText(text: string, random: Random): string {
  const signs = text
    .split('')
    .map((sign) => (random() < 0.1 ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign))
  return `"${signs.join('')}"`
}

/** An unchanged value keeps its escapes. */
function jsonField(making: Making): Both {
  const { random } = making
  const kind = random()
  if (kind < 0.1) return ['null', 'null']
  if (kind < 0.2) return ['""', '""']
  const sign = pick(random, ['*', '', 'A*', 'HLA-A*'])
  const [long, short] = name(making)
  const before = jsonText(sign + long, random)
  return [before, long === short ? before : JSON.stringify(sign + short)]
}

function jsonObject(fields: readonly (readonly [string, string | Both])[], random: Random): Both {
  const parts = fields.flatMap(([field, value], at): (string | Both)[] => [
    space(random),
    fieldName(random() < 0.5 ? field : field.toUpperCase(), random),
    space(random),
    ':',
    space(random),
    value,
    space(random),
    at < fields.length - 1 || random() < 0.3 ? ',' : '',
  ])
  return joined(['{', ...parts, space(random), '}'])
}

/** Name of a member; `donors` is never escaped, because it identifies the format. */
function fieldName(field: string, random: Random): string {
  return /^donors$/i.test(field) ? `"${field}"` : jsonText(field, random)
}

/** Texts with characters that have a meaning elsewhere in JSON. */
const TEXTS = ['"}, {\\"', '\\\\', '{"field1": 1}', 'é€😀', '[', ',', '\\u00e9\\"']

export function randomDonors(random: Random, isSame: boolean): RandomDocument {
  const making = { random, isSame }
  const other = () => ['note', `"${pick(random, TEXTS).replaceAll(/(?<!\\)"/g, '\\"')}"`] as const
  const fields = () =>
    jsonObject(
      [
        ['field1', jsonField(making)],
        ['field2', jsonField(making)],
      ],
      random,
    )
  // other members beside a typing are refused, since they may be misspelled typings
  const locus = () =>
    jsonObject(
      [
        ['dna', fields()],
        ['ser', pick(random, ['null', '{}'])],
      ],
      random,
    )
  let count = 0
  const donor = () => {
    count += 1
    const hla = pick<() => string | Both>(random, [() => jsonObject([['a', locus()]], random), () => 'null'])
    return jsonObject([other(), ['recordId', `"D${count}"`], ['hla', hla()], ['x', '[1, {"a": 2.5e3}]']], random) // prettier-ignore
  }
  const donors = times(1 + Math.floor(random() * 4), donor)
  const list = joined([
    '[',
    ...donors.flatMap((one, at) => [space(random), one, space(random), at < donors.length - 1 ? ',' : '']),
    space(random),
    ']',
  ])
  const [text, expected] = joined([
    pick(random, ['', '\n', '  ']),
    jsonObject([['updateMode', '"full"'], ['donors', list], other()], random),
    space(random),
  ])
  return { text, expected }
}

// XML

function attributes(all: readonly (readonly [string, string])[], random: Random): string {
  const shuffled = all.toSorted(() => random() - 0.5)
  return shuffled
    .map(([attribute, value]) => {
      const quote = pick(random, ['"', "'"])
      return `${spaced(random)}${attribute}${pick(random, ['=', ' = '])}${quote}${value}${quote}`
    })
    .join('')
}

const ASIDES = ['<!-- a > b, <typing> -->', '<?pi a="<"?>', '<x:y xmlns:x="u"/>', '<note>é€😀 &amp; &#65;</note>', '<s><![CDATA[<glstring>]] >]]></s>'] // prettier-ignore

/** An assignment added after the others of a typing. */
export const ADDED = /\s*<(?:h:)?allele-assignment date="[\d-]+" allele-db="IMGT\/HLA" allele-version="3\.58\.0">\s*<(?:h:)?glstring>[^<]*<\/(?:h:)?glstring>\s*<\/(?:h:)?allele-assignment>/g // prettier-ignore

/** `expected`: output of `--into replace`, dated `date`. */
export function randomHml(random: Random, isSame: boolean, date: string): RandomDocument {
  const making = { random, isSame }
  const prefix = pick(random, ['', 'h:'])
  const aside = () => (random() < 0.4 ? pick(random, ASIDES) : '') + space(random)
  const glString = (): Both => {
    const [one, two] = [name(making), name(making)]
    const isPrefixed = pick(random, ['HLA-', ''])
    const text = (at: 0 | 1) => `${isPrefixed}A*${one[at]}+${isPrefixed}A*${two[at]}`
    const isChanged = text(0) !== text(1)
    const [before, behind] = pick(random, [
      ['', ''],
      ['\n     ', '\n  '],
      ['<![CDATA[', ']]>'],
    ] as const)
    const written = pick(random, [(plain: string) => plain, escaped, folded])(text(0))
    const shown = before.startsWith('<') ? text(0) : written
    return [before + shown + behind, before + (isChanged ? sorted(text(1)) : shown) + behind]
  }
  const assignment = (): Both => {
    const [before, behind] = glString()
    const isChanged = before !== behind
    const said = attributes([['allele-db', 'IMGT/HLA'], ['date', '2014-10-14'], ['x:id', 'a &lt; b'], ['allele-version', '3.25.0']], random) // prettier-ignore
    const now = said.replace('2014-10-14', date).replace('3.25.0', '3.58.0')
    const inside = (text: string) => `>${lead}<${prefix}glstring>${text}</${prefix}glstring>${trail}</${prefix}allele-assignment>` // prettier-ignore
    const [lead, trail] = [space(random), space(random)]
    const open = `<${prefix}allele-assignment`
    return [open + said + inside(before), open + (isChanged ? now : said) + inside(behind)]
  }
  const typing = (): Both =>
    joined([`<${prefix}typing${attributes([['gene-family', 'HLA']], random)}>`, aside(), assignment(), aside(), `<${prefix}typing-method/>`, aside(), `</${prefix}typing>`]) // prettier-ignore
  let count = 0
  const sample = (): Both => {
    count += 1
    return joined([`<${prefix}sample${attributes([['id', `S${count}&amp;`]], random)}>`, aside(), ...times(Math.floor(random() * 3), typing), aside(), `</${prefix}sample>`]) // prettier-ignore
  }
  const root = attributes([[`xmlns${prefix === '' ? '' : ':h'}`, 'http://schemas.nmdp.org/spec/hml/1.0.1'], ['xmlns:x', 'u'], ['version', '1.0.1']], random) // prettier-ignore
  const [text, expected] = joined([
    pick(random, ['', '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- hml -->\n']),
    `<${prefix}hml${root}>`,
    aside(),
    ...times(1 + Math.floor(random() * 3), sample).flatMap((one) => [one, aside()]),
    `</${prefix}hml>`,
    space(random),
  ])
  return { text, expected }
}

/** Only the donor's own HLA is converted, not the mother's. */
export function randomInventory(random: Random, isSame: boolean): RandomDocument {
  const making = { random, isSame }
  const prefix = pick(random, ['', 'w:'])
  const aside = () => (random() < 0.3 ? pick(random, ['<!-- a > b -->', '<?pi a="<"?>']) : '') + space(random)
  const element = (tag: string, ...inside: (string | Both)[]): Both =>
    joined([`<${prefix}${tag}${pick(random, ['', ' ', '\n'])}>`, ...inside, `</${prefix}${tag}>`])
  const field = (at: number): string | Both => {
    if (random() < 0.2) return `<${prefix}FIELD${at}/>`
    const [long, short] = name(making)
    const sign = pick(random, ['', '*', 'A*'])
    const text = pick(random, [(plain: string) => plain, escaped])(sign + long)
    const both: Both = [text, long === short ? text : sign + short]
    return element(`FIELD${at}`, pick(random, ['', '\n  ', '<!-- -->']), both, space(random))
  }
  const pair = (make: (at: number) => string | Both) =>
    element('DNA', aside(), make(1), aside(), make(2), aside())
  const hla = (make: (at: number) => string | Both) =>
    element('HLA', aside(), element('A', aside(), '<x:SER xmlns:x="u"/>', aside(), pair(make)), aside())
  const constant = (at: number) => `<${prefix}FIELD${at}>02:01:01:01</${prefix}FIELD${at}>`
  let count = 0
  const donor = (): Both => {
    count += 1
    const mother = random() < 0.3 ? element('MAT', hla(constant)) : ''
    const remark = `<${prefix}REMARK a='"'>é€😀 ]]&gt; &amp;<![CDATA[<HLA>]]></${prefix}REMARK>`
    return element(pick(random, ['DONOR', 'CBU']), aside(), `<${prefix}ID>D${count}</${prefix}ID>`, aside(), hla(field), aside(), remark, mother) // prettier-ignore
  }
  const many = () => times(Math.floor(random() * 4), donor).flatMap((one) => [aside(), one])
  const root = `<${prefix}INVENTORIES${attributes(
    [
      ['xmlns:w', 'u'],
      ['CREATION_TIME', '2026'],
    ],
    random,
  )}>`
  const said = attributes(
    [
      ['SCHEMA_VERSION', '2.3'],
      ['POOL', '1234'],
    ],
    random,
  )
  const inventory = () => joined([`<${prefix}INVENTORY${said}>`, ...many(), `</${prefix}INVENTORY>`])
  const [text, expected] = joined([pick(random, ['', '<?xml version="1.0"?>\n']), root, aside(), inventory(), aside(), inventory(), `</${prefix}INVENTORIES>`, space(random)]) // prettier-ignore
  return { text, expected }
}

function escaped(text: string): string {
  return text.replace('*', '&#42;').replace(':', '&#x3a;')
}

function folded(text: string): string {
  return text.replace('+', '+\n      ')
}

/** The genotype in the order of answers. */
function sorted(genotype: string): string {
  return genotype.split('+').toSorted().join('+')
}
