/** A small table of every layout, with the command that converts it and what it prints. */

export interface LayoutExample {
  readonly file: string
  readonly text: string
  readonly command: string
  readonly output: string
}

/** By the names of the layouts; a test looks for one of each. */
export const LAYOUT_EXAMPLES: Readonly<Record<string, LayoutExample>> = {
  pairs: {
    file: 'donors.csv',
    text: 'id,A_1,A_2,DRB1_1,DRB1_2\nR1,01:01,02:AB,15:01:01,0301\nR2,A*24:02,NNNN,*04:01,\n',
    command: 'hla redux -q -i donors.csv',
    output: `id,A_1,A_1_lgx,A_2,A_2_lgx,DRB1_1,DRB1_1_lgx,DRB1_2,DRB1_2_lgx
R1,01:01,A*01:01,02:AB,A*02:01/A*02:02,15:01:01,DRB1*15:01,0301,DRB1*03:01
R2,A*24:02,A*24:02,NNNN,NNNN,*04:01,DRB1*04:01,,`,
  },
  gl: {
    file: 'genotypes.csv',
    text: 'id,typing\nR1,A*01:01:01+A*02:01^B*07:02+B*08:01\nR2,A*24:02+A*03:01\n',
    command: 'hla redux -q -i genotypes.csv -g typing',
    output: `id,typing,typing_lgx
R1,A*01:01:01+A*02:01^B*07:02+B*08:01,A*01:01+A*02:01^B*07:02+B*08:01
R2,A*24:02+A*03:01,A*03:01+A*24:02`,
  },
  wmda: {
    file: 'don.gl.txt',
    text: 'D1%A*01:01:01:01+A*02:01^B*07:02+B*08:01\nD2%A*24:02+A*03:01\n',
    command: 'hla redux -q -i don.gl.txt --layout wmda --into replace',
    output: 'D1%A*01:01+A*02:01^B*07:02+B*08:01\nD2%A*03:01+A*24:02',
  },
  'haplomat-mac': {
    file: 'codes.dat',
    text: 'ID\tA\tA\tB\tB\nP1\t01:AB\t02:01\t07:02\t08:01\n',
    command: 'hla redux -q -i codes.dat --layout haplomat-mac',
    output: `ID	A	A#1_lgx	A	A#2_lgx	B	B#1_lgx	B	B#2_lgx
P1	01:AB	A*01:01/A*01:02	02:01	A*02:01	07:02	B*07:02	08:01	B*08:01`,
  },
  'haplomat-glsc': {
    file: 'sample.glc',
    text: '1\tB*07:02+B*08:01\tA*01:01:01+A*02:01\n',
    command: 'hla redux -q -i sample.glc',
    output: '1\tB*07:02+B*08:01\tB*07:02+B*08:01\tA*01:01:01+A*02:01\tA*01:01+A*02:01',
  },
  'haplomat-gls': {
    file: 'sample.glid',
    text: '1;A*01:01:01+A*02:01^B*07:02+B*08:01\n',
    command: 'hla redux -q -i sample.glid',
    output: '1;A*01:01:01+A*02:01^B*07:02+B*08:01;A*01:01+A*02:01^B*07:02+B*08:01',
  },
  pypop: {
    file: 'oromo.pop',
    text: 'labcode\tethnic\nUSAFEL\tOromo\nid\tA_1\tA_2\tDRB3_1\tDRB3_2\nD1\t01:01:01\t02:01\t00:00\t01:01\n',
    command: 'hla redux -q -i oromo.pop --into replace',
    output: `labcode	ethnic
USAFEL	Oromo
id	A_1	A_2	DRB3_1	DRB3_2
D1	A*01:01	A*02:01	00:00	DRB3*01:01`,
  },
  hped: {
    file: 'cohort.hped',
    text: 'F1 P1 0 0 1 -9 01:01 02:01 07:02 08:01 0 0 0 0 0 0 0 0 05:01 02:01 03:01 15:01\n',
    command: 'hla redux -q -i cohort.hped --into replace --locus-prefix bare',
    output: 'F1 P1 0 0 1 -9 01:01 02:01 07:02 08:01 0 0 0 0 0 0 0 0 05:01 02:01 03:01 15:01',
  },
  atlas: {
    file: 'atlas.tsv',
    text: 'DonorID\tA_1\tA_2\n1\t*01:01\t*02:01:01\n',
    command: 'hla redux -q -i atlas.tsv --layout atlas',
    output: 'DonorID\tA_1\tA_1_lgx\tA_2\tA_2_lgx\n1\t*01:01\tA*01:01\t*02:01:01\tA*02:01',
  },
  '1000g': {
    file: 'genomes.csv',
    text: 'Region,Sample ID,HLA-A 1,HLA-A 2\nEUR,HG1,01:01,02:01/02:05\n',
    command: 'hla redux -q -i genomes.csv --layout 1000g',
    output:
      'Region,Sample ID,HLA-A 1,HLA-A 1_lgx,HLA-A 2,HLA-A 2_lgx\nEUR,HG1,01:01,A*01:01,02:01/02:05,A*02:01/A*02:05',
  },
  glsc: {
    file: 'strings.csv',
    text: 'id,code\nR1,hla#3.58.0#A*01:01:01+A*02:01\n',
    command: 'hla redux -q -i strings.csv -g code',
    output: 'id,code,code_lgx\nR1,hla#3.58.0#A*01:01:01+A*02:01,A*01:01+A*02:01',
  },
}
