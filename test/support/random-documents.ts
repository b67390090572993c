/** Random documents of typings that use all alternatives of their formats, with the typings that they hold. */

export interface RandomDocument {
  readonly text: string
  readonly persons: readonly RandomPerson[]
}

export interface RandomPerson {
  readonly id: string
  /** Both typings of A, reduced by lgx; '' for an empty one. */
  readonly typings: readonly [string, string]
}

type Random = () => number

/** Text of a typing in the document, and its reduced name, or ''. */
type Field = readonly [text: string, reduced: string]

function pick<T>(random: Random, all: readonly T[]): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

/** Names without locus: input, lgx. */
const NAMES: readonly Field[] = [
  ['02:01:01:01', 'A*02:01'],
  ['24:02:01:01', 'A*24:02'],
  ['01:01', 'A*01:01'],
  ['03:01', 'A*03:01'],
]

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

function jsonField(random: Random): Field {
  const kind = random()
  if (kind < 0.1) return ['null', '']
  if (kind < 0.2) return ['""', '']
  const [name, reduced] = pick(random, NAMES)
  const sign = pick(random, ['*', '', 'A*', 'HLA-A*'])
  // an answer has the prefix of its typing
  return [jsonText(sign + name, random), sign.startsWith('HLA-') ? `HLA-${reduced}` : reduced]
}

function jsonObject(fields: readonly (readonly [string, string])[], random: Random): string {
  const parts = fields.flatMap(([field, value], at) => [
    space(random),
    fieldName(random() < 0.5 ? field : field.toUpperCase(), random),
    space(random),
    ':',
    space(random),
    value,
    space(random),
    at < fields.length - 1 || random() < 0.3 ? ',' : '',
  ])
  return ['{', ...parts, space(random), '}'].join('')
}

/** Name of a member; `donors` is never escaped, because it identifies the format. */
function fieldName(field: string, random: Random): string {
  return /^donors$/i.test(field) ? `"${field}"` : jsonText(field, random)
}

/** Texts with characters that have a meaning elsewhere in JSON. */
const TEXTS = ['"}, {\\"', '\\\\', '{"field1": 1}', 'é€😀', '[', ',', '\\u00e9\\"']

export function randomDonors(random: Random): RandomDocument {
  const persons: RandomPerson[] = []
  const other = () => ['note', `"${pick(random, TEXTS).replaceAll(/(?<!\\)"/g, '\\"')}"`] as const
  // other members beside a typing are refused, since they may be misspelled typings
  const locus = (first: string, second: string) =>
    jsonObject(
      [
        ['dna', jsonObject([['field1', first], ['field2', second]], random)], // prettier-ignore
        ['ser', pick(random, ['null', '{}'])],
      ],
      random,
    )
  const donor = () => {
    const id = `D${persons.length + 1}`
    const [first, second] = [jsonField(random), jsonField(random)]
    const isTyped = random() < 0.5
    persons.push({ id, typings: isTyped ? [first[1], second[1]] : ['', ''] })
    const hla = isTyped ? jsonObject([['a', locus(first[0], second[0])]], random) : 'null'
    return jsonObject([other(), ['recordId', `"${id}"`], ['hla', hla], ['x', '[1, {"a": 2.5e3}]']], random)
  }
  const donors = times(1 + Math.floor(random() * 4), donor)
  const list = donors.flatMap((one, at) => [space(random), one, space(random), at < donors.length - 1 ? ',' : '']) // prettier-ignore
  const text = [
    pick(random, ['', '\n', '  ']),
    jsonObject([['updateMode', '"full"'], ['donors', `[${list.join('')}${space(random)}]`], other()], random), // prettier-ignore
    space(random),
  ]
  return { text: text.join(''), persons }
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

export function randomHml(random: Random): RandomDocument {
  const persons: RandomPerson[] = []
  const prefix = pick(random, ['', 'h:'])
  const aside = () => (random() < 0.4 ? pick(random, ASIDES) : '') + space(random)
  const glString = (names: readonly Field[]) => {
    const isPrefixed = pick(random, ['HLA-', ''])
    const text = names.map(([name]) => `${isPrefixed}A*${name}`).join('+')
    const [before, behind] = pick(random, [
      ['', ''],
      ['\n     ', '\n  '],
      ['<![CDATA[', ']]>'],
    ] as const)
    const written = pick(random, [(plain: string) => plain, escaped, folded])(text)
    return before + (before.startsWith('<') ? text : written) + behind
  }
  const assignment = (names: readonly Field[]) => {
    const said = attributes([['allele-db', 'IMGT/HLA'], ['date', '2014-10-14'], ['x:id', 'a &lt; b'], ['allele-version', '3.25.0']], random) // prettier-ignore
    return `<${prefix}allele-assignment${said}>${space(random)}<${prefix}glstring>${glString(names)}</${prefix}glstring>${space(random)}</${prefix}allele-assignment>`
  }
  const typing = (names: readonly Field[]) =>
    `<${prefix}typing${attributes([['gene-family', 'HLA']], random)}>${aside()}${assignment(names)}${aside()}<${prefix}typing-method/>${aside()}</${prefix}typing>`
  const sample = () => {
    const id = `S${persons.length + 1}&`
    const names = [pick(random, NAMES), pick(random, NAMES)] as const
    const isTyped = random() < 0.6
    persons.push({ id, typings: isTyped ? [names[0][1], names[1][1]] : ['', ''] })
    const typed = isTyped ? typing(names) : ''
    return `<${prefix}sample${attributes([['id', id.replace('&', '&amp;')]], random)}>${aside()}${typed}${aside()}</${prefix}sample>`
  }
  const root = attributes([[`xmlns${prefix === '' ? '' : ':h'}`, 'http://schemas.nmdp.org/spec/hml/1.0.1'], ['xmlns:x', 'u'], ['version', '1.0.1']], random) // prettier-ignore
  const text = [
    pick(random, ['', '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- hml -->\n']),
    `<${prefix}hml${root}>`,
    aside(),
    ...times(1 + Math.floor(random() * 3), sample).flatMap((one) => [one, aside()]),
    `</${prefix}hml>`,
    space(random),
  ]
  return { text: text.join(''), persons }
}

/** Only the donor's own HLA is read, not the mother's. */
export function randomInventory(random: Random): RandomDocument {
  const persons: RandomPerson[] = []
  const prefix = pick(random, ['', 'w:'])
  const aside = () => (random() < 0.3 ? pick(random, ['<!-- a > b -->', '<?pi a="<"?>']) : '') + space(random)
  const element = (tag: string, ...inside: readonly string[]) =>
    `<${prefix}${tag}${pick(random, ['', ' ', '\n'])}>${inside.join('')}</${prefix}${tag}>`
  const field = (at: number): Field => {
    if (random() < 0.2) return [`<${prefix}FIELD${at}/>`, '']
    const [name, reduced] = pick(random, NAMES)
    const text = pick(random, [(plain: string) => plain, escaped])(pick(random, ['', '*', 'A*']) + name)
    return [element(`FIELD${at}`, pick(random, ['', '\n  ', '<!-- -->']), text, space(random)), reduced]
  }
  const hla = (first: string, second: string) => {
    const dna = element('DNA', aside(), first, aside(), second, aside())
    return element('HLA', aside(), element('A', aside(), '<x:SER xmlns:x="u"/>', aside(), dna), aside())
  }
  const constant = (at: number) => `<${prefix}FIELD${at}>02:01:01:01</${prefix}FIELD${at}>`
  const donor = () => {
    const id = `D${persons.length + 1}`
    const [first, second] = [field(1), field(2)]
    persons.push({ id, typings: [first[1], second[1]] })
    const mother = random() < 0.3 ? element('MAT', hla(constant(1), constant(2))) : ''
    const remark = `<${prefix}REMARK a='"'>é€😀 ]]&gt; &amp;<![CDATA[<HLA>]]></${prefix}REMARK>`
    return element(pick(random, ['DONOR', 'CBU']), aside(), `<${prefix}ID>${id}</${prefix}ID>`, aside(), hla(first[0], second[0]), aside(), remark, mother) // prettier-ignore
  }
  const said = attributes([['SCHEMA_VERSION', '2.3'], ['POOL', '1234']], random) // prettier-ignore
  const inventory = () => {
    const donors = times(Math.floor(random() * 4), donor).flatMap((one) => [aside(), one])
    return `<${prefix}INVENTORY${said}>${donors.join('')}</${prefix}INVENTORY>`
  }
  const root = attributes([['xmlns:w', 'u'], ['CREATION_TIME', '2026']], random) // prettier-ignore
  const text = [
    pick(random, ['', '<?xml version="1.0"?>\n']),
    `<${prefix}INVENTORIES${root}>`,
    aside(),
    inventory(),
    aside(),
    inventory(),
    `</${prefix}INVENTORIES>`,
    space(random),
  ]
  return { text: text.join(''), persons }
}

function escaped(text: string): string {
  return text.replace('*', '&#42;').replace(':', '&#x3a;')
}

function folded(text: string): string {
  return text.replace('+', '+\n      ')
}
