/** Configurations of py-ard's batch tool: the equivalent options, and the refusals. */
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pyardArguments } from '../../../src/cli/run/table/pyard/pyard-config.ts'
import { HlaError } from '../../../src/errors.ts'
import { BASE, BOTH } from '../../support/pyard-settings.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const DRB345 = { DRB3: ['a', 'b'], drb4: ['c', 'd'], DRB5: ['e', '1'] }

function configured(settings: object, name = 'conf.json'): string {
  writeFileSync(temp(name), JSON.stringify(settings))
  return temp(name)
}

const FIRST = '-i in.csv -o out.csv -d , --header-row 1 --accept space'

describe('pyardWords', () => {
  test.for([
    [{}, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ apply_compression: 'gzip', verbose_log: true }, `-i in.csv -o out.csv.gz -d , --header-row 1 --accept space -l A=r_A1,r_A2 --only-named -m lgx --into replace -v`],
    [{ reduce_serology: false, reduce_3field: false, reduce_XX: false, reduce_shortnull: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --keep serology,3field,4field,G,xx,null --into replace`],
    [{ reduce_v2: false, reduce_2field: false, reduce_P: false, reduce_MAC: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --keep v2,2field,P,mac --into replace`],
    [{ new_column_for_redux: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into after --name reduced_{col}`],
    [{ new_column_for_redux: true, reduced_column_prefix: 'x ', keep_locus_in_allele_name: false }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into after --name x {col} --locus-prefix bare`],
    [{ generate_glstring: true, homozygosify_glstring: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl --second-blank homozygous -m lgx --into replace`],
    [{ generate_glstring: true, suppress_reduced_locus_column: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl -m lgx --into none --drop-source`],
    [{ generate_glstring: true, suppress_reduced_locus_column: true, new_column_for_redux: true }, `${FIRST} -l A=r_A1,r_A2 --only-named --gl-out recipient_gl -m lgx --into none`],
    [{ ...BOTH, generate_glstring: true }, `${FIRST} -l recipient:A=r_A1,r_A2 -l recipient:B=r_B -l donor:A=d_A1,d_A2 --only-named --gl-out gl -m lgx --into replace`],
    [{ locus_column_mapping: { d: DRB345 }, map_drb345_to_drbx: true }, `${FIRST} -l DRB3=a,b -l DRB4=c,d -l DRB5=e,=1 --only-named --drbx d_DRBX -m lgx --into replace`],
    [{ map_drb345_to_drbx: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ locus_column_mapping: undefined, glstring_columns: ['gl', 'more'] }, `${FIRST} -g gl,more --only-named -m lgx --into replace`],
    [{ strict: false, ping: false, ARS_as_lg: true, ignore_allele_with_suffixes: 'NNNN, UUUU' }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --no-strict --no-ping --ars --ignore-suffix NNNN,UUUU --into replace`],
  ] as const)('%j', async ([settings, expected]) => {
    expect((await pyardArguments(configured({ ...BASE, ...settings }))).join(' ')).toBe(expected)
  }) // prettier-ignore

  test.for([
    [{ in_csv_filename: undefined, out_csv_filename: undefined, redux_type: undefined }, `-d , --header-row 1 --accept space -l A=r_A1,r_A2 --only-named --into replace`],
    [{ out_csv_filename: 'out.csv.gz', apply_compression: 'gzip' }, `-i in.csv -o out.csv.gz -d , --header-row 1 --accept space -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ out_csv_filename: undefined, apply_compression: 'gzip' }, `-i in.csv -d , --header-row 1 --accept space -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ locus_column_mapping: {} }, `${FIRST} -m lgx --into replace`],
    [{ locus_column_mapping: {}, generate_glstring: true }, `${FIRST} --gl-out gl -m lgx --into replace`],
    [{ homozygosify_glstring: true, suppress_reduced_locus_column: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    // py-ard joins six columns of one person
    [{ locus_column_mapping: { d: { DRB3: ['a', 'b'], DRB4: ['c', 'd'], DRB5: ['e'] } }, map_drb345_to_drbx: true }, `${FIRST} -l DRB3=a,b -l DRB4=c,d -l DRB5=e --only-named -m lgx --into replace`],
    [{ locus_column_mapping: { r: { A: ['x'] }, d: DRB345 }, map_drb345_to_drbx: true }, `${FIRST} -l r:A=x -l d:DRB3=a,b -l d:DRB4=c,d -l d:DRB5=e,=1 --only-named --drbx DRBX -m lgx --into replace`],
    [{ locus_column_mapping: { d: { A: ['12', 'a1', '1a'], XDRB3: ['a', 'b', 'c', 'd', 'e', 'f'] } }, map_drb345_to_drbx: true }, `${FIRST} -l A==12,a1,1a -l XDRB3=a,b,c,d,e,f --only-named -m lgx --into replace`],
    [{ strict: true, ping: true, ARS_as_lg: false, ignore_allele_with_suffixes: '', verbose_log: null }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ reduced_column_prefix: 'r_', keep_locus_in_allele_name: null }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
    [{ columns_from_csv: [], locus_in_allele_name: false, convert_v2_to_v3: true }, `${FIRST} -l A=r_A1,r_A2 --only-named -m lgx --into replace`],
  ] as const)('%j in full', async ([settings, expected]) => {
    expect((await pyardArguments(configured({ ...BASE, ...settings }))).join(' ')).toBe(expected)
  }) // prettier-ignore

  const NAMES =
    'settings are in_csv_filename out_csv_filename columns_from_csv locus_column_mapping glstring_columns redux_type redux_cache_size reduce_serology reduce_v2 convert_v2_to_v3 reduce_2field reduce_3field reduce_P reduce_XX reduce_MAC reduce_shortnull map_drb345_to_drbx locus_in_allele_name keep_locus_in_allele_name new_column_for_redux reduced_column_prefix generate_glstring homozygosify_glstring suppress_reduced_locus_column output_file_format apply_compression verbose_log ping ARS_as_lg strict ignore_allele_with_suffixes'
  const LOCI = 'locus_column_mapping is {"subject": {"LOCUS": ["column", "column"]}}'

  test.for([
    [{ reduce_4field: true }, 'unknown setting "reduce_4field"', 'reduce_4field', NAMES],
    [{ toString: true }, 'unknown setting "toString"', 'toString', NAMES],
    [{ reduce_v2: 'yes' }, 'reduce_v2 is true or false', 'reduce_v2', undefined],
    [{ redux_type: 1 }, 'redux_type is a string', 'redux_type', undefined],
    [{ columns_from_csv: 'id' }, 'columns_from_csv is a list of column names', 'columns_from_csv', undefined],
    [{ columns_from_csv: ['id', 1] }, 'columns_from_csv is a list of column names', 'columns_from_csv', undefined],
    [{ locus_column_mapping: { A: ['A1'] } }, LOCI, 'locus_column_mapping', undefined],
    [{ locus_column_mapping: { r: { A: ['A1'], B: 'B1' } } }, LOCI, 'locus_column_mapping', undefined],
    [{ locus_column_mapping: { r: { A: ['A1'] }, d: 1 } }, LOCI, 'locus_column_mapping', undefined],
    [{ redux_cache_size: '1000' }, 'redux_cache_size is a number', 'redux_cache_size', undefined],
    [{ output_file_format: 'xlsx' }, 'output_file_format "xlsx" is not supported', undefined, 'spreadsheets turn typings into times and numbers; csv is read by all of them'],
    [{ apply_compression: 'zip' }, 'apply_compression "zip" is not supported', undefined, 'gzip is supported'],
    [{ glstring_columns: ['gl'], map_drb345_to_drbx: true }, 'map_drb345_to_drbx is not supported for glstring_columns', undefined, 'set map_drb345_to_drbx to false: DRB3, DRB4 and DRB5 then stay in the GL String; nothing else changes'],
  ] as const)('%j is refused', async ([settings, message, offending, hint]) => {
    const error = await errorFrom(pyardArguments(configured({ ...BASE, ...settings })))
    expect([error.code, error.message, error.offending, error.hint]).toEqual(['usage', `${temp('conf.json')}: ${message}`, offending, hint])
  }) // prettier-ignore

  test.for(['a,b', ' a', 'a ', ''])('a column named %j is refused', async (column) => {
    const error = await errorFrom(pyardArguments(configured({ ...BASE, glstring_columns: ['gl', column] })))
    expect([error.code, error.message, error.offending, error.hint]).toEqual(['usage', `a column named ${JSON.stringify(column)} cannot be chosen by name`, column, 'rename it in the table'])
  }) // prettier-ignore

  test.for([
    ['bad.json', '[]', 'bad.json is not one JSON object'],
    ['bad.json', '1', 'bad.json is not one JSON object'],
    ['bad.json', '{', 'bad.json is not JSON'],
    // whatever its name, a text that begins so is of the batch tool
    ['bad.txt', '  {"redux_type": 1}', 'bad.txt: redux_type is a string'],
    ['BAD.JSON', 'pyard = 1', 'BAD.JSON is not JSON'],
    ['json', 'pyard = 1', 'json: pyard = 1 has a value of the wrong kind'],
    ['bad.json.toml', 'pyard = 1', 'bad.json.toml: pyard = 1 has a value of the wrong kind'],
  ] as const)('%s with %s is refused', async ([name, text, message]) => {
    writeFileSync(temp(name), text)
    const error = await errorFrom(pyardArguments(temp(name)))
    expect([error.code, error.message]).toEqual(['usage', temp(message)])
  })

  test('a file that is not there', async () => {
    await expect(pyardArguments(temp('none.json'))).rejects.toThrow(`cannot read ${temp('none.json')}`)
  })
})

async function errorFrom(answer: Promise<unknown>): Promise<HlaError> {
  const error = await answer.catch((thrown: unknown) => thrown)
  if (error instanceof HlaError) return error
  throw new Error('nothing was refused')
}
