/** Random documents, in every encoding and in pieces: each typing is read, in its slot of its person. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type RandomDocument,
  randomDonors,
  randomHml,
  randomInventory,
} from '../../support/random-documents.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { convertRecords } from '../../support/record-tables.ts'
import { rounds } from '../../support/rounds.ts'

/** Encodings of a stored text. */
const STORED: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
]

test.for([
  ['donor JSON', randomDonors, 'f.json'],
  ['HML', randomHml, 'f.xml'],
  ['inventories', randomInventory, 'f.xml'],
] as const)('%s', async ([, make, file]) => {
  const random = randomNumbers(19)
  for (let round = 0; round < rounds(1000, 100); round += 1) {
    const { text, persons }: RandomDocument = make(random)
    // without a typing there is no table
    if (persons.every(({ typings }) => typings.join('') === '')) continue
    const bytes = STORED[round % STORED.length]?.(text) ?? Buffer.from(text)
    const stored = round % 9 === 8 ? gzipSync(bytes) : bytes
    const piece = [1 << 16, 1, 7, 64][Math.floor(random() * 4)] ?? 1
    const { output } = await convertRecords({ [file]: stored }, { into: 'replace', outDelimiter: ',', piece })
    const rows = output
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    const read = rows.map(([id = '', ...others]) => ({ id, typings: others.slice(-2) }))
    expect({ text, read }).toEqual({ text, read: persons })
  }
})
