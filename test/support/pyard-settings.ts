/** Settings of py-ard's batch tool. */

/** As in py-ard's own example. */
export const BASE = {
  in_csv_filename: 'in.csv',
  out_csv_filename: 'out.csv',
  columns_from_csv: ['id', 'r_A1', 'r_A2'],
  locus_column_mapping: { recipient: { a: ['r_A1', 'r_A2'] } },
  redux_type: 'lgx',
  redux_cache_size: 1000,
  reduce_serology: true,
  reduce_v2: true,
  convert_v2_to_v3: false,
  reduce_2field: true,
  reduce_3field: true,
  reduce_P: true,
  reduce_XX: true,
  reduce_MAC: true,
  locus_in_allele_name: true,
  keep_locus_in_allele_name: true,
  output_file_format: 'csv',
  apply_compression: null,
  verbose_log: false,
}

export const BOTH = {
  locus_column_mapping: {
    recipient: { A: ['r_A1', 'r_A2'], B: ['r_B'] },
    donor: { A: ['d_A1', 'd_A2'] },
  },
}
