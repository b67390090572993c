/** The configuration of py-ard's batch tool -> the words of the command line that does the same.  [disk] */
import { columnArguments } from './pyard-columns.ts'
import { readSettings, type PyardSettings } from './pyard-settings.ts'
import { readNamed } from '../../../named-file.ts'

/** @throws {HlaError} not-found; usage — no such file of settings, or one that cannot be followed */
export function pyardArguments(file: string): string[] {
  const settings = readSettings(readNamed(file), file)
  return [
    ...fileWords(settings),
    // cells are read without white space, delimiters are commas, and there is a header
    '-d',
    ',',
    '--header-row',
    '1',
    '--accept',
    'space',
    ...columnArguments(settings),
    ...methodWords(settings),
    ...writingWords(settings),
    ...(settings.verbose_log === true ? ['-v'] : []),
  ]
}

function fileWords({ in_csv_filename, out_csv_filename, apply_compression }: PyardSettings): string[] {
  // the peer puts the suffix behind the name
  const suffix = apply_compression === 'gzip' && !out_csv_filename?.endsWith('.gz') ? '.gz' : ''
  return [
    ...(in_csv_filename === undefined ? [] : ['-i', in_csv_filename]),
    ...(out_csv_filename === undefined ? [] : ['-o', out_csv_filename + suffix]),
  ]
}

/** Kinds of names that stay as they are when a switch is off. */
const KEPT: readonly (readonly [keyof PyardSettings, readonly string[]])[] = [
  ['reduce_serology', ['serology']],
  ['reduce_v2', ['v2']],
  ['reduce_2field', ['2field']],
  ['reduce_3field', ['3field', '4field', 'G']],
  ['reduce_P', ['P']],
  ['reduce_XX', ['xx']],
  ['reduce_MAC', ['mac']],
  ['reduce_shortnull', ['null']],
]

function methodWords(settings: PyardSettings): string[] {
  const { redux_type, strict, ping, ARS_as_lg, ignore_allele_with_suffixes: suffixes = '' } = settings
  const kept = KEPT.flatMap(([name, kinds]) => (settings[name] === false ? kinds : []))
  return [
    ...(redux_type === undefined ? [] : ['-m', redux_type]),
    ...(kept.length === 0 ? [] : ['--keep', kept.join(',')]),
    ...(strict === false ? ['--no-strict'] : []),
    ...(ping === false ? ['--no-ping'] : []),
    ...(ARS_as_lg === true ? ['--ars'] : []),
    ...(suffixes === '' ? [] : ['--ignore-suffix', suffixes.replace(/\s/g, '')]),
  ]
}

function writingWords(settings: PyardSettings): string[] {
  const { new_column_for_redux, reduced_column_prefix = 'reduced_', keep_locus_in_allele_name } = settings
  const isNew = new_column_for_redux === true
  // what the GL String is made of goes: the new columns, or those that they replace
  const isSuppressed = settings.generate_glstring === true && settings.suppress_reduced_locus_column === true
  return [
    ...(isSuppressed
      ? ['--into', 'none', ...(isNew ? [] : ['--drop-source'])]
      : isNew
        ? ['--into', 'after', '--name', `${reduced_column_prefix}{col}`]
        : ['--into', 'replace']),
    ...(keep_locus_in_allele_name === false ? ['--locus-prefix', 'bare'] : []),
  ]
}
