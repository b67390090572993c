/**
 * A full release with the antigens of 2026: 3.58.0 with the relations of the published preview, the sample of its assignments,
 * and otherwise the antigens named anew that alleles are known to have.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileRelease, type ReleaseTexts } from '../../src/reference/compile/compile.ts'
import { encodeRelease } from '../../src/reference/compile/encode.ts'
import { readFixedTables } from '../../src/reference/compile/fixed-tables.ts'
import { type Release, readRelease } from '../../src/reference/release.ts'
import { readTexts } from './releases.ts'
import { sharedPath } from './shared.ts'

const PREVIEW = 'upstream/nomenclature-2026'

export const hasPreview = existsSync(sharedPath(PREVIEW, 'rel_ser_ser.txt'))

/** What 3.64.0 has of an allele that is not in the sample. */
const ASSIGNED: Readonly<Record<string, string>> = {
  'DRB1*;14:17': '1402',
  'B*;07:13': '0713',
  'B*;67:02': '6702',
}

/** Of what was published so before, by the report. */
const RENAMED: Readonly<Record<string, string>> = { 203: '0203', 210: '0210', 703: '0703', 103: '0103' }

export function texts2026(): ReleaseTexts {
  const texts = readTexts('3580')
  const serology = readFileSync(sharedPath(PREVIEW, 'rel_ser_ser.txt'), 'utf8')
  const sample = readFileSync(sharedPath(PREVIEW, 'rel_dna_ser.sample.txt'), 'utf8')
  return { ...texts, serology, dnaSerology: assignments(texts.dnaSerology, serology, sample) }
}

let release: Release | undefined

export function release2026(): Release {
  const identity = { label: '3.64.0', compact: '3640', date: '2026-04-16', sources: [] }
  return (release ??= readRelease(encodeRelease(compileRelease(texts2026(), identity, readFixedTables()))))
}

function assignments(published: string, serology: string, sample: string): string {
  const sampled = new Map(dataLines(sample).map((line) => [line.split(';', 2).join(';'), line]))
  const named = new Set(
    dataLines(serology).flatMap((line) => {
      const [letters = '', , , associated = ''] = line.split(';')
      return associated.split('/').map((number) => letters + number)
    }),
  )
  const rows = dataLines(published).map((line) => {
    const known = sampled.get(line.split(';', 2).join(';'))
    return known ?? renamed(line.split(';'), named)
  })
  return rows.join('\n')
}

/** `A*;02:01:01:01;2;;;` -> `A*;02:01:01:01;0201;;;;0201`: what is unambiguous and has an antigen of its own name has that. */
function renamed(cells: readonly string[], named: ReadonlySet<string>): string {
  const [locus = '', allele = '', unambiguous = '', possible = '', assumed = ''] = cells
  const anew = (numbers: string) =>
    numbers
      .split('/')
      .map((number) => RENAMED[number] ?? number)
      .join('/')
  const letters = locus === 'C*' ? 'Cw' : locus.replace('*', '').slice(0, 2)
  // DRB3*01:01 is nothing of DR0101
  const number = /^DRB[345]/.test(locus) ? '' : allele.split(':').slice(0, 2).join('')
  const assigned = ASSIGNED[`${locus};${allele.split(':').slice(0, 2).join(':')}`]
  if (assigned !== undefined) return [locus, allele, assigned, '', '', '', assigned].join(';')
  const own =
    unambiguous !== '' && unambiguous !== '0' && number !== '' && named.has(letters + number)
      ? number
      : anew(unambiguous)
  const hats = own === '' || own === '0' || own === '?' ? anew(assumed || possible) : own
  return [
    locus,
    allele,
    own,
    anew(possible),
    anew(assumed),
    '',
    hats.includes('/') || hats === '0' ? '' : hats,
  ].join(';')
}

function dataLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line !== '' && !line.startsWith('#'))
}

/** A folder to install 3.58.0 and 3.64.0 from, laid out as published. */
export function writeReleases(folder: string): string {
  const published = (...path: string[]) => readFileSync(sharedPath('upstream/IMGTHLA', ...path), 'utf8')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { dnaSerology, serology } = texts2026()
  const anew: Readonly<Record<string, string>> = {
    'rel_dna_ser.txt': dnaSerology,
    'rel_ser_ser.txt': serology,
  }
  for (const name of [
    'hla_nom.txt',
    'hla_nom_g.txt',
    'hla_nom_p.txt',
    'rel_dna_ser.txt',
    'rel_ser_ser.txt',
  ]) {
    const text = published('3580/wmda', name)
    const head = text.split('\n').filter((line) => line.startsWith('#'))
    const rows = dataLines(anew[name] ?? text)
    write(`3580/wmda/${name}`, text)
    write(`3640/wmda/${name}`, as3640([...head, ...rows].join('\n')))
  }
  const list = published('Latest/allelelist/Allelelist.3580.txt')
  write('Latest/allelelist/Allelelist.3580.txt', list)
  write('Latest/allelelist/Allelelist.3640.txt', as3640(list))
  write('Latest/Deleted_alleles.txt', published('Latest/Deleted_alleles.txt'))
  return folder
}

function as3640(text: string): string {
  return text
    .replace(/^# version:.*$/m, '# version: IPD-IMGT/HLA 3.64.0')
    .replace(/^# date:.*$/m, '# date: 2026-04-16')
}
