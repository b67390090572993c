/** Persons as each output format writes them: the whole text, and what it refuses. */
import { describe, expect, test } from 'vitest'
import type { OutputFormatName } from '../../src/table/plan/output-format-names.ts'
import { ARLEQUIN_PART } from '../../src/table/output/population/arlequin-sink.ts'
import { bareCopy, joinGenotype, prefixedGenotype } from '../../src/table/output/population/output-format.ts'
import { OUTPUT_FORMATS } from '../../src/table/output/population/population-formats.ts'

/** `A=A*01:01+A*02:01|A*03:01 B=`: genotypes by locus, none where a locus is not typed. */
function genotypesOf(text: string) {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [locus = '', genotype = ''] = one.split('=')
      const alternatives = genotype.split('|').map((copies) => copies.split('+'))
      return { locus, genotype: genotype === '' ? undefined : { alternatives } }
    })
}

function personOf(genotypes: string, fields: Readonly<Record<string, string>> = {}) {
  return { id: 'P1', release: '3.58.0', field: (name: string) => fields[name] ?? '', genotypes: genotypesOf(genotypes) } // prettier-ignore
}

const TYPED = 'A=A*01:01+HLA-A*02:01 B= C=C*07:01'

describe('a row', () => {
  test.for([
    ['pypop', TYPED, {}, 'population\tP1\t01:01\t02:01\t****\t****\t07:01\t****\n'],
    ['pypop', 'DRB3=00:00 A=A1+A2', { population: 'FIN' }, 'FIN\tP1\t00:00\t****\tA1\tA2\n'],
    ['uniformat', TYPED, {}, 'P1\tA*01:01,HLA-A*02:01\t@\tC*07:01\n'],
    ['uniformat', 'A=A*01:01/A*01:02/A*01:03+A*02:01|A*01:04+A*03:01', {}, 'P1\tA*01:01&A*01:02&A*01:03,A*02:01|A*01:04,A*03:01\n'],
    ['haplomat', 'A=A*01:01/A*01:02+A*02:01|A*01:04+A*03:01 B= C=C*07:01+C*07:02', {}, 'P1\tA*01:01/A*01:02+A*02:01|A*01:04+A*03:01\tC*07:01+C*07:02\n'],
    ['grimm', 'A=A*01:01+A*02:01 B= C=C*07:01', {}, 'P1,A*01:01+A*02:01^C*07:01+C*UUUU\n'],
    ['grimm', 'A=A*01:01+A*02:01', { race: 'CAU' }, 'P1,A*01:01+A*02:01,CAU,CAU\n'],
    ['grimm', 'A=A*01:01+A*02:01', { race2: 'AFA' }, 'P1,A*01:01+A*02:01,AFA,AFA\n'],
    ['grimm', 'A=A*01:01+A*02:01', { race: 'CAU', race2: 'AFA' }, 'P1,A*01:01+A*02:01,CAU,AFA\n'],
    ['hped', 'A=A*01:01+A*02:01 B= C=C*07:01', {}, 'P1\tP1\t0\t0\t0\t-9\t01:01\t02:01\t0\t0\t07:01\t0\n'],
    ['hped', 'A=A1+A2', { family: 'F', father: 'P', mother: 'M', sex: 'Male', phenotype: '2' }, 'F\tP1\tP\tM\t1\t2\tA1\tA2\n'],
    ['hped', '', { sex: 'f' }, 'P1\tP1\t0\t0\t2\t-9\n'],
    ['hped', '', { sex: 'x' }, 'P1\tP1\t0\t0\t0\t-9\n'],
  ] as const)('of %s with %s and %j', ([name, genotypes, fields, text]) => {
    expect(OUTPUT_FORMATS[name].row(personOf(genotypes, fields))).toBe(text)
  }) // prettier-ignore

  test.for([
    [{}, 'population'],
    [{ population: 'FIN' }, 'FIN'],
  ] as const)(
    'of Arlequin with %j is a population and two lines, one for each copy',
    ([fields, population]) => {
      const row = OUTPUT_FORMATS.arlequin.row(personOf('A=A*01:01+A*02:01 B= C=C*07:01', fields))
      expect(row.split(ARLEQUIN_PART)).toEqual([population, 'P1\t1\tA*01:01 ? C*07:01', '\t\tA*02:01 ? ?\n'])
    },
  )

  test('of FHIR is an observation of each genotype', () => {
    const text = OUTPUT_FORMATS.fhir.row(personOf('A=A*01:01/A*01:02+A*02:01 B= MICA=MICA*001'))
    const profile = ['http://fhir.nmdp.org/ig/hla-reporting/StructureDefinition/hla-genotype']
    const observation = (locus: string, code: string) => ({
      resourceType: 'Observation',
      meta: { profile },
      status: 'unknown',
      category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] }],
      code: { coding: [{ system: 'http://loinc.org', code: '84413-4' }] },
      subject: { identifier: { value: 'P1' } },
      valueCodeableConcept: { coding: [{ system: 'http://glstring.org', code }] },
      component: [
        { code: { coding: [{ system: 'http://loinc.org', code: '48018-6' }] }, valueCodeableConcept: { text: locus } },
      ],
    }) // prettier-ignore
    expect(text.endsWith('}\n')).toBe(true)
    expect(text.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
      observation('HLA-A', 'hla#3.58.0#HLA-A*01:01/HLA-A*01:02+HLA-A*02:01'),
      observation('HLA-MICA', 'hla#3.58.0#MICA*001'),
    ]) // prettier-ignore
  })

  test('of HML is a sample', () => {
    const fields = {
      'center-code': 'C&1', 'collection-method': '<swab>', date: '2024-03-05', 'typing-method': 'sbt-ngs', 'test-id': 't"1', 'test-id-source': 's',
    } // prettier-ignore
    expect(OUTPUT_FORMATS.hml.row(personOf('A=A*01:01+A*02:01 B= MICA=MICA*001', fields))).toBe(
      `  <sample id="P1" center-code="C&amp;1">
    <collection-method>&lt;swab&gt;</collection-method>
    <typing gene-family="HLA" date="2024-03-05">
      <allele-assignment date="2024-03-05" allele-db="IMGT/HLA" allele-version="3.58.0">
        <glstring>HLA-A*01:01+HLA-A*02:01</glstring>
      </allele-assignment>
      <typing-method><sbt-ngs locus="HLA-A" test-id="t&quot;1" test-id-source="s"/></typing-method>
    </typing>
    <typing gene-family="HLA" date="2024-03-05">
      <allele-assignment date="2024-03-05" allele-db="IMGT/HLA" allele-version="3.58.0">
        <glstring>MICA*001</glstring>
      </allele-assignment>
      <typing-method><sbt-ngs locus="MICA" test-id="t&quot;1" test-id-source="s"/></typing-method>
    </typing>
  </sample>
`,
    )
    expect(OUTPUT_FORMATS.hml.row({ ...personOf('A=A*01:01', { date: '2024-03-05' }), id: 'a\tb\nc\rd' })).toBe(
      `  <sample id="a&#9;b&#10;c&#13;d">
    <typing gene-family="HLA" date="2024-03-05">
      <allele-assignment date="2024-03-05" allele-db="IMGT/HLA" allele-version="3.58.0">
        <glstring>HLA-A*01:01</glstring>
      </allele-assignment>
      <typing-method/>
    </typing>
  </sample>
`,
    ) // prettier-ignore
  })

  test.for([
    [
      'A=A*01:01/A*01:02+A*02:01 B= C=Cw7',
      { changeType: 'N', donorType: 'D' },
      { recordId: 'P1', changeType: 'N', donorType: 'D', ethn: null, hla: { a: { dna: { field1: '*01:01/01:02', field2: '*02:01' } }, c: { ser: { field1: '7', field2: null } } } },
    ],
    ['', { changeType: 'D', donorType: 'C', donPool: '99', ethn: 'CA' }, { recordId: 'P1', changeType: 'D', donorType: 'C', donPool: '99', ethn: 'CA' }],
    ['B= ', { changeType: 'U', donorType: 'B' }, { recordId: 'P1', changeType: 'U', donorType: 'B', ethn: null }],
  ] as const)('of a donor file with %s and %j', ([genotypes, fields, donor]) => {
    const text = OUTPUT_FORMATS.donors.row(personOf(genotypes, fields))
    expect(text).toBe(`,\n    ${JSON.stringify(donor)}`)
  }) // prettier-ignore
})

describe('the text before the first person', () => {
  const headOf = (name: OutputFormatName, fields: Readonly<Record<string, string>> = {}) =>
    OUTPUT_FORMATS[name].head?.(['A', 'DRB1'], (field) => fields[field] ?? '')

  test('is that of the format', () => {
    expect(headOf('pypop')).toBe('populat\tid\ta_1\ta_2\tdrb1_1\tdrb1_2\n')
    expect(headOf('donors', { updateMode: 'diff' })).toBe('{\n  "updateMode": "diff",\n  "donors": [')
    expect(headOf('hml', { version: '1.0.2' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0" version="1.0.2">\n',
    )
    const center = { 'project-name': 'p', 'reporting-center': '5', 'reporting-center-context': 'c' }
    expect(headOf('hml', { version: '1.0.1', ...center })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<hml xmlns="http://schemas.nmdp.org/spec/hml/1.0.1" version="1.0.1" project-name="p">\n  <reporting-center reporting-center-id="5" reporting-center-context="c"/>\n',
    )
    for (const name of ['arlequin', 'uniformat', 'haplomat', 'grimm', 'hped', 'fhir'] as const)
      expect(headOf(name)).toBeUndefined()
  })
})

describe('a document', () => {
  /** What a format writes of these pieces, and where it passes a flush on. */
  async function written(
    name: OutputFormatName,
    pieces: readonly (string | Buffer)[],
    ended = (text: string) => text,
  ) {
    const seen: string[] = []
    const nothing = () => undefined
    const below = {
      write: (text: string) => void seen.push(text),
      writeBytes: (bytes: Uint8Array) => void seen.push(Buffer.from(bytes).toString('latin1')),
      flush: () => void seen.push('(flush)'),
      ready: nothing, complete: nothing, identity: nothing, finish: nothing, abandon: nothing,
    } // prettier-ignore
    const sink = OUTPUT_FORMATS[name].sink?.(below, ended)
    for (const piece of pieces) {
      if (typeof piece === 'string') sink?.write(piece)
      else sink?.writeBytes(piece)
      sink?.flush()
    }
    await sink?.complete()
    return seen.join('|')
  }

  test('of donors has commas between, and its end', async () => {
    expect(await written('donors', ['{head[', ',a', ',b'])).toBe('{head[|a|(flush)|,b|(flush)|\n  ]\n}\n')
    expect(await written('donors', ['', '{head[', '', ',a', '', ',b'])).toBe(
      '{head[|a|(flush)|(flush)|,b|(flush)|\n  ]\n}\n',
    )
    expect(await written('donors', ['{head[', Buffer.from(',a'), Buffer.from(',b'), Buffer.alloc(0)])).toBe(
      '{head[|a|(flush)|,b|(flush)|(flush)|\n  ]\n}\n',
    )
  })

  test('of HML has its end, with the line ends of the rest', async () => {
    expect(await written('hml', ['<hml>', '<a/>', '<b/>'])).toBe('<hml>|<a/>|(flush)|<b/>|(flush)|</hml>\n')
    expect(
      await written('hml', ['<hml>', Buffer.from('<a/>')], (text) => text.replaceAll('\n', '\r\n')),
    ).toBe('<hml>|<a/>|(flush)|</hml>\r\n')
  })

  test.for([
    ['donors', 'Atlas donor import'],
    ['hml', 'HML'],
  ] as const)('of %s without a person is refused, and nothing is written', async ([name, title]) => {
    for (const pieces of [[], ['head'], ['head', '', Buffer.alloc(0)]])
      await expect(written(name, pieces)).rejects.toMatchObject({
        code: 'not-in-format',
        message: `${title} needs at least one person, and none was written`,
      })
  })

  test('of Arlequin has a sample of each population, with its size', async () => {
    const row = (population: string, id: string) =>
      `${[population, `${id}\t1\tx`, '\t\ty'].join(ARLEQUIN_PART)}\n`
    const all = row('FIN', 'P1') + row('SWE', 'P2') + row('FIN', 'P3')
    const person = (id: string) => `${id}\t1\tx\n\t\ty\n`
    const sample = (name: string, size: number, persons: string) =>
      `\tSampleName="${name}"\n\tSampleSize=${size}\n\tSampleData={\n${persons}\t}\n`
    const text = `[Profile]
\tTitle="HLA typings"
\tNbSamples=2
\tDataType=STANDARD
\tGenotypicData=1
\tGameticPhase=0
\tRecessiveData=0
\tLocusSeparator=WHITESPACE
\tMissingData='?'
[Data]
[[Samples]]
${sample('FIN', 2, person('P1') + person('P3'))}${sample('SWE', 1, person('P2'))}`
    for (const pieces of [[all], [all.slice(0, 9), all.slice(9)], [Buffer.from(all)]])
      expect((await written('arlequin', pieces)).replaceAll('|', '')).toBe(text)
  })
})

describe('what a format cannot write', () => {
  test.for([
    ['pypop', ['a\tb', 'a\rb', 'a\nb'], ['a b', 'a,b', '#']],
    ['arlequin', ['a\tb', 'a\rb', 'a\nb', 'a\vb', 'a\fb', 'a b', 'a"', '#', '{', '}'], ['a,b', 'a_b']],
    ['uniformat', ['a\tb', 'a\rb', 'a\nb', 'a\vb', 'a\fb', 'a b', '#'], ['a,b', '"']],
    ['hped', ['a\tb', 'a\rb', 'a\nb', 'a\vb', 'a\fb', 'a b'], ['a,b', '#']],
    ['haplomat', ['a\tb', 'a\rb', 'a\nb', 'a\vb', 'a\fb', 'a b'], ['a,b', '#']],
    ['grimm', ['a\tb', 'a\rb', 'a\nb', 'a,b', 'a%b'], ['a b', '#']],
    ['fhir', [], ['', 'a\nb', '\u0000', '"']],
    ['donors', [], ['', 'a\nb', '\u0000', '"']],
    ['hml', ['\u0000', '\u001f', '\ud800', '\ufffe'], ['a\tb\nc\rd', '<&>', 'é', '\u{1f600}']],
  ] as const)('names and fields of %s', ([name, wrong, right]) => {
    const { forbidden } = OUTPUT_FORMATS[name]
    expect([...wrong, ...right].filter((text) => forbidden.test(text))).toEqual(wrong)
  }) // prettier-ignore

  test('the sex of a pedigree', () => {
    const rule = OUTPUT_FORMATS.hped.fields.find(({ name }) => name === 'sex')?.rule
    const known = ['1', 'm', 'M', 'male', '2', 'F', 'female', '', '0', 'u', 'NA', 'Unknown']
    expect(known.map((text) => rule?.(text))).toEqual(known.map(() => undefined))
    for (const text of ['3', 'x', 'males', ' ']) expect(rule?.(text)).toBe('is not M, F or unknown')
  })

  test.for([
    [{ date: 'x' }, 'A=A*01:01', undefined],
    [{}, 'A= B=', 'a person without a typing'],
    [{}, '', 'a person without a typing'],
    [{ 'test-id': 't', 'test-id-source': 's' }, 'A=A*01:01', 'a test-id without a typing-method'],
    [{ 'test-id': 't', 'test-id-source': 's', 'typing-method': 'sbt-ngs' }, 'A=A*01:01', undefined],
    [{ 'test-id': 't', 'typing-method': 'sbt-ngs' }, 'A=A*01:01', 'a test-id without its test-id-source, or one without a test-id'],
    [{ 'test-id-source': 's', 'typing-method': 'sbt-ngs' }, 'A=A*01:01', 'a test-id without its test-id-source, or one without a test-id'],
    [{ 'typing-method': 'sbt-sanger', version: '1.0.1' }, 'A=A*01:01', 'sbt-sanger without its amplification in version 1.0.1'],
    [{ 'typing-method': 'sbt-sanger', version: '1.0.2' }, 'A=A*01:01', undefined],
    [{ 'typing-method': 'sbt-ngs', version: '1.0.1' }, 'A=A*01:01 B=', undefined],
  ] as const)('a person in HML with %j and %s', ([fields, genotypes, reason]) => {
    expect(OUTPUT_FORMATS.hml.refusePerson?.(personOf(genotypes, fields))).toBe(reason)
  }) // prettier-ignore

  const ALL = 'A=A*01:01 B=B*07:02 DRB1=DRB1*01:01'
  test.for([
    ['diff', 'N', ALL, undefined],
    ['diff', 'N', 'A=A*01:01 B= C=C*07:01', 'a donor without a typing of B, DRB1'],
    ['diff', 'U', 'B=B*07:02 DRB1=DRB1*01:01', 'a donor without a typing of A'],
    ['diff', 'D', '', undefined],
    ['full', 'N', ALL, undefined],
    ['full', 'NU', ALL, undefined],
    ['full', 'U', ALL, 'changeType U in a file whose updateMode is full, where each is N or NU'],
    ['full', 'D', ALL, 'changeType D in a file whose updateMode is full, where each is N or NU'],
  ] as const)('a donor in a file of %s with %s and %j', ([updateMode, changeType, genotypes, reason]) => {
    expect(OUTPUT_FORMATS.donors.refusePerson?.(personOf(genotypes, { updateMode, changeType }))).toBe(reason)
  })

  const LONG = 'A*01:01/A*01:02/A*01:03/A*01:04'
  test.for([
    ['A', 'A*01:01+A*02:01', undefined],
    ['A', 'A*01:01/A*01:02/A*01:03+A*02:01', undefined],
    ['A', `A*02:01+${LONG}`, '"*01:01/01:02/01:03/01:04", which is longer than 20 characters'],
    ['E', 'E*01:01', 'typings of E'],
    ['A', 'A1+A2', undefined],
    ['A', 'A1/A2', 'antigens of A other than one per copy'],
    ['A', 'A1+A*02:01', 'antigens of A other than one per copy'],
    ['C', 'Cw7', undefined],
    ['C', 'B7', 'antigens of C other than one per copy'],
    ['A', `A*${'1'.repeat(70)}`, `"*${'1'.repeat(59)}", which is longer than 20 characters`],
  ] as const)('a genotype of %s in a donor file: %s', ([locus, text, reason]) => {
    const [{ genotype } = { genotype: undefined }] = genotypesOf(`${locus}=${text}`)
    expect(genotype && OUTPUT_FORMATS.donors.refuseGenotype?.(genotype, locus)).toBe(reason)
  })
})

describe('what is said of a format', () => {
  const yes = { lists: true, alternatives: true, half: 'blank', anyLoci: true, antigens: true }
  const bare = { lists: false, alternatives: false, half: 'copy', anyLoci: false, antigens: true }
  test.for([
    ['pypop', 'PyPop', bare, 'population'],
    ['arlequin', 'Arlequin', bare, 'population'],
    ['uniformat', 'UNIFORMAT', { ...yes, anyLoci: false }, ''],
    ['haplomat', 'Hapl-o-Mat', { ...yes, half: 'none', antigens: false }, ''],
    ['grimm', 'GRIMM', { ...yes, alternatives: false, half: 'copy', antigens: false }, 'race race2'],
    ['hped', 'HPED', bare, 'family father mother sex phenotype'],
    ['fhir', 'FHIR', { ...yes, antigens: false }, ''],
    ['hml', 'HML', { ...yes, antigens: false }, 'version:1.0.2|1.0.1:1.0.2 project-name:expected reporting-center:expected reporting-center-context date:required:YYYY-MM-DD center-code collection-method typing-method:expected:sbt-ngs|sbt-sanger test-id:expected test-id-source'],
    ['donors', 'Atlas donor import', { ...yes, alternatives: false }, 'updateMode:required:diff|full|check changeType:required:N|NU|U|D donorType:required:D|C|B donPool:expected ethn:expected'],
  ] as const)('%s', ([name, title, holds, fields]) => {
    const format = OUTPUT_FORMATS[name]
    expect(format).toMatchObject({ title, holds })
    const written = format.fields.map(({ name: field, need = '', form = '', fallback = '' }) => [field, need, form, fallback].filter((text) => text !== '').join(':')) // prettier-ignore
    expect(written.join(' ')).toBe(fields)
    const columns = format.fields.flatMap((one) => one.columns ?? [])
    expect(columns).toEqual(columns.filter((column) => column !== '' && column === column.toLowerCase()))
  }) // prettier-ignore

  test('texts of genes that are absent, and loci, are those of few', () => {
    const all = Object.entries(OUTPUT_FORMATS)
    expect(all.flatMap(([name, { absent }]) => (absent === undefined ? [] : [[name, absent]]))).toEqual([['pypop', '00:00']]) // prettier-ignore
    expect(
      all.flatMap(([name, { loci }]) => (loci === undefined ? [] : [[name, ...loci].join(' ')])),
    ).toEqual(['hped A B C DPA1 DPB1 DQA1 DQB1 DRB1'])
  })

  test.for([
    ['hml', 'version', ['1.0.2', '1.0.1'], '1.0', 'is not one of 1.0.2 1.0.1'],
    ['hml', 'typing-method', ['sbt-ngs', 'sbt-sanger'], 'sso', 'is not one of sbt-ngs sbt-sanger'],
    ['hml', 'date', ['2024-02-29'], '2023-02-29', 'is not a date like 1968-06-28'],
    ['donors', 'updateMode', ['diff', 'full', 'check'], 'all', 'is not one of diff full check'],
    ['donors', 'changeType', ['D', 'U', 'N', 'NU'], 'n', 'is not one of D U N NU'],
    ['donors', 'donorType', ['D', 'C', 'B'], 'A', 'is not one of D C B'],
  ] as const)('of %s the %s is one of %j, and not %s', ([name, field, right, wrong, reason]) => {
    const rule = OUTPUT_FORMATS[name].fields.find((one) => one.name === field)?.rule
    expect([...right, wrong].map((text) => rule?.(text))).toEqual([...right.map(() => undefined), reason])
  })

  test('the columns that hold a field of a person', () => {
    const columns = (name: OutputFormatName) =>
      OUTPUT_FORMATS[name].fields.flatMap((field) => (field.columns === undefined ? [] : [[field.name, ...field.columns].join(' ')])) // prettier-ignore
    expect(columns('pypop')).toEqual(['population population populat pop'])
    expect(columns('grimm')).toEqual(['race race', 'race2 race2'])
    expect(columns('hped')).toEqual([
      'family family family_id fid f_id',
      'father father',
      'mother mother',
      'sex sex gender',
      'phenotype phenotype pheno',
    ])
    expect(columns('hml')).toEqual([
      'date typing_date typing-date typing date',
      'center-code center_code center-code center code',
      'collection-method collection_method collection-method collection method',
      'typing-method typing_method typing-method typing method',
      'test-id test_id test-id test id',
      'test-id-source test_id_source test-id-source test id source',
    ])
    expect(columns('donors')).toEqual([
      'changeType changetype change_type',
      'donorType donortype donor_type',
      'donPool donpool don_pool',
      'ethn ethn',
    ])
  })
})

test('texts of genotypes', () => {
  const [{ genotype } = { genotype: undefined }] = genotypesOf(
    'A=A*01:01/A*01:02+MICB*002|TAP1*01:01+HFE*001',
  )
  expect(genotype && joinGenotype(genotype)).toBe('A*01:01/A*01:02+MICB*002|TAP1*01:01+HFE*001')
  expect(genotype && prefixedGenotype(genotype)).toBe('HLA-A*01:01/HLA-A*01:02+MICB*002|TAP1*01:01+HFE*001') // prettier-ignore
  expect(['A*01:01/A*01:02', 'HLA-A*01:01', 'A2', 'DRB1*15:01/DRB1*15:02'].map(bareCopy)).toEqual([
    '01:01/01:02',
    '01:01',
    'A2',
    '15:01/15:02',
  ])
})
