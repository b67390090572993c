/** A very small release in the published form, for installation in tests. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'

/** Paths below a branch, such as `wmda/hla_nom.txt`, with their bytes. */
export type Branch = Map<string, Buffer>

const ROWS: Readonly<Record<string, readonly string[]>> = {
  'wmda/hla_nom.txt': [
    ...['A;1', 'A;9', 'A;23', 'A;24', 'B;7', 'B;703'].map((antigen) => `${antigen};19680101;;;`),
    ...['A*;01:01:01:01', 'A*;01:01:01:02N', 'B*;07:02:01:01'].map((allele) => `${allele};19890801;;;`),
  ],
  'wmda/hla_nom_g.txt': ['A*;01:01:01:01/01:01:01:02N;01:01:01G', 'B*;07:02:01:01;'],
  'wmda/hla_nom_p.txt': ['A*;01:01:01:01;01:01P', 'B*;07:02:01:01;'],
  'wmda/rel_dna_ser.txt': ['A*;01:01:01:01;1;;;', 'A*;01:01:01:02N;0;;;', 'B*;07:02:01:01;7;;;'],
  'wmda/rel_ser_ser.txt': ['A;9;23/24;', 'B;7;;703'],
}

export const ALLELE_LIST = [
  'AlleleID,Allele',
  'HLA00001,A*01:01:01:01',
  'HLA00002,A*01:01:01:02N',
  'HLA00132,B*07:02:01:01',
]

export function smallBranch(version: string, date = '2024-10-09'): Branch {
  const { compact } = parseReleaseNumber(version)
  const branch: Branch = new Map()
  const hats = Number(version.split('.')[1]) >= 64
  for (const [name, rows] of Object.entries(ROWS)) {
    const lines = hats && name.endsWith('rel_dna_ser.txt') ? rows.map((row) => `${row};`) : rows
    branch.set(name, published(name, version, date, lines))
  }
  const list = `allelelist/Allelelist.${compact}.txt`
  branch.set(list, published(list, version, date, ALLELE_LIST))
  branch.set(
    'Deleted_alleles.txt',
    published('Deleted_alleles.txt', version, date, ['AlleleID,Allele,Description']),
  )
  return branch
}

export function published(name: string, version: string, date: string, rows: readonly string[]): Buffer {
  const header = [
    `# file: ${name}`,
    `# date: ${date}`,
    `# version: IPD-IMGT/HLA ${version}`,
    '# author: nobody',
  ]
  return Buffer.from([...header, ...rows].join('\n'))
}

/** Adds the checksum list of the `wmda` folder. */
export function withChecksums(branch: Branch): Branch {
  const lines = [...branch]
    .filter(([name]) => name.startsWith('wmda/'))
    .map(([name, bytes]) => {
      const sum = createHash('md5').update(bytes).digest('hex')
      return `MD5 (${name.slice('wmda/'.length)}) = ${sum}\n`
    })
  return new Map([...branch, ['wmda/md5checksum.txt', Buffer.from(lines.join(''))]])
}

export function within(folder: string, branch: Branch): Branch {
  return new Map([...branch].map(([name, bytes]) => [`${folder}/${name}`, bytes]))
}

export function writeFiles(folder: string, files: Branch): string {
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}
