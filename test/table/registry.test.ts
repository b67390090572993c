/**
 * Whole-program conversions of published registry files, compared with single reductions and with py-ard's batch tool.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { redux } from '../../src/engine/redux.ts'
import { installedData } from '../support/installed-data.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { callHla } from '../support/call-hla.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()

describe.skipIf(!hasShared)('hla redux over registry files', () => {
  const cwd = temp('.')
  let data = ''
  beforeAll(async () => {
    data = await installedData()
  })

  async function convert(args: readonly string[], stdin: Uint8Array = Buffer.alloc(0)) {
    return callHla(['redux', ...args], { cwd, env: { HLA_DATA_DIR: data }, stdin })
  }

  const simK = hasShared
    ? readFileSync(sharedPath('registry/simk/simK_hla_37993_northern_portugal.tsv'), 'latin1')
    : ''

  test('simK: 303,944 of 303,944, and the text round them as it was', async () => {
    const args = [
      '-i',
      sharedPath('registry/simk/simK_hla_37993_northern_portugal.tsv'),
      '--bare-digits',
      'antigen',
      '--keep',
      'serology,xx',
    ]
    const { stdout, stderr, status } = await convert(args)
    expect(status).toBe(0)
    expect(stderr).toContain('37,993 rows, 303,944 typings (81 distinct): 303,944 ok\n')
    expect(stderr).toContain('17,303 typings are not antigens and were read as first-field codes')
    const rows = stdout.split('\n').map((line) => line.split('\t'))
    expect(rows.map((row) => row.filter((_, at) => at === 0 || at % 2 === 1).join('\t')).join('\n')).toBe(
      simK,
    )
  })

  test('simK: each distinct typing is what reducing it by hand gives', async () => {
    const rows = simK.trimEnd().split('\n').map((line) => line.split('\t')) // prettier-ignore
    const columns = [['A', 1, 2], ['B', 3, 4], ['C', 5, 6], ['DRB1', 7, 8]] as const // prettier-ignore
    const engine = makeEngine(realRelease('3580'), realMacs())
    const letters = { A: 'A', B: 'B', C: 'Cw', DRB1: 'DR' }
    for (const [locus, first, second] of columns) {
      const values = [...new Set(rows.slice(1).flatMap((row) => [row[first] ?? '', row[second] ?? '']))]
      const table = `${locus}_1\n${values.join('\n')}\n`
      const { stdout } = await convert(
        ['-d', ',', '-l', `${locus}=1`, '--bare-digits', 'antigen', '--into', 'replace', '-q'],
        Buffer.from(table),
      )
      const byHand = values.map((value) => {
        const antigen = letters[locus] + value
        const name = engine.release.is('antigen', antigen) ? antigen : `${locus}*${value}:XX`
        return redux(engine, name, 'lgx').text
      })
      expect(stdout.trimEnd().split('\n').slice(1)).toEqual(byHand)
    }
  })

  test('wmda: every GL String is reduced as by the library', async () => {
    const file = sharedPath('registry/wmda/pat.gl.txt.gz')
    const { stdout } = await convert(['-i', file, '--input-format', 'wmda-lines', '-q', '-m', 'G'])
    const engine = makeEngine(realRelease('3580'), realMacs())
    const given = gunzipSync(readFileSync(file)).toString('latin1').trimEnd().split('\n')
    const expected = given.map((line) => `${line}%${redux(engine, line.split('%')[1] ?? '', 'G').text}\n`)
    expect(stdout).toBe(expected.join(''))
  })

  test('hped: old names are the present ones', async () => {
    const file = sharedPath('registry/hped/wtccc_filtered_58C_NBS_RA_T1D.hped')
    const { stdout } = await convert([
      '-i',
      file,
      '-q',
      '--into',
      'replace',
      '-m',
      'U2',
      '--locus-prefix',
      'bare',
    ])
    const given = readFileSync(file, 'latin1').split('\n')
    const out = stdout.split('\n')
    expect(out).toHaveLength(given.length)
    // U2 keeps both fields of a two-field name
    expect(out[0]).toBe(given[0]?.replace(/\t(\d\d)(\d\d)(?=\t|$)/g, '\t$1:$2'))
  })

  test('the output is the same from a pipe, in one piece or cut, and as a file', async () => {
    const file = sharedPath('registry/pypop/BIGDAWG_SynthControl_Data_with_metadata.pop')
    const piped = await convert(['--input-format', 'pypop', '-q'], readFileSync(file))
    const read = await convert(['-i', file, '-q', '-o', join(cwd, 'pop.out.gz')])
    expect([piped.status, read.status]).toEqual([0, 0])
    expect(gunzipSync(readFileSync(join(cwd, 'pop.out.gz'))).toString('utf8')).toBe(piped.stdout)
    expect(piped.stdout.startsWith('labcode\tmethod\r\nIDAWG\tNGS\r\nDataset\t')).toBe(true)
  })
})
