/** A second reader of the published files. This folder imports nothing from src, so that it cannot share its faults. */
import { existsSync, readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { readTexts } from '../releases.ts'
import { sharedPath } from '../shared.ts'

export interface GroupLine {
  readonly members: readonly string[]
  /** Name with locus; empty for an allele without a group. */
  readonly name: string
}

export interface AntigenLine {
  readonly allele: string
  /** Antigen numbers after the letters, from all three columns. */
  readonly numbers: readonly string[]
}

export interface FamilyLine {
  /** `A`, `Cw`, `DR`… */
  readonly letters: string
  readonly number: string
  readonly splits: readonly string[]
  readonly associated: readonly string[]
}

export interface PublishedFiles {
  readonly names: readonly string[]
  readonly g: readonly GroupLine[]
  readonly p: readonly GroupLine[]
  readonly antigens: readonly AntigenLine[]
  readonly families: readonly FamilyLine[]
}

/** `compact`: release such as `3580`. */
export function readPublishedFiles(compact: string): PublishedFiles {
  if (!existsSync(sharedPath('upstream/IMGTHLA', compact))) return parsePublishedFiles(readTexts(compact))
  const wmda = (file: string) => textOf(compact, 'wmda', file)
  return parsePublishedFiles({
    alleleList: textOf('Latest', 'allelelist', `Allelelist.${compact}.txt`),
    gGroups: wmda('hla_nom_g.txt'),
    pGroups: wmda('hla_nom_p.txt'),
    dnaSerology: wmda('rel_dna_ser.txt'),
    serology: wmda('rel_ser_ser.txt'),
  })
}

interface PublishedTexts {
  readonly alleleList: string
  readonly gGroups: string
  readonly pGroups: string
  readonly dnaSerology: string
  readonly serology: string
}

export function parsePublishedFiles(texts: PublishedTexts): PublishedFiles {
  const list = cellsOf(texts.alleleList, ',')
  return {
    names: list.filter(([id]) => id !== 'AlleleID').map(([, name = '']) => name),
    g: cellsOf(texts.gGroups, ';').flatMap(groupLine),
    p: cellsOf(texts.pGroups, ';').flatMap(groupLine),
    antigens: cellsOf(texts.dnaSerology, ';').map(antigenLine),
    families: cellsOf(texts.serology, ';').map(
      ([letters = '', number = '', splits = '', associated = '']) => ({
        letters,
        number,
        splits: partsOf(splits),
        associated: partsOf(associated),
      }),
    ),
  }
}

function textOf(...path: string[]): string {
  return readFileSync(sharedPath('upstream/IMGTHLA', ...path), 'utf8')
}

function cellsOf(text: string, delimiter: string): string[][] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(delimiter))
}

function partsOf(cell: string): string[] {
  return cell.split('/').filter((part) => part !== '')
}

function groupLine([locus = '', members = '', name = '']: readonly string[]): GroupLine[] {
  if (name === '') return []
  return [{ members: partsOf(members).map((member) => locus + member), name: locus + name }]
}

function antigenLine(cells: readonly string[]): AntigenLine {
  const [locus = '', allele = '', unambiguous = '', possible = '', assumed = ''] = cells
  const numbers = [unambiguous, ...partsOf(possible), ...partsOf(assumed)]
  return {
    allele: locus + allele,
    numbers: numbers.filter((number) => number !== '' && number !== '0' && number !== '?'),
  }
}

/** The published list of codes, unpacked. */
export function readNumer(): string {
  const zip = readFileSync(sharedPath('upstream/mac/numer.v3.zip'))
  const directory = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const begin = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28)
  return inflateRawSync(zip.subarray(begin, begin + zip.readUInt32LE(directory + 20))).toString('latin1')
}

/** Published codes in file order: code, expansion. */
export function readPublishedCodes(): readonly (readonly [code: string, expansion: string])[] {
  return readNumer()
    .split(/\r?\n/)
    .slice(3)
    .filter((line) => line.includes('\t'))
    .map((line) => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1).trim()] as const)
}
