/** THE LIST of py-ard 2.3's features, with hla's equivalents. A test runs every row. */

export interface CommandRow {
  readonly peer: string
  readonly ours: string
  /** Standard output of hla on 3.58.0; undefined where it is long or depends on the machine. */
  readonly output?: string
  readonly note?: string
}

export const QUESTIONS: readonly CommandRow[] = [
  {
    peer: "pyard -g 'DRB1*04:05:15' -r lgx",
    ours: "hla redux -m lgx 'DRB1*04:05:15'",
    output: 'DRB1*04:05',
    note: 'both programs use lgx by default',
  },
  {
    peer: "pyard -g 'A*01:01:01:01'",
    ours: "hla redux -m all 'A*01:01:01:01'",
    output: 'A*01:01:01G\tA*01:01P\tA*01:01g\tA*01:01\tA*01:01:01:01\tA*01:01:01\tA*01:01\tA1\tA*01',
    note: 'one column per method, 1F last; `-f table` names them',
  },
  {
    peer: "pyard -i 3290 -g 'A*01:04N' -r lgx",
    ours: "hla redux -r 3.29.0 -m lgx 'A*01:04N'",
    output: 'A*01:01',
    note: 'hla also loads releases before 3.44.0, which py-ard cannot',
  },
  {
    peer: "pyard -d DIR -g 'A*02:AEH' -r lgx",
    ours: "hla redux --data-dir DIR -m lgx 'A*02:AEH'",
    output: 'A*02:01/A*02:07/A*02:12',
  },
  {
    peer: "pyard --validate -g 'A*001:01'",
    ours: "hla validate 'A*001:01'",
    output: 'unknown\tA*001:01 is not a valid Allele',
    note: 'exit status 1; renamed, deleted, unknown and malformed names have verdicts of their own',
  },
  {
    peer: "pyard --cwd 'A*02:ZRVN'",
    ours: "hla cwd 'A*02:ZRVN'",
    output: 'A*02:01/A*02:09\tA*02:AF',
    note: 'also prints the MAC of the result',
  },
  { peer: 'pyard --splits A10', ours: 'hla splits A10', output: 'A10\tA25/A26/A34/A66' },
  {
    peer: "pyard --similar 'DPB1*1010'",
    ours: "hla similar 'DPB1*1010'",
    output: 'DPB1*1010:01',
    note: 'exit status 1 if nothing is found',
  },
  { peer: "pyard --expand-mac 'A*24:BCTX'", ours: "hla mac 'A*24:BCTX'", output: 'A*24:02/A*24:62' },
  {
    peer: "pyard --lookup-mac 'A*30:13/A*30:07/A*30:02'",
    ours: "hla mac 'A*30:13/A*30:07/A*30:02'",
    output: 'A*30:BDJR',
    note: 'by the form of the input: a code is expanded, a list looked up',
  },
  {
    peer: "pyard --expand-xx 'A*43:XX'",
    ours: "hla mac --xx 'A*43:XX'",
    output: 'A*43:01/A*43:02N/A*43:03',
  },
  { peer: "pyard --expand 'A*43:XX'", ours: "hla mac --xx 'A*43:XX'", output: 'A*43:01/A*43:02N/A*43:03' },
  {
    peer: "pyard --expand-mac-hats 'A*01:AB'",
    ours: "hla mac --hats 'A*01:AB'",
    note: 'releases from 3.64.0 on',
  },
  {
    peer: "pyard --non-strict -g 'A*01:11' -r lgx",
    ours: "hla redux --no-strict -m lgx 'A*01:11'",
    output: 'A*01:11N',
    note: '`--accept suffix,g` does less, and notes each name it changes',
  },
  { peer: 'pyard -v', ours: 'hla version', note: 'also prints the release and the checksums of its files' },
]

/** Commands that run in a folder with published files. */
export const PROGRAMS: readonly CommandRow[] = [
  {
    peer: 'pyard-import',
    ours: 'hla data install latest --from IMGTHLA',
    note: 'without `--from` from the published repository',
  },
  { peer: 'pyard-import --list', ours: 'hla data list --available --from IMGTHLA' },
  {
    peer: 'pyard-import -i 3580',
    ours: 'hla data install 3.58.0 --from IMGTHLA',
  },
  { peer: 'pyard-import -i 3580 --re-install', ours: 'hla data install 3.58.0 --from IMGTHLA --force' },
  { peer: 'pyard-import -i 3570 --skip-mac', ours: 'hla data install 3.57.0 --from IMGTHLA --no-mac' },
  {
    peer: 'pyard-import --refresh-mac',
    ours: 'hla data mac numer.v3.txt',
    note: 'one list serves all releases; without a file, the published list is installed',
  },
  { peer: 'pyard-status', ours: 'hla data list', note: '`hla data info` and `hla data verify` say more' },
]

/** Features without an equivalent command. */
export const OTHERWISE: readonly (readonly [peer: string, ours: string])[] = [
  ['pyard-import --v2-to-v3-mapping FILE', 'not needed: the old names are built in'],
  ['pyard-reduce-csv -g', '`hla help tables`; `hla redux -i FILE --plan` says how a table would be read'],
  ['python app.py, gunicorn', '`hla serve`; its requests are below'],
  ['.pyardrc, PYARD_RC=no', '`--pyard-config .pyardrc`: read only if you name it'],
  [
    'pyard.init(3580), ard.redux(gl, "lgx")',
    '`openRelease("3.58.0")` and `redux(engine, gl, "lgx")` of the library; in Python `from hla import pyard`, with the package of `clients/python`; `hla pipe` from any language',
  ],
  ['IMGT_HLA_URL', '`HLA_DATA_URL`'],
]

export interface SettingRow {
  /** Key in reduce_conf.json. */
  readonly key: string
  readonly ours: string
  /** Cell of column `A_1`, and the result for it. */
  readonly cell?: readonly [given: string, gives: string]
  /** Columns of the output. */
  readonly columns?: string
  readonly note?: string
}

/** Settings, each tested on a table with the columns `id,A_1,A_2`. */
export const SETTINGS: readonly SettingRow[] = [
  { key: '"redux_type": "G"', ours: '-m G', cell: ['01:01:01', 'A*01:01:01G'] },
  { key: '"reduce_serology": false', ours: '--keep serology', cell: ['A1', 'A1'] },
  { key: '"reduce_v2": false', ours: '--keep v2', cell: ['A*0101', 'A*0101'] },
  {
    key: '"convert_v2_to_v3": true',
    ours: '--bare-digits v2 -m W',
    cell: ['4301', 'A*43:01'],
    note: 'has no effect in py-ard; hla always reads old names as present names',
  },
  { key: '"reduce_2field": false', ours: '--keep 2field -m G', cell: ['01:01', 'A*01:01'] },
  { key: '"reduce_3field": false', ours: '--keep 3field', cell: ['01:01:01', 'A*01:01:01'] },
  { key: '"reduce_P": false', ours: '--keep P -m G', cell: ['01:01P', 'A*01:01P'] },
  { key: '"reduce_XX": false', ours: '--keep xx', cell: ['43:XX', 'A*43:XX'] },
  { key: '"reduce_MAC": false', ours: '--keep mac', cell: ['01:AB', 'A*01:AB'] },
  { key: '"reduce_shortnull": false', ours: '--keep null -m W', cell: ['01:04N', 'A*01:04N'] },
  {
    key: '"locus_in_allele_name": false',
    ours: '',
    cell: ['01:01:01', 'A*01:01'],
    note: 'detected in each cell',
  },
  {
    key: '"keep_locus_in_allele_name": false',
    ours: '--locus-prefix bare',
    cell: ['01:01:01', '01:01'],
  },
  { key: '"new_column_for_redux": false', ours: '--into replace', columns: 'id,A_1,A_2' },
  {
    key: '"new_column_for_redux": true, "reduced_column_prefix": "reduced_"',
    ours: "--name 'reduced_{col}'",
    columns: 'id,A_1,reduced_A_1,A_2,reduced_A_2',
  },
  {
    key: '"locus_column_mapping": {"donor": {"A": ["A_1", "A_2"]}}',
    ours: '-l A=A_1,A_2',
    cell: ['01:01:01', 'A*01:01'],
    note: 'usually detected by the column names',
  },
  { key: '"glstring_columns": ["A_1"]', ours: '-g A_1', cell: ['A*01:01:01+A*02:01', 'A*01:01+A*02:01'] },
  { key: '"generate_glstring": true', ours: '--gl-out gl', columns: 'id,A_1,A_1_lgx,A_2,A_2_lgx,gl' },
  {
    key: '"homozygosify_glstring": true',
    ours: '--gl-out gl --second-blank homozygous',
    columns: 'id,A_1,A_1_lgx,A_2,A_2_lgx,gl',
  },
  {
    key: '"suppress_reduced_locus_column": true',
    ours: '--gl-out gl --into none --drop-source',
    columns: 'id,gl',
    note: '`--into none` omits the results, `--drop-source` the typings',
  },
  {
    key: '"map_drb345_to_drbx": true',
    ours: '--drbx DRBX',
    note: 'needs columns of DRB1, DRB3, DRB4 and DRB5',
  },
  { key: '"ping": false', ours: '--no-ping', cell: ['01:01:01', 'A*01:01'] },
  { key: '"ARS_as_lg": true', ours: '--ars -m lg', cell: ['01:01:01', 'A*01:01ARS'] },
  { key: '"strict": false', ours: '--no-strict', cell: ['01:11', 'A*01:11N'] },
  {
    key: '"ignore_allele_with_suffixes": ["UNK"]',
    ours: '--token UNK=unknown',
    cell: ['A*UNK', 'A*UNK'],
    note: '`--missing`, and other kinds of `--token`, name other cells that are not typings',
  },
  {
    key: '"apply_compression": "gzip"',
    ours: '-o out.csv.gz',
    note: 'an output name that ends in .gz is compressed',
  },
  { key: '"verbose_log": true', ours: '-v', cell: ['01:01:01', 'A*01:01'] },
  {
    key: '"in_csv_filename", "out_csv_filename"',
    ours: '-i donors.csv -o reduced.csv',
    note: 'the names are used as given; nothing is appended',
  },
]

/** Keys without an equivalent option. */
export const DROPPED: readonly (readonly [key: string, why: string])[] = [
  ['"columns_from_csv"', 'not needed: every column passes through, byte for byte'],
  ['"redux_cache_size"', 'not needed: each distinct typing is reduced once'],
  ['"output_file_format": "xlsx"', 'not supported: write CSV; spreadsheets damage typings'],
]

/** Intended differences. */
export const DIFFERENT: readonly string[] = [
  'A cell that fails is empty, so that a reduced column contains only reduced typings. `--on-error keep` copies it.',
  'A failure gives exit status 1. Missing, absent, unknown and new cells are not failures.',
  'Standard output holds nothing but data.',
  'Antigens as bare numbers (`2` in a column of locus A) are read; old names and names of earlier releases are recognised.',
  'With method S, a typing without an antigen is an error, not an empty result.',
]
