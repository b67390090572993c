/**
 * Output of operations in 3.44.0, beside 3.29.0; ` → 1` is a negative answer. From the documentation, not from the
 * program.
 */

export interface Row {
  readonly operation: string
  readonly input: object
  readonly printed: string
}

export const ROWS: readonly Row[] = [
  row('redux', { gl_string: 'A*01:01:01:01' }, 'A*01:01'),
  row('redux', { gl_string: 'A*01:01:01:01', reduction_method: 'G' }, 'A*01:01:01G'),
  row('redux', { gl_string: 'A*02:01/A*03:01/A*01:01', options: { limit: 2 } }, 'too-ambiguous'),
  row('redux', { gl_string: 'A*01:XX', options: { limit: 2 } }, 'too-ambiguous'),
  row('redux', { gl_string: 'A*01:01:999', options: { exact: true } }, 'unknown-allele'),
  row('redux', { gl_string: 'A*02:131:02', reduction_method: 'lg', options: { consistentLg: true } }, 'A*02:16g'),
  row('validate', { gl_string: 'A*01:01+A*02:01' }, 'valid'),
  row('validate', { gl_string: 'A*01:01+A*99:99' }, 'unknown\tA*99:99 is not a valid Allele → 1'),
  row('validate', { gl_string: 'A*01:01+' }, 'malformed\tnothing after the last "+" → 1'),
  row('validate', { gl_string: 'A*99:99', level: 'grammar' }, 'valid'),
  row('validate', { gl_string: 'A*01:01:999', options: { exact: true } }, 'unknown\tA*01:01:999 is not a valid Allele → 1'),
  row('mac', { gl_string: 'HLA-A*01:BC' }, 'HLA-A*01:02/HLA-A*01:03'),
  row('mac', { gl_string: 'A*01:02/A*01:01/A*01:03' }, 'A*01:MN'),
  row('cwd', { gl_string: 'A*01:AB' }, 'A*01:01/A*01:02\tA*01:AB'),
  row('splits', { allele: 'A25' }, 'A10\tA25/A26/A34/A66'),
  row('similar', { prefix: 'A*01:01:01:04' }, 'A*01:01:01:04'),
  row('similar', { prefix: 'A*01:01:01:0', limit: 2 }, 'A*01:01:01:01\nA*01:01:01:02N'),
  row('similar', { prefix: 'A*77:' }, 'no-match'),
  row('blend', { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: 'DRB3*01:01', DRB4: 'DRB4*01:03' }, 'DRB3*01:01+DRB4*01:03'),
  row('diff', { gl_string: 'A*01:01+A*02:01', ...between() }, 'same\tA*01:01+A*02:01'),
  row('diff', { gl_string: 'A*24:329', ...between() }, 'renamed,renamed-result\tA*24:329\tA*24:329Q → 1'),
  row('diff', { gl_string: 'A*43:XX', reduction_method: 'U2', ...between() }, 'gained\tA*43:01\tA*43:01/A*43:02N → 1'),
  row('diff', { gl_string: 'A*43:XX', reduction_method: 'U2', from_release: between().to_release, to_release: between().from_release }, 'lost\tA*43:01/A*43:02N\tA*43:01 → 1'),
  row('diff', { gl_string: 'B*15:10', reduction_method: 'S', ...between() }, 'serology\tB70/B71\tB15/B70/B71 → 1'),
  row('lift', { gl_string: 'A*24:329', from: '3.29.0' }, 'A*24:329Q'),
  row('lift', { gl_string: 'A*30:100', from: '3.29.0' }, 'A*30:02:12'),
  row('lift', { gl_string: 'HLA-A*01:01:01:01', from: '3.29.0' }, 'HLA-A*01:01:01:01'),
] // prettier-ignore

function row(operation: string, input: object, printed: string): Row {
  return { operation, input, printed }
}

function between() {
  return { from_release: '3.29.0', to_release: '3.44.0' }
}
