/**
 * Answers in the spelling of the WHO Nomenclature Committee, and of programs that predict peptide binding; A23(9) as
 * input.
 */
import { describe, expect, test } from 'vitest'
import { findAntigen, broadOf } from '../../src/engine/antigen-levels.ts'
import { makeEngine } from '../../src/engine/engine.ts'
import { redux } from '../../src/engine/redux.ts'
import { type WrittenNames } from '../../src/engine/write-as.ts'
import { formatWhoSpelling } from '../../src/nomenclature/antigen.ts'
import { readLeniently } from '../../src/engine/accept.ts'
import { readLocus } from '../../src/nomenclature/allele.ts'
import { NoMolecule, type Program, PROGRAMS, writeMolecule } from '../../src/nomenclature/programs.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { reduxOperation } from '../../src/operations/questions/redux.ts'
import { readCell } from '../../src/table/cells/cells.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { makeTokens, notedNames } from '../../src/table/cells/tokens.ts'
import { recognizeShape } from '../../src/table/words/typing-shape.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('on release 3.58.0', () => {
  const release = () => realRelease('3580')
  const engine = () => makeEngine(release())
  const ask = (gl_string: string, as: WrittenNames, reduction_method: 'U2' | 'S' | 'lgx' = 'U2') =>
    reduxOperation.run(
      { gl_string, as, reduction_method },
      makeKnowledge({ release: release(), mac: realMacs() }),
    ).ard

  describe('antigens with their broads', () => {
    test('every split is read as itself, behind HLA- and in genotypes too', () => {
      const { broads } = release().facts
      const pairs = Object.entries(broads).flatMap(([broad, splits]) =>
        splits.map((split) => [broad, split] as const),
      )
      expect(pairs.length).toBeGreaterThan(30)
      for (const [broad, split] of pairs) {
        const spelled = formatWhoSpelling({ split, broad })
        expect(findAntigen(spelled, release())).toBe(split)
        expect(broadOf(split, release())).toBe(broad)
        const answer = (text: string, method: 'S' | 'lgx' | '1F') => {
          const error = errorOf(() => redux(engine(), text, method))
          return error?.code ?? redux(engine(), text, method).text
        }
        for (const method of ['S', 'lgx', '1F'] as const)
          expect(answer(`HLA-${spelled}+${spelled}`, method)).toBe(answer(`HLA-${split}+${split}`, method))
      }
    })

    test.for([
      ['Cw9(w3)', 'Cw9'],
      ['Cw9(3)', 'Cw9'],
      ['A23(10)', undefined],
      ['A1(9)', undefined],
      ['A9(9)', undefined],
      ['A2403(9)', undefined],
    ])('%s is %s', ([name = '', antigen]) => expect(findAntigen(name, release())).toBe(antigen))

    test.for([
      ['A23(10)', 'A23 is a split of A9, not of A10', 'A23(9)'],
      ['A1(9)', 'A1 has no broad antigen', 'A1'],
      // the broad antigen first
      ['A9(23)', 'A23 is a split of A9: A23(9)', 'A23(9)'],
    ])('%s: %s', ([name = '', hint, suggestion]) => {
      expect(errorOf(() => redux(engine(), name, 'S'))).toMatchObject({
        code: 'unknown-antigen',
        hint,
        suggestions: [suggestion],
      })
    })

    test.for([
      ['A*23:01+A*02:01^B*51:01', 'A2+A23(9)^B51(5)'],
      ['HLA-A*23:01', 'HLA-A23(9)'],
      ['C*03:03', 'Cw9(w3)'],
      ['DRB1*15:01', 'DR15(2)'],
      ['A*01:01', 'A1'],
    ])('%s is written %s', ([typing = '', written]) => expect(ask(typing, 'who', 'S')).toBe(written))

    test.for([
      ['23(9)', 'A', 'A23(9)'],
      ['9(w3)', 'C', 'Cw9(w3)'],
      ['15(2)', 'DRB1', 'DR15(2)'],
      ['A24(9)', 'A', 'A24(9)'],
      ['23(9)/24(9)', 'A', 'A23(9)/A24(9)'],
      ['B51(5)', 'A', '! locus-mismatch'],
    ])('the cell %s at %s is %s', ([text = '', locus, read]) => {
      const facts = makeNameFacts(release())
      const context = {
        locus,
        digits: 'antigen' as const,
        tokens: makeTokens({}),
        accept: [],
        facts,
        joined: undefined,
      }
      const reading = () => {
        const cell = readCell(text, context)
        return cell.kind === 'token' ? cell.status : cell.glString
      }
      const error = errorOf(reading)
      expect(error === undefined ? reading() : `! ${error.code}`).toBe(read)
    })

    test.for([
      ['A23(9)', 'antigen'],
      ['23(9)', 'digits'],
      ['A23(9),24(9);B51(5),7', 'phenotype'],
      // a number and its percentage
      ['45(12.5)', 'other'],
    ])('%s looks like %s', ([text = '', shape]) => expect(recognizeShape(text)).toBe(shape))
  })

  describe('molecules of programs', () => {
    test.for([
      ['A*02:01:01:01', 'HLA-A02:01', 'HLA-A*02:01', 'HLA-A*02:01', 'HLA-A*02:01'],
      ['A*30:14L', 'HLA-A30:14L', 'HLA-A*30:14L', 'HLA-A*30:14L', 'HLA-A*30:14L'],
      ['A*24:02:01:02L', 'HLA-A24:02', 'HLA-A*24:02', 'HLA-A*24:02', 'HLA-A*24:02'],
      ['DRB1*01:01', 'DRB1_0101', 'DRB1*01:01', '', 'HLA-DRB1*01:01'],
      ['DRB5*01:01', 'DRB5_0101', 'DRB5*01:01', '', 'HLA-DRB5*01:01'],
      [
        'DQA1*05:01~DQB1*02:01',
        'HLA-DQA10501-DQB10201',
        'DQA1*05:01-DQB1*02:01',
        '',
        'HLA-DQA1*05:01/DQB1*02:01',
      ],
      [
        'DPA1*01:03~DPB1*04:01',
        'HLA-DPA10103-DPB10401',
        'DPA1*01:03-DPB1*04:01',
        '',
        'HLA-DPA1*01:03/DPB1*04:01',
      ],
    ])('%s', ([typing = '', netmhcpan, pvacseq, mhcflurry, iedb]) => {
      const written = PROGRAMS.map((program) => {
        const error = errorOf(() => ask(typing, program))
        return error === undefined ? ask(typing, program) : ''
      })
      expect(written).toEqual([netmhcpan, pvacseq, mhcflurry, iedb])
    })

    test.for([
      [
        'DQA1*01:01+DQA1*05:01^DQB1*02:01+DQB1*05:01',
        'HLA-DQA10101-DQB10201+HLA-DQA10101-DQB10501+HLA-DQA10501-DQB10201+HLA-DQA10501-DQB10501',
      ],
      [
        'A*02:01^DPB1*04:01+DPB1*1001:01^DPA1*01:03',
        'HLA-DPA10103-DPB10401+HLA-DPA10103-DPB1100101^HLA-A02:01',
      ],
      ['DQA1*01:01+DQA1*01:01^DQB1*02:01+DQB1*02:01', 'HLA-DQA10101-DQB10201'],
      [
        'DQA1*01:01+DQA1*05:01|DQA1*01:02+DQA1*05:01^DQB1*02:01',
        'HLA-DQA10101-DQB10201+HLA-DQA10501-DQB10201|HLA-DQA10102-DQB10201+HLA-DQA10501-DQB10201',
      ],
      ['DQA1*05:01/DQA1*05:05^DQB1*02:01', 'HLA-DQA10501-DQB10201/HLA-DQA10505-DQB10201'],
      // phased chains make the molecules of their chromosomes
      ['DQA1*01:01~DQB1*05:01+DQA1*05:01~DQB1*02:01', 'HLA-DQA10101-DQB10501+HLA-DQA10501-DQB10201'],
    ])('a person with %s has %s', ([typing = '', molecules]) => {
      expect(ask(typing, 'netmhcpan')).toBe(molecules)
    })

    test('one gene of two makes no molecule', () => {
      const facts = { chain: 'DQA1*01:01+DQA1*05:01', program: 'netmhcpan' }
      expect(errorOf(() => ask('DQA1*01:01+DQA1*05:01', 'netmhcpan'))).toMatchObject({
        code: 'no-molecule',
        facts,
      })
      expect(errorOf(() => ask('A*02:01^DQA1*01:01', 'netmhcpan'))?.code).toBe('no-molecule')
      expect(errorOf(() => ask('DQA1*01:XX^DQB1*03:XX', 'netmhcpan'))?.code).toBe('too-ambiguous')
    })

    test.for([
      'A*24:09N',
      'A*01:01:01:02N',
      'A*02:01+A*24:09N',
      'DQB1*02:01',
      'MICA*002:01',
      'DRA*01:01',
      'DRB4*NNNN',
      'A*02:01~DQB1*02:01',
    ])('%s has none', (typing) => {
      for (const program of PROGRAMS)
        expect(errorOf(() => ask(typing, program))?.code).toMatch(/^(?:no-molecule|unknown-allele)$/)
    })

    test('methods that join alleles to groups are refused', () => {
      for (const program of PROGRAMS)
        expect(errorOf(() => ask('A*02:01', program, 'lgx'))).toMatchObject({ code: 'bad-request' })
    })

    /** Names of two fields that are not null, alone or as the chains of a molecule. */
    const writable = () => {
      const { size } = release()
      const names = Array.from({ length: size }, (_, id) => release().nameOf(id)).filter(
        (name) => release().is('allele', name) && /^[^:]*\*\d+:\d+[LSQCA]?$/.test(name),
      )
      const of = (gene: string) => names.filter((name) => readLocus(name) === gene)
      const pairs = ['DQ', 'DP'].flatMap((molecule) => {
        const [alphas, betas] = [of(`${molecule}A1`), of(`${molecule}B1`)]
        // each with another partner as long as there are any
        return betas.map((beta, at) => `${alphas[at % alphas.length]}~${beta}`)
      })
      return [...names.filter((name) => !/^D[QP]/.test(name)), ...pairs]
    }

    test.for(PROGRAMS)('whatever is written for %s is read back', (program) => {
      const known = { engine: engine() }
      const wrong: unknown[] = []
      let count = 0
      for (const name of writable()) {
        const molecule = moleculeFor(name, program)
        if (molecule === undefined) continue
        count += 1
        const { text } = readLeniently(known, molecule, ['notation'])
        if (text.replaceAll('HLA-', '') !== name) wrong.push([name, molecule, text])
      }
      expect(wrong).toEqual([])
      expect(count).toBeGreaterThan(program === 'mhcflurry' ? 16_000 : 22_000)
    })

    test('a column of molecules is read back, digits by the release', () => {
      const facts = makeNameFacts(release())
      const chains = writable().filter((name) => name.includes('~') || /^DRB[1345]\*/.test(name))
      const wrong = chains.flatMap((name) => {
        const molecule = moleculeFor(name, 'netmhcpan') ?? ''
        const read = notedNames(molecule, facts)
        return read?.replaceAll('HLA-', '') === name ? [] : [[name, molecule, read]]
      })
      expect(wrong).toEqual([])
      expect(chains.length).toBeGreaterThan(6000)
    })
  })
})

function moleculeFor(name: string, program: Program): string | undefined {
  try {
    return writeMolecule(name.split('~'), program)
  } catch (error) {
    if (error instanceof NoMolecule) return undefined
    throw error
  }
}
