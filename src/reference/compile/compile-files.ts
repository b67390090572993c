/** Published files as installed -> a compiled release. */
import { createHash } from 'node:crypto'
import { HlaError } from '../../errors.ts'
import { compileRelease } from './compile.ts'
import { readFixedTables } from './fixed-tables.ts'
import { encodeRelease } from './encode.ts'
import { alleleListNames, parseReleaseNumber } from '../release-number.ts'
import { readHeader } from '../sources/lines.ts'
import { TCE_FILE } from '../sources/tce.ts'
import type { ReleaseFacts } from './tables.ts'

export interface NamedBytes {
  /** `wmda/hla_nom_g.txt`, `allelelist/Allelelist.3580.txt` */
  readonly name: string
  readonly bytes: Uint8Array
}

/** @throws {HlaError} bad-release-file — a needed file is missing */
export function compileFiles(files: readonly NamedBytes[]): Uint8Array {
  const textOf = (name: string) => {
    const text = findText(files, name)
    if (text === undefined) throw new HlaError('bad-release-file', `${name} is missing`, { offending: name })
    return text
  }
  const nom = textOf('wmda/hla_nom.txt')
  const { version = '', date = '' } = readHeader(nom)
  const { label, compact } = parseReleaseNumber(version)
  const list = formatAlleleList(
    label,
    files.map(({ name }) => name),
  )
  const texts = {
    alleleList: textOf(list),
    nomenclature: nom,
    gGroups: textOf('wmda/hla_nom_g.txt'),
    pGroups: textOf('wmda/hla_nom_p.txt'),
    dnaSerology: textOf('wmda/rel_dna_ser.txt'),
    serology: textOf('wmda/rel_ser_ser.txt'),
    tce: findText(files, TCE_FILE),
  }
  const used = files.filter(({ name }) => isCompiled(name) || name === list)
  const sources = used.map(({ name, bytes }) => ({
    name,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  return encodeRelease(compileRelease(texts, { label, compact, date, sources }, readFixedTables()))
}

/** True when a compiled release was made from these files. */
export function isCompiledFrom(
  facts: ReleaseFacts,
  files: readonly { name: string; sha256: string }[],
): boolean {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  return facts.sources.length > 0 && facts.sources.every(({ name, sha256 }) => hashes.get(name) === sha256)
}

function isCompiled(name: string): boolean {
  return (name.startsWith('wmda/') && name.endsWith('.txt')) || name === TCE_FILE
}

/** The release's own allele list among those of all releases; 3.13.0's is called 3131. */
function formatAlleleList(label: string, names: readonly string[]): string {
  const candidates = alleleListNames(parseReleaseNumber(label)).map((file) => `allelelist/${file}`)
  const found = candidates.find((name) => names.includes(name))
  if (found !== undefined) return found
  throw new HlaError('bad-release-file', `the allele list of ${label} is missing`, {
    offending: candidates[0],
  })
}

export function findText(files: readonly NamedBytes[], name: string): string | undefined {
  const file = files.find((one) => one.name === name)
  return file && Buffer.from(file.bytes).toString('utf8')
}
