/** Inventories and donor import files of synthetic donors, made from the rows of a generated table.  [disk] */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const EXCHANGE_KINDS = ['wmda', 'donor-json'] as const
export type ExchangeKind = (typeof EXCHANGE_KINDS)[number]

/** `table`: id, sex and center, then two columns a locus. */
export async function writeDonors(kind: ExchangeKind, table: string, file: string): Promise<void> {
  const { begin, donor, end } = WRITERS[kind]
  const out = openSync(file, 'w')
  let [text, count, loci]: [string, number, readonly string[] | undefined] = [begin, 0, undefined]
  for await (const line of createInterface({ input: createReadStream(table) })) {
    // only centers with a comma are quoted
    const [id = '', sex = '', , ...cells] = line.replace(/"[^"]*(?:""[^"]*)*"/, 'center').split(',')
    if (loci === undefined) {
      loci = cells.filter((_, at) => at % 2 === 0).map((name) => name.replace(/_1$/, ''))
      continue
    }
    const typings = loci
      .map((locus, at) => [locus, bare(cells[2 * at]), bare(cells[2 * at + 1])] as const)
      .filter(([, first]) => first !== '')
    text += donor({ id, sex, typings, count: (count += 1) })
    if (text.length < 1 << 20) continue
    writeSync(out, text)
    text = ''
  }
  writeSync(out, text + end)
  closeSync(out)
}

/** The name without its locus. */
function bare(cell = ''): string {
  return cell.slice(cell.indexOf('*') + 1)
}

interface Donor {
  readonly id: string
  readonly sex: string
  readonly typings: readonly (readonly [locus: string, first: string, second: string])[]
  readonly count: number
}

interface Writer {
  readonly begin: string
  readonly end: string
  readonly donor: (donor: Donor) => string
}

const WRITERS: Readonly<Record<ExchangeKind, Writer>> = {
  wmda: {
    begin: `<?xml version="1.0" encoding="UTF-8"?>
<INVENTORIES CREATION_TIME="2026-01-01T00:00:00Z">
  <INVENTORY LISTING_ORGANIZATION="1234" POOL="1234" CONTENT_TYPE="D" UPDATE_MODE="FULL" SCHEMA_VERSION="2.3">
`,
    end: '  </INVENTORY>\n</INVENTORIES>\n',
    donor: ({ id, sex, typings, count }) => `    <DONOR>
      <GRID>1234${String(count).padStart(13, '0')}${String(count % 97).padStart(2, '0')}</GRID>
      <ID>${id}</ID>
      <BIRTH_DATE>1990-0${1 + (count % 9)}-1${count % 10}</BIRTH_DATE>
      <SEX>${sex}</SEX>
      <HLA>
${typings.map(([locus, first, second]) => `        <${locus}>\n          <DNA>\n            <FIELD1>${first}</FIELD1>\n            <FIELD2>${second}</FIELD2>\n          </DNA>\n        </${locus}>\n`).join('')}      </HLA>
      <STATUS>AV</STATUS>
    </DONOR>
`,
  },
  'donor-json': {
    begin: '{\n  "updateMode": "full",\n  "donors": [\n',
    end: '\n  ]\n}\n',
    donor: ({ id, typings, count }) => `${count === 1 ? '' : ',\n'}    {
      "recordId": "${id}",
      "changeType": "N",
      "donorType": "D",
      "donPool": "1",
      "ethn": "UK",
      "hla": {
${typings.map(([locus, first, second]) => `        "${locus.toLowerCase()}": { "dna": { "field1": "*${first}", "field2": "*${second}" } }`).join(',\n')}
      }
    }`,
  },
}
