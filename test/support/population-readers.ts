/**
 * Readers of population genetics files by the rules of the programs that use them: genotypes of each person. Written
 * from the programs' documents and sources, independent of our writers.
 */

/** Locus -> possible genotypes; each has copies, each copy has possible alleles. A missing copy has no alleles. */
export type ReadLoci = Readonly<Record<string, readonly (readonly (readonly string[])[])[]>>

export interface ReadPerson {
  readonly id: string
  readonly population?: string | undefined
  readonly rest?: readonly string[]
  readonly loci: ReadLoci
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

const words = (line: string) => line.split(/\s+/).filter((word) => word !== '')

/** PyPop, `ParseGenotypeFile`: a header line, fields by tabs, `untypedAllele=****`, pairs `_1:_2`. */
export function readPypop(text: string): ReadPerson[] {
  const [header = '', ...rows] = linesOf(text)
  const names = header.split('\t')
  return rows.map((row) => {
    const fields = row.split('\t')
    if (fields.length !== names.length)
      throw new Error(`PyPop: ${fields.length} fields, ${names.length} names`)
    const field = (name: string) => fields[names.indexOf(name)] ?? ''
    const loci = names.filter((name) => name.endsWith('_1')).map((name) => name.slice(0, -2))
    const copy = (name: string) => (field(name) === '****' ? [] : [field(name)])
    return {
      id: field('id'),
      population: field('populat'),
      loci: Object.fromEntries(
        loci.map((locus) => [locus.toUpperCase(), [[copy(`${locus}_1`), copy(`${locus}_2`)]]]),
      ),
    }
  })
}

/** Arlequin: sections, `NbSamples` samples, each with `SampleSize` persons of two lines between braces. Loci have numbers. */
export function readArlequin(text: string): ReadPerson[] {
  const [profile = '', samples = ''] = text.split('[[Samples]]')
  const asked = (name: string, section = profile) =>
    new RegExp(`${name}\\s*=\\s*["']?([^"'\\n]*)`).exec(section)?.[1] ?? ''
  if (!profile.trimStart().startsWith('[Profile]') || !profile.includes('[Data]')) throw new Error('Arlequin')
  if (asked('DataType') !== 'STANDARD' || asked('GenotypicData') !== '1') throw new Error('Arlequin: data')
  const missing = asked('MissingData')
  const all = samples.split('SampleName').slice(1)
  if (all.length !== Number(asked('NbSamples'))) throw new Error('Arlequin: NbSamples')
  return all.flatMap((sample) => {
    const lines = linesOf(/\{\n([^}]*)\}/.exec(sample)?.[1] ?? '').filter((line) => line.trim() !== '')
    const size = Number(asked('SampleSize', sample))
    if (lines.length !== 2 * size) throw new Error('Arlequin: SampleSize')
    return Array.from({ length: size }, (_, at) => {
      const [id = '', frequency, ...first] = words(lines[2 * at] ?? '')
      const second = words(lines[2 * at + 1] ?? '')
      if (frequency !== '1' || first.length !== second.length) throw new Error(`Arlequin: ${id}`)
      const copy = (allele: string | undefined) =>
        allele === undefined || allele === missing ? [] : [allele]
      return {
        id,
        population: /=\s*"([^"]*)"/.exec(sample)?.[1],
        loci: Object.fromEntries(first.map((one, locus) => [locus, [[copy(one), copy(second[locus])]]])),
      }
    })
  })
}

/** UNIFORMAT 3: white space between loci, `|` genotypes, `,` copies, `&` alleles, `@` untyped, `#` a comment. Loci have numbers. */
export function readUniformat(text: string): ReadPerson[] {
  const rows = linesOf(text).map((line) => words(line.replace(/#.*/, '')))
  const width = rows[0]?.length
  return rows.map(([id = '', ...loci]) => {
    if (loci.length + 1 !== width) throw new Error(`UNIFORMAT: ${id} has ${loci.length} loci`)
    const read = (locus: string) =>
      locus === '@' ? [] : locus.split('|').map((one) => one.split(',').map((copy) => copy.split('&')))
    return { id, loci: Object.fromEntries(loci.map((locus, at) => [at, read(locus)])) }
  })
}

/**
 * Hapl-o-Mat, `GLSCReport::translateLine` and `resolve`: white space between genotypes, the locus is the text before
 * the first `*`, two copies.
 */
export function readHaplomat(text: string): ReadPerson[] {
  return linesOf(text).map((line) => {
    const [id = '', ...genotypes] = words(line)
    const read = (genotype: string) =>
      genotype.split('|').map((one) => {
        const copies = one.split('+')
        if (copies.length !== 2) throw new Error(`Hapl-o-Mat: ${id} ${genotype}`)
        return copies.map((copy) => copy.split('/'))
      })
    return { id, loci: Object.fromEntries(genotypes.map((one) => [one.split('*')[0] ?? '', read(one)])) }
  })
}

/**
 * GRIMM, `impute_file`, `clean_up_gl` and `gl2haps`: commas (`%` in lines without one), a GL String, two races or
 * none.
 */
export function readGrimm(text: string): ReadPerson[] {
  return linesOf(text).map((line) => {
    const [id = '', gl = '', ...rest] = line.split(line.includes(',') ? ',' : '%')
    // it reads the fourth field if there is a third
    if (rest.length === 1) throw new Error(`GRIMM: ${id} has one race`)
    const known = gl.split('^').filter((locus) => locus !== '' && !/^U|U$/.test(locus))
    const read = (locus: string) => {
      const copies = locus.split('+')
      if (copies.length !== 2) throw new Error(`GRIMM: ${id} ${locus}`)
      return [copies.map((copy) => copy.split('/'))]
    }
    return { id, rest, loci: Object.fromEntries(known.map((one) => [one.split('*')[0] ?? '', read(one)])) }
  })
}

/** HATK: white space, six columns of a pedigree and 16 of alleles, `0` for none. */
export function readHped(text: string): ReadPerson[] {
  const loci = ['A', 'B', 'C', 'DPA1', 'DPB1', 'DQA1', 'DQB1', 'DRB1']
  return linesOf(text).map((line) => {
    const fields = words(line)
    if (fields.length !== 22) throw new Error(`HPED: ${fields.length} columns`)
    const copy = (at: number) => (fields[at] === '0' ? [] : [fields[at] ?? ''])
    return {
      id: fields[1] ?? '',
      rest: fields.slice(0, 6),
      loci: Object.fromEntries(loci.map((locus, at) => [locus, [[copy(6 + 2 * at), copy(7 + 2 * at)]]])),
    }
  })
}
