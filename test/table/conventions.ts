/**
 * How people name the columns of a table of typings, one convention a row: the header lines (cells between `|`), and what each is
 * to be read as. Made up here; nothing of it comes from anybody's data. `typed` columns hold `01:01` and the like.
 */

export interface Convention {
  /** A line each; the last one is directly above the data. */
  readonly header: readonly string[]
  /** Groups as the plan has them: `A=A_1,A_2`, `donor A=…`, `GL=…`, `DRB3/4/5=…`. */
  readonly groups: readonly string[]
  /** What stands in columns (by number, from 1) whose values are not two fields of the locus. */
  readonly values?: Readonly<Record<number, readonly string[]>>
  /** Columns that are said not to be read. */
  readonly unread?: readonly string[]
  /** It is refused, with this in the message. */
  readonly refused?: string
}

type Row = readonly [header: string, groups: string, more?: Omit<Convention, 'header' | 'groups'>]

const GL = ['A*01:01+A*02:01^B*07:02+B*08:01', 'A*03:01+A*24:02^B*44:02+B*57:01']
const NAMED = ['A*01:01', 'A*24:02']
const DRBX = ['DRB3*01:01', 'DRB4*01:03', 'DRB5*01:01']
const NUMBERS = ['1', '24', '3']
const DECIMALS = ['0.5', '12.7', '3.25']
const WORDS = ['yes', 'no', 'no']
const GROUPS = ['01:01:01G', '24:02:01G', '03:01:01G']
const COUNTS = ['1', '0', '2']
const FAILED = ['failed', 'failed', 'low dna']
const SOME_DIGITS = ['0101', '2402', 'failed', '0301', 'failed']
const FAILURES = ['failed', 'low dna', 'pending', 'lost', 'see note']
const NONE = ['', '', '']

const ROWS: readonly Row[] = [
  // two columns, numbered
  ['id|A1|A2', 'A=A1,A2'],
  ['id|A_1|A_2', 'A=A_1,A_2'],
  ['id|A.1|A.2', 'A=A.1,A.2'],
  ['id|A-1|A-2', 'A=A-1,A-2'],
  ['id|A 1|A 2', 'A=A 1,A 2'],
  ['id|a1|a2', 'A=a1,a2'],
  ['id|a_1|a_2', 'A=a_1,a_2'],
  ['id|A_01|A_02', 'A=A_01,A_02'],
  ['id|A01|A02', 'A=A01,A02'],
  ['id|A(1)|A(2)', 'A=A(1),A(2)'],
  ['id|A (1)|A (2)', 'A=A (1),A (2)'],
  ['id|A[1]|A[2]', 'A=A[1],A[2]'],
  ['id|A#1|A#2', 'A=A#1,A#2'],
  ['id|A:1|A:2', 'A=A:1,A:2'],
  ['id|A*1|A*2', 'A=A*1,A*2'],
  ['id|A*_1|A*_2', 'A=A*_1,A*_2'],
  ['id|B1|B2', 'B=B1,B2'],
  ['id|C1|C2', 'C=C1,C2'],
  ['id|Cw1|Cw2', 'C=Cw1,Cw2'],
  ['id|CW_1|CW_2', 'C=CW_1,CW_2'],
  ['id|DRB1_1|DRB1_2', 'DRB1=DRB1_1,DRB1_2'],
  ['id|DRB11|DRB12', 'DRB1=DRB11,DRB12'],
  ['id|drb1.1|drb1.2', 'DRB1=drb1.1,drb1.2'],
  ['id|DRB1*1|DRB1*2', 'DRB1=DRB1*1,DRB1*2'],
  ['id|DRB111|DRB112', 'DRB1=DRB111,DRB112'],
  ['id|DQA11|DQA12', 'DQA1=DQA11,DQA12'],
  ['id|DQB1_1|DQB1_2', 'DQB1=DQB1_1,DQB1_2'],
  ['id|DPA1_1|DPA1_2', 'DPA1=DPA1_1,DPA1_2'],
  ['id|DPB1 1|DPB1 2', 'DPB1=DPB1 1,DPB1 2'],
  ['id|DRB1|DRB2', 'DRB1=DRB1,DRB2'],
  ['id|DQB_1|DQB_2', 'DQB1=DQB_1,DQB_2'],
  ['id|DR1|DR2', 'DRB1=DR1,DR2'],
  ['id|DQ1|DQ2', 'DQB1=DQ1,DQ2'],
  ['id|DP1|DP2', 'DPB1=DP1,DP2'],
  ['id|MICA_1|MICA_2', 'MICA=MICA_1,MICA_2'],
  ['id|E_1|E_2', 'E=E_1,E_2'],
  ['id|G1|G2', 'G=G1,G2'],
  // the prefix of the system
  ['id|HLA-A 1|HLA-A 2', 'A=HLA-A 1,HLA-A 2'],
  ['id|HLA-A_1|HLA-A_2', 'A=HLA-A_1,HLA-A_2'],
  ['id|HLA-A1|HLA-A2', 'A=HLA-A1,HLA-A2'],
  ['id|HLA_A_1|HLA_A_2', 'A=HLA_A_1,HLA_A_2'],
  ['id|HLA.A.1|HLA.A.2', 'A=HLA.A.1,HLA.A.2'],
  ['id|HLA A 1|HLA A 2', 'A=HLA A 1,HLA A 2'],
  ['id|HLAA1|HLAA2', 'A=HLAA1,HLAA2'],
  ['id|hla_a1|hla_a2', 'A=hla_a1,hla_a2'],
  ['id|hla.drb1.1|hla.drb1.2', 'DRB1=hla.drb1.1,hla.drb1.2'],
  ['id|HLA-DRB1_1|HLA-DRB1_2', 'DRB1=HLA-DRB1_1,HLA-DRB1_2'],
  ['id|HLA-DPB1 Allele 1|HLA-DPB1 Allele 2', 'DPB1=HLA-DPB1 Allele 1,HLA-DPB1 Allele 2'],
  ['id|HLA-Cw_1|HLA-Cw_2', 'C=HLA-Cw_1,HLA-Cw_2'],
  ['id|Locus A 1|Locus A 2', 'A=Locus A 1,Locus A 2'],
  // a word beside the number
  ['id|A_allele_1|A_allele_2', 'A=A_allele_1,A_allele_2'],
  ['id|A allele 1|A allele 2', 'A=A allele 1,A allele 2'],
  ['id|A allele1|A allele2', 'A=A allele1,A allele2'],
  ['id|A_al1|A_al2', 'A=A_al1,A_al2'],
  ['id|A_Allele1|A_Allele2', 'A=A_Allele1,A_Allele2'],
  ['id|HLA_A_Type1|HLA_A_Type2', 'A=HLA_A_Type1,HLA_A_Type2'],
  ['id|a_typ1|a_typ2', 'A=a_typ1,a_typ2'],
  ['id|A_type_1|A_type_2', 'A=A_type_1,A_type_2'],
  ['id|A typing 1|A typing 2', 'A=A typing 1,A typing 2'],
  ['id|A_1_allele|A_2_allele', 'A=A_1_allele,A_2_allele'],
  ['id|A_1_typing|A_2_typing', 'A=A_1_typing,A_2_typing'],
  ['id|A_hap1|A_hap2', 'A=A_hap1,A_hap2'],
  ['id|A_haplotype_1|A_haplotype_2', 'A=A_haplotype_1,A_haplotype_2'],
  ['id|A_h1|A_h2', 'A=A_h1,A_h2'],
  ['id|A.chr1|A.chr2', 'A=A.chr1,A.chr2'],
  ['id|A_copy1|A_copy2', 'A=A_copy1,A_copy2'],
  ['id|A antigen 1|A antigen 2', 'A=A antigen 1,A antigen 2'],
  ['id|A_ag1|A_ag2', 'A=A_ag1,A_ag2'],
  ['id|A_result_1|A_result_2', 'A=A_result_1,A_result_2'],
  ['id|HLA_DRB1_Allele1|HLA_DRB1_Allele2|HLA_DRB3_Allele1|HLA_DRB3_Allele2|HLA_DRB4_Allele1|HLA_DRB4_Allele2|HLA_DRB5_Allele1|HLA_DRB5_Allele2', 'DRB1=HLA_DRB1_Allele1,HLA_DRB1_Allele2; DRB3=HLA_DRB3_Allele1,HLA_DRB3_Allele2; DRB4=HLA_DRB4_Allele1,HLA_DRB4_Allele2; DRB5=HLA_DRB5_Allele1,HLA_DRB5_Allele2'],
  // letters and words in place of numbers
  ['id|A_a|A_b', 'A=A_a,A_b'],
  ['id|A.a|A.b', 'A=A.a,A.b'],
  ['id|DQB1a|DQB1b', 'DQB1=DQB1a,DQB1b'],
  ['id|DRB1_A|DRB1_B', 'DRB1=DRB1_A,DRB1_B'],
  ['id|HLA-DRB1 a|HLA-DRB1 b', 'DRB1=HLA-DRB1 a,HLA-DRB1 b'],
  ['id|A_I|A_II', 'A=A_I,A_II'],
  ['id|A_first|A_second', 'A=A_first,A_second'],
  ['id|A_1st|A_2nd', 'A=A_1st,A_2nd'],
  ['id|A one|A two', 'A=A one,A two'],
  // counted before the locus
  ['id|Allele1_A|Allele2_A', 'A=Allele1_A,Allele2_A'],
  ['id|allele_1_A|allele_2_A', 'A=allele_1_A,allele_2_A'],
  ['id|Allele 1 HLA-A|Allele 2 HLA-A', 'A=Allele 1 HLA-A,Allele 2 HLA-A'],
  ['id|first_A|second_A', 'A=first_A,second_A'],
  ['id|first_HLA-DRB1|second_HLA-DRB1', 'DRB1=first_HLA-DRB1,second_HLA-DRB1'],
  ['id|1st_A|2nd_A', 'A=1st_A,2nd_A'],
  ['id|hap1_A|hap2_A', 'A=hap1_A,hap2_A'],
  ['id|h1.A|h2.A', 'A=h1.A,h2.A'],
  ['id|1_A|2_A', 'A=1_A,2_A'],
  ['id|typ1_a|typ2_a', 'A=typ1_a,typ2_a'],
  // counted from 0
  ['id|A_0|A_1', 'A=A_0,A_1'],
  ['id|A0|A1', 'A=A0,A1'],
  ['id|HLA-A_0|HLA-A_1', 'A=HLA-A_0,HLA-A_1'],
  ['id|DRB1_0|DRB1_1', 'DRB1=DRB1_0,DRB1_1'],
  ['id|A.0|A.1|B.0|B.1', 'A=A.0,A.1; B=B.0,B.1'],
  // the second of a name is numbered by a program
  ['id|A|A.1', 'A=A,A.1'],
  ['id|A|A1', 'A=A,A1'],
  ['id|A|A_2', 'A=A,A_2'],
  ['id|A|A_1', 'A=A,A_1'],
  ['id|A|A2', 'A=A,A2'],
  ['id|HLA-A|HLA-A.1', 'A=HLA-A,HLA-A.1'],
  ['id|DRB1|DRB1.1', 'DRB1=DRB1,DRB1.1'],
  ['id|A|B|A.1|B.1', 'A=A,A.1; B=B,B.1'],
  ['id|A|A.1|DRB1|DRB1.1', 'A=A,A.1; DRB1=DRB1,DRB1.1'],
  ['id|A...2|A...3', 'A=A...2,A...3'],
  ['id|HLA-A...2|HLA-A...3|HLA-B...4|HLA-B...5', 'A=HLA-A...2,HLA-A...3; B=HLA-B...4,HLA-B...5'],
  ['id|A.1|A.2|A.3', 'A=A.1,A.2', { unread: ['A.3'] }],
  ['id|A|A.1|A.2', '', { refused: 'the columns of A may be A, A.1, A.2' }],
  // the same name twice
  ['id|A|A|B|B', 'A=A#1,A#2; B=B#1,B#2'],
  ['id|HLA-A|HLA-A', 'A=HLA-A#1,HLA-A#2'],
  ['id|A|B|A|B', 'A=A#1,A#2; B=B#1,B#2'],
  ['id|A allele|A allele', 'A=A allele#1,A allele#2'],
  ['id|DRB345|DRB345', 'DRB3/4/5=DRB345#1,DRB345#2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|A|A|A', '', { refused: 'the columns of A may be A#1, A#2' }],
  // merged cells
  ['id|HLA-A||HLA-B|', 'A=HLA-A,3; B=HLA-B,5'],
  ['id|A||DRB1|', 'A=A,3; DRB1=DRB1,5'],
  ['id|HLA-A|...3|HLA-B|...5', 'A=HLA-A,...3; B=HLA-B,...5'],
  ['id|HLA-A|Unnamed: 2|HLA-B|Unnamed: 4', 'A=HLA-A,Unnamed: 2; B=HLA-B,Unnamed: 4'],
  // DRB3, DRB4 and DRB5 in one
  ['id|DRB345_1|DRB345_2', 'DRB3/4/5=DRB345_1,DRB345_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3/4/5_1|DRB3/4/5_2', 'DRB3/4/5=DRB3/4/5_1,DRB3/4/5_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRBX_1|DRBX_2', 'DRB3/4/5=DRBX_1,DRBX_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3-5_1|DRB3-5_2', 'DRB3/4/5=DRB3-5_1,DRB3-5_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|HLA-DRB3/4/5 1|HLA-DRB3/4/5 2', 'DRB3/4/5=HLA-DRB3/4/5 1,HLA-DRB3/4/5 2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3.4.5.1|DRB3.4.5.2', 'DRB3/4/5=DRB3.4.5.1,DRB3.4.5.2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|HLA_DRB345_Allele1|HLA_DRB345_Allele2', 'DRB3/4/5=HLA_DRB345_Allele1,HLA_DRB345_Allele2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB345_1|DRB345_2', 'DRB3/4/5=DRB345_1,DRB345_2', { values: { 2: FAILURES, 3: ['failed', 'DRB5*01:01', ''] } }],
  ['id|A_1|A_2|DRB345_1|DRB345_2', 'A=A_1,A_2', { unread: ['DRB345_1 DRB345_2'] }],
  // people
  ['r_a_typ1|r_a_typ2|d_a_typ1|d_a_typ2', 'r A=r_a_typ1,r_a_typ2; d A=d_a_typ1,d_a_typ2'],
  ['id|donor_A1|donor_A2|patient_A1|patient_A2', 'donor A=donor_A1,donor_A2; patient A=patient_A1,patient_A2'],
  ['id|donor.A.1|donor.A.2', 'donor A=donor.A.1,donor.A.2'],
  ['id|R_A_1|R_A_2|R_DRB1_1|R_DRB1_2', 'R A=R_A_1,R_A_2; R DRB1=R_DRB1_1,R_DRB1_2'],
  ['id|mother HLA-A 1|mother HLA-A 2', 'mother A=mother HLA-A 1,mother HLA-A 2'],
  ['id|donor_allele1_A|donor_allele2_A', 'donor A=donor_allele1_A,donor_allele2_A'],
  ['id|D_A|D_A|R_A|R_A', 'D A=D_A#1,D_A#2; R A=R_A#1,R_A#2'],
  ['id|A_1_donor|A_2_donor|A_1|A_2', 'A=A_1,A_2', { unread: ['A_1_donor A_2_donor'] }],
  ['id|D_A_1|D_A_2|R_A_1|R_A_2', 'D A=D_A_1,D_A_2', { values: { 4: FAILED, 5: FAILED }, unread: ['R_A_1 R_A_2'] }],
  ['id|D_A|D_A|R_B|R_B', 'D A=D_A#1,D_A#2', { values: { 4: FAILED, 5: FAILED }, unread: ['R_B#1 R_B#2'] }],
  ['id|D_A_1|D_A_2|vitamin_C', 'D A=D_A_1,D_A_2', { values: { 4: WORDS } }],
  ['id|B_1|B_2|donor_A_1|donor_A_2', 'B=B_1,B_2', { values: { 4: SOME_DIGITS, 5: FAILURES }, unread: ['donor_A_1'] }],
  ['id|B_1|B_2|donorA1|donorA2', 'B=B_1,B_2', { unread: ['donorA1 donorA2'] }],
  // one column a locus
  ['id|A|B|DRB1', 'A=A; B=B; DRB1=DRB1'],
  ['id|HLA-A|HLA-B|HLA-C', 'A=HLA-A; B=HLA-B; C=HLA-C'],
  ['id|DRB1|DRB3|DRB4|DRB5|DQA1|DQB1|DPA1|DPB1', 'DRB1=DRB1; DRB3=DRB3; DRB4=DRB4; DRB5=DRB5; DQA1=DQA1; DQB1=DQB1; DPA1=DPA1; DPB1=DPB1'],
  ['id|A_1|B_1', 'A=A_1; B=B_1'],
  ['id|A_genotype|B_genotype', 'A=A_genotype; B=B_genotype', { values: { 2: ['01:01+02:01'], 3: ['07:02+08:01'] } }],
  ['id|HLA-A genotype', 'A=HLA-A genotype', { values: { 2: ['A*01:01+A*02:01'] } }],
  ['id|A|B', 'A=A; B=B', { values: { 2: ['A*01:01+A*02:01'], 3: ['B*07:02+B*08:01'] } }],
  ['id|HLA-A|HLA-B', 'A=HLA-A; B=HLA-B', { values: { 2: NUMBERS, 3: NUMBERS } }],
  // GL Strings
  ['id|gl', 'GL=gl', { values: { 2: GL } }],
  ['id|GL String', 'GL=GL String', { values: { 2: GL } }],
  ['id|typing|sex', 'GL=typing', { values: { 2: GL, 3: ['F', 'M'] } }],
  ['id|x1|x2', 'GL=x1; GL=x2', { values: { 2: NAMED, 3: NAMED } }],
  ['id|A_1|A_2|gl', 'A=A_1,A_2', { values: { 4: GL }, unread: ['gl'] }],
  ['id|A_1|A_2|gl', 'A=A_1,A_2', { values: { 4: [...GL, 'failed', 'pending', 'low dna'] }, unread: ['gl'] }],
  ['id|A_1|A_2|HLA', 'A=A_1,A_2', { values: { 4: ['A1 B8', 'A2,24 B7', 'failed', 'pending', 'low dna'] }, unread: ['HLA'] }],
  // in other languages, and in words
  ['id|HLA-A Allel 1|HLA-A Allel 2', 'A=HLA-A Allel 1,HLA-A Allel 2'],
  ['id|A Allèle 1|A Allèle 2', 'A=A Allèle 1,A Allèle 2'],
  ['id|A_alelo_1|A_alelo_2', 'A=A_alelo_1,A_alelo_2'],
  ['id|alelo_1_A|alelo_2_A', 'A=alelo_1_A,alelo_2_A'],
  ['id|HLA-A аллель 1|HLA-A аллель 2', 'A=HLA-A аллель 1,HLA-A аллель 2'],
  ['id|HLA-A Merkmal 1|HLA-A Merkmal 2', 'A=HLA-A Merkmal 1,HLA-A Merkmal 2'],
  ['id|HLA-A_call_1|HLA-A_call_2', 'A=HLA-A_call_1,HLA-A_call_2'],
  ['id|HLA-A 1. alel|HLA-A 2. alel', 'A=HLA-A 1. alel,HLA-A 2. alel'],
  ['id|Locus A primo allele|Locus A secondo allele', 'A=Locus A primo allele,Locus A secondo allele'],
  ['id|A eerste|A tweede', 'A=A eerste,A tweede'],
  ['id|A primer alelo|A segundo alelo', 'A=A primer alelo,A segundo alelo'],
  ['id|HLA-A座1|HLA-A座2', 'A=HLA-A座1,HLA-A座2'],
  ['id|Aローカス（1）|Aローカス（2）', 'A=Aローカス（1）,Aローカス（2）'],
  ['id|HLA-A等位基因1|HLA-A等位基因2', 'A=HLA-A等位基因1,HLA-A等位基因2'],
  ['id|HLA-A 대립유전자1|HLA-A 대립유전자2', 'A=HLA-A 대립유전자1,HLA-A 대립유전자2'],
  ['id|A 1. Allel|A 2. Allel', 'A=A 1. Allel,A 2. Allel'],
  ['id|A_maternal|B_maternal|A_paternal|B_paternal', 'A=A_maternal,A_paternal; B=B_maternal,B_paternal'],
  ['id|HLA-A||HLA-B|/|Allel 1|Allel 2|Allel 1|Allel 2', 'A=HLA-A Allel 1,HLA-A Allel 2; B=HLA-B Allel 1,HLA-B Allel 2'],
  ['id|C_1|C_2|A_mat|B_mat', 'C=C_1,C_2', { unread: ['A_mat', 'B_mat'] }],
  ['id|C_1|C_2|A1 (molecular)|A2 (molecular)', 'C=C_1,C_2', { unread: ['A1 (molecular) A2 (molecular)'] }],
  ['id|C_1|C_2|mA1cd|mA2cd', 'C=C_1,C_2', { unread: ['mA1cd mA2cd'] }],
  ['id|A_1|A_2|x', 'A=A_1,A_2', { values: { 4: ['24:02', 'failed', 'low dna'] }, unread: ['x'] }],
  ['id|A_1|A_2|x', 'A=A_1,A_2', { values: { 4: ['10:00', 'failed', 'low dna'] } }],
  ['id|A|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['A*01:01+A*02:01'] }, unread: ['A'] }],
  // two lines
  ['|A||B|/id|1|2|1|2', 'A=A 1,A 2; B=B 1,B 2'],
  ['id|HLA-A||HLA-B|/|1|2|1|2', 'A=HLA-A 1,HLA-A 2; B=HLA-B 1,HLA-B 2'],
  ['id|A|A|DRB1|DRB1/|Allele 1|Allele 2|Allele 1|Allele 2', 'A=A Allele 1,A Allele 2; DRB1=DRB1 Allele 1,DRB1 Allele 2'],
  ['ID|HLA-A||HLA-DRB1||Sex/|a|b|a|b|', 'A=HLA-A a,HLA-A b; DRB1=HLA-DRB1 a,HLA-DRB1 b', { values: { 6: ['F', 'M'] } }],
  ['|donor_A||donor_B|/id|1|2|1|2', 'donor A=donor_A 1,donor_A 2; donor B=donor_B 1,donor_B 2'],
  // decided by what stands in them
  ['id|A_1|A_2|e1|e2', 'A=A_1,A_2', { values: { 4: DECIMALS, 5: DECIMALS } }],
  ['id|A_1|A_2|e1|e2', 'A=A_1,A_2', { values: { 4: NUMBERS, 5: NUMBERS } }],
  ['id|A_1|A_2|E1|E2', 'A=A_1,A_2; E=E1,E2', { values: { 4: ['01:01', '01:03'], 5: ['01:03', '01:01'] } }],
  ['id|A_1|A_2|C', 'A=A_1,A_2', { values: { 4: WORDS }, unread: ['C'] }],
  ['id|A_1|A_2|C', 'A=A_1,A_2', { values: { 4: NUMBERS }, unread: ['C'] }],
  ['id|A_1|A_2|B_1|B_2', 'A=A_1,A_2', { values: { 4: WORDS, 5: WORDS }, unread: ['B_1 B_2'] }],
  ['id|A_1|A_2|B_1|B_2', 'A=A_1,A_2; B=B_1,B_2', { values: { 4: NONE, 5: NONE } }],
  ['id|A_1|A_2|C|DRB1', 'A=A_1,A_2; C=C; DRB1=DRB1', { values: { 4: NONE, 5: NONE } }],
  ['id|A_1|A_2|vitamin C|hepatitis B', 'A=A_1,A_2', { values: { 4: DECIMALS, 5: WORDS } }],
  ['id|A_1|A_2|start|time', 'A=A_1,A_2', { values: { 4: ['09:30', '10:00'], 5: ['10:15', '23:59'] } }],
  ['id|A_1|A_2|x1|x2', 'A=A_1,A_2', { unread: ['x1 x2'] }],
  // said, with the locus and the person that the name has
  ['id|C_1|C_2|HLA_A_1_3d|HLA_A_2_3d', 'C=C_1,C_2', { unread: ['HLA_A_1_3d HLA_A_2_3d'] }],
  ['id|C_1|C_2|A.allele1.2field|A.allele2.2field', 'C=C_1,C_2', { unread: ['A.allele1.2field A.allele2.2field'] }],
  ['id|C_1|C_2|A LR 1|A LR 2', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['A LR 1 A LR 2'] }],
  ['id|C_1|C_2|DA1|DA2|RDR1|RDR2', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS, 6: NUMBERS, 7: NUMBERS }, unread: ['DA1 DA2', 'RDR1 RDR2'] }],
  ['id|DA1|DA2|RA1|RA2', '', { values: { 2: NUMBERS, 3: NUMBERS, 4: NUMBERS, 5: NUMBERS }, refused: 'DA1 DA2 (numbers' }],
  ['id|A_1|A_2|Day 1|Day 2|RA', 'A=A_1,A_2', { values: { 4: NUMBERS, 5: NUMBERS, 6: NUMBERS } }],
  // a locus before the locus is nobody; a letter may be somebody
  ['id|DRB1_A1|DRB1_A2|B_A1|B_A2', 'DRB1=DRB1_A1,DRB1_A2; B=B_A1,B_A2'],
  ['id|A_1|A_2|AA1|AA2', 'A=A_1,A_2', { values: { 4: NUMBERS, 5: NUMBERS } }],
  ['id|A_A1|A_A2|HLA-DQB1_a1|HLA-DQB1_a2', 'A=A_A1,A_A2; DQB1=HLA-DQB1_a1,HLA-DQB1_a2'],
  ['id|donor_DRB1_A1|donor_DRB1_A2', 'donor DRB1=donor_DRB1_A1,donor_DRB1_A2'],
  ['id|F_A1|F_A2|M_A1|M_A2', 'F A=F_A1,F_A2; M A=M_A1,M_A2'],
  ['id|DRB1_A1|DRB1_A2|B_A1|B_A2|F_A1|F_A2|M_A1|M_A2', 'DRB1=DRB1_A1,DRB1_A2; B=B_A1,B_A2; F A=F_A1,F_A2; M A=M_A1,M_A2'],
  ['id|C_A1|C_A2|C_B1|C_B2|HLA-DRB1 a|HLA-DRB1 b', 'C A=C_A1,C_A2; C B=C_B1,C_B2; DRB1=HLA-DRB1 a,HLA-DRB1 b'],
  ['id|C_A1|C_A2|C_B1|C_B2', 'C A=C_A1,C_A2; C B=C_B1,C_B2'],
  ['id|C_1|C_2|A_G1|A_G2|A_P1|A_P2', 'C=C_1,C_2', { values: { 4: GROUPS, 5: GROUPS, 6: ['01:01P'], 7: ['24:02P'] }, unread: ['A_G1 A_G2', 'A_P1 A_P2'] }],
  // one allele or antigen a column: whether or how often a person has it
  ['id|A_1|A_2|Bw4|Bw6', 'A=A_1,A_2', { values: { 4: ['+', '-'], 5: ['-', '+'] }, unread: ['Bw4 Bw6'] }],
  ['id|A_1|A_2|Bw4', 'A=A_1,A_2', { values: { 4: ['-', '-'] } }],
  ['id|A_1|A_2|Bw', 'A=A_1,A_2', { values: { 4: ['4', '6', '4'] }, unread: ['Bw'] }],
  ['id|A_1|A_2|HLA-Bw4/6', 'A=A_1,A_2', { values: { 4: ['4', '6', '4/6'] }, unread: ['HLA-Bw4/6'] }],
  ['id|A_1|A_2|DR51|DR52|DR53', 'A=A_1,A_2', { values: { 4: COUNTS, 5: ['pos', 'neg'], 6: WORDS }, unread: ['DR51 DR52 DR53'] }],
  ['id|A_1|A_2|DR51/52/53', 'A=A_1,A_2', { values: { 4: ['52', '51/53'] }, unread: ['DR51/52/53'] }],
  ['id|A_1|A_2|HLA-B27|DQ2', 'A=A_1,A_2', { values: { 4: ['positiv', 'negativ'], 5: WORDS }, unread: ['HLA-B27 DQ2'] }],
  ['id|A_1|A_2|C1|C2', 'A=A_1,A_2', { values: { 4: WORDS, 5: WORDS }, unread: ['C1 C2'] }],
  ['id|A_1|A_2|B7_pos', 'A=A_1,A_2', { values: { 4: ['陽性', '陰性'] }, unread: ['B7_pos'] }],
  ['id|B_1|B_2|A1|A2|A3|A11|A24', 'B=B_1,B_2', { values: { 4: COUNTS, 5: COUNTS, 6: COUNTS, 7: ['0', '0'], 8: COUNTS }, unread: ['A1 A2 A3 A11 A24'] }],
  ['id|C_1|C_2|A_101|A_2402|B_702', 'C=C_1,C_2', { values: { 4: COUNTS, 5: ['0.98', '1e-05'], 6: ['1.02', '0'] }, unread: ['A_101 A_2402 B_702'] }],
  ['id|C_1|C_2|HLA_A*01:01|HLA.B.07.02', 'C=C_1,C_2', { values: { 4: COUNTS, 5: COUNTS }, unread: ['HLA_A*01:01 HLA.B.07.02'] }],
  ['id|A_101|A_201|B_801', '', { values: { 2: COUNTS, 3: COUNTS, 4: COUNTS }, refused: 'presence or count of an allele' }],
  ['id|HLA_A*01:01|HLA_A*02:01', '', { values: { 2: COUNTS, 3: COUNTS }, refused: 'presence or count of an allele' }],
  ['id|A1|A2|A10|A24', 'A=A1,A2', { values: { 4: WORDS, 5: ['see note', 'no'] }, unread: ['A10'] }],
  ['id|A1|A2|A_1|A_2', '', { refused: 'the columns of A may be A1, A2, A_1, A_2' }],
  ['id|A_1|A_second', '', { refused: 'the columns of A may be A_1, A_second' }],
  ['id|A|HLA-A', '', { refused: 'the columns of A may be' }],
  ['id|x|y', '', { refused: 'x (typings, and the name says no locus)' }],
] // prettier-ignore

export const CONVENTIONS: readonly Convention[] = ROWS.map(([header, groups, more]) => ({
  header: header.includes('DRB3/4/5') ? [header] : header.split(/\/(?=id|\|)/),
  groups: groups === '' ? [] : groups.split('; '),
  ...more,
}))
