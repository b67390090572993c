/** Lines of the published files that support a fact: of an allele, a group, an antigen, a code. */
import { readLocus } from '../nomenclature/allele.ts'
import { lowerBound } from './lower-bound.ts'
import { alleleListNames, parseReleaseNumber } from './release-number.ts'
import { parseSerology } from './sources/serology.ts'

/** Text of a published file as installed, by name (`hla_nom_g.txt`); undefined when it is not kept. */
export type Sources = (name: string) => string | undefined

export interface Citation extends SourceLine {
  /** `hla_nom_g.txt` */
  readonly file: string
}

export interface AlleleCitation extends Citation {
  /** `2020-08-31` */
  readonly assigned: string
}

export interface GroupCitation extends Citation {
  /** Name as published; undefined for an allele outside every group. */
  readonly group: string | undefined
}

/** Antigen numbers as published, by certainty; `0` is a null allele, `?` an unknown antigen. */
export interface SerologyCitation extends Citation {
  readonly unambiguous: string
  readonly possible: string
  readonly assumed: string
  /** HATS antigen, from 3.64.0 on; undefined in files without the column. */
  readonly hats: string | undefined
}

export interface DeletionCitation extends Citation {
  readonly accession: string
  readonly description: string
}

/** Every look-up returns undefined when the file lacks the item, or is not kept. */
export interface Citations {
  /** Row of a name; deleted names have rows too, and one in use takes precedence. */
  allele(name: string): AlleleCitation | undefined
  inAlleleList(name: string): Citation | undefined
  /** Row of `hla_nom_g.txt` or `hla_nom_p.txt` that contains the allele. */
  group(kind: 'g' | 'p', allele: string): GroupCitation | undefined
  serology(allele: string): SerologyCitation | undefined
  /** Row of `rel_ser_ser.txt` that makes `narrow` a split of `broad`, or associates it with that antigen. */
  split(broad: string, narrow: string): Citation | undefined
  deleted(name: string): DeletionCitation | undefined
  mac(code: string): Citation | undefined
}

/** `release` is a label: `3.58.0`. */
export function readCitations(sources: Sources, release: string): Citations {
  const file = memoized(sources)
  const lists = alleleListNames(parseReleaseNumber(release))
  return {
    allele: (name) => alleleIn(file('hla_nom.txt'), name),
    inAlleleList: (name) => findFirst(lists, (list) => listedIn(file(list), name)),
    group: (kind, allele) => groupIn(file(`hla_nom_${kind}.txt`), allele),
    serology: (allele) => serologyIn(file('rel_dna_ser.txt'), allele),
    split: (broad, narrow) => splitIn(file('rel_ser_ser.txt'), broad, narrow),
    deleted: (name) => deletedIn(file('Deleted_alleles.txt'), name),
    mac: (code) =>
      findFirst(MAC_LISTS, (list) => find(file(list), `${code}\t`, (line) => isRowOf(code, line))),
  }
}

const MAC_LISTS = ['numer.v3.txt', 'alpha.v3.txt']

/** True for the row of a code; rows of alpha.v3.txt may begin with a star and a tab. */
function isRowOf(code: string, line: string): boolean {
  return line.replace(/^\*\t/, '').startsWith(`${code}\t`)
}

/** Citations of data without source files: the starter set. */
export const NO_CITATIONS: Citations = readCitations(() => undefined, '3.58.0')

interface NamedText {
  readonly name: string
  readonly text: SourceText
}

type File = NamedText | undefined

function memoized(sources: Sources): (name: string) => File {
  const files = new Map<string, File>()
  return (name) => {
    if (!files.has(name)) {
      const text = sources(name)
      files.set(name, text === undefined ? undefined : { name, text: sourceText(text) })
    }
    return files.get(name)
  }
}

function find(
  file: File,
  needle: string,
  accept: (line: string) => boolean,
  from?: string,
): Citation | undefined {
  const row = file?.text.row(needle, accept, from)
  return file === undefined || row === undefined ? undefined : { file: file.name, ...row }
}

function findFirst<T>(names: readonly string[], look: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const citation = look(name)
    if (citation !== undefined) return citation
  }
  return undefined
}

/** `A*;01:01;` in files with the locus in its own column. */
function splitStart(name: string): { locus: string; fields: string; start: string } {
  const locus = `${readLocus(name)}*;`
  const fields = name.slice(locus.length - 1)
  return { locus, fields, start: `${locus}${fields};` }
}

function alleleIn(file: File, name: string): AlleleCitation | undefined {
  const { locus, start } = splitStart(name)
  const inUse = find(file, start, (line) => line.startsWith(start) && !line.split(';')[3], locus)
  const citation = inUse ?? find(file, start, (line) => line.startsWith(start), locus)
  if (citation === undefined) return undefined
  const assigned = (citation.text.split(';')[2] ?? '').replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  return { ...citation, assigned }
}

function listedIn(file: File, name: string): Citation | undefined {
  return find(file, `,${name}`, (line) => line.split(',')[1] === name)
}

function groupIn(file: File, allele: string): GroupCitation | undefined {
  const { locus, fields } = splitStart(allele)
  const holds = (line: string) => {
    const [column = '', members = ''] = line.split(';', 2)
    return `${column};` === locus && `/${members}/`.includes(`/${fields}/`)
  }
  const citation = find(file, fields, holds, locus)
  if (citation === undefined) return undefined
  const group = citation.text.split(';')[2]
  return { ...citation, group: group ? `${readLocus(allele)}*${group}` : undefined }
}

function serologyIn(file: File, allele: string): SerologyCitation | undefined {
  const { locus, start } = splitStart(allele)
  const row = file?.text.onlyRow(start, locus)
  if (file === undefined || row === undefined) return undefined
  const citation = { file: file.name, ...row }
  const [, , unambiguous = '', possible = '', assumed = '', , hats] = citation.text.split(';')
  return { ...citation, unambiguous, possible, assumed, hats }
}

function splitIn(file: File, broad: string, narrow: string): Citation | undefined {
  const isEdge = (line: string) =>
    parseSerology(line).some(
      ({ antigen, splits, associated }) =>
        antigen === broad && (splits.includes(narrow) || associated.includes(narrow)),
    )
  return find(file, ';', isEdge)
}

function deletedIn(file: File, name: string): DeletionCitation | undefined {
  const citation = find(file, `,${name},`, (line) => line.split(',')[1] === name)
  if (citation === undefined) return undefined
  const [accession = '', , ...description] = citation.text.split(',')
  return { ...citation, accession, description: description.join(',').replace(/^"|"$/g, '') }
}

interface SourceLine {
  /** Line number, 1-based; LF, CRLF and a lone CR end a line. */
  readonly line: number
  /** Text of the line without surrounding white space. */
  readonly text: string
}

interface SourceText {
  /**
   * First line at or after the first occurrence of `from` that contains `needle` and is accepted; undefined for an
   * empty needle.
   */
  row(needle: string, accept: (line: string) => boolean, from?: string): SourceLine | undefined
  /**
   * Line that begins with `start`, for starts that are unique; queries in the order of the file are found near the last
   * hit.
   */
  onlyRow(start: string, from: string): SourceLine | undefined
}

/** Characters searched first after the last hit: some hundred lines. */
const NEAR = 16 * 1024

function sourceText(text: string): SourceText {
  let starts: Uint32Array | undefined
  let last = 0
  const rowAt = (at: number): SourceLine => {
    starts ??= findLineStarts(text)
    const line = lineAt(starts, at)
    return { line, text: text.slice(starts[line - 1], starts[line]).trim() }
  }
  return {
    onlyRow(start, from) {
      const near = findLineStart(text.slice(last, last + NEAR), start, 0)
      const at = near < 0 ? findLineStart(text, start, Math.max(text.indexOf(from), 0)) : last + near
      if (at < 0) return undefined
      last = at
      return rowAt(at)
    },
    row(needle, accept, from = '') {
      if (needle === '') return undefined
      starts ??= findLineStarts(text)
      let at = text.indexOf(needle, Math.max(text.indexOf(from), 0))
      while (at >= 0) {
        const number = lineAt(starts, at)
        const end = starts[number] ?? text.length
        const line = text.slice(starts[number - 1], end).trim()
        if (!line.startsWith('#') && accept(line)) return { line: number, text: line }
        // each line is tested once: rows of large groups contain the same digits a hundred times
        at = text.indexOf(needle, end)
      }
      return undefined
    },
  }
}

/** Offset of the line that begins with `start`; -1 when there is none. */
function findLineStart(text: string, start: string, from: number): number {
  let at = text.indexOf(start, from)
  while (at > 0 && !'\r\n'.includes(text.charAt(at - 1))) at = text.indexOf(start, at + 1)
  return at
}

function findLineStarts(text: string): Uint32Array {
  const starts = [0]
  const ends = /\r\n|\n|\r/g
  while (ends.test(text)) starts.push(ends.lastIndex)
  return Uint32Array.from(starts)
}

/** 1-based number of the line at an offset. */
function lineAt(starts: Uint32Array, offset: number): number {
  return lowerBound(starts.length, (at) => (starts[at] ?? 0) <= offset)
}
