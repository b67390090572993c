/**
 * Naming conventions for the columns of a table of typings, one a row: the header lines (cells between `|`), and the
 * expected reading. All are made up; none comes from real data. `typed` columns contain `01:01` and the like.
 */

export interface Convention {
  /** Header lines; the last one is directly above the data. */
  readonly header: readonly string[]
  /** Groups in the notation of the plan: `A=A_1,A_2`, `donor A=…`, `GL=…`, `DRB3/4/5=…`. */
  readonly groups: readonly string[]
  /** Values of columns (by number, from 1) that are not two fields of the locus. */
  readonly values?: Readonly<Record<number, readonly string[]>>
  /** Columns reported as not read. */
  readonly unread?: readonly string[]
  /** The table is refused, and the message contains this text. */
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
  ['id|A/1|A/2', 'A=A/1,A/2'],
  ['id|A 1|A 2', 'A=A 1,A 2'],
  ['id|a1|a2', 'A=a1,a2'],
  ['id|a_1|a_2', 'A=a_1,a_2'],
  ['id|A(1)|A(2)', 'A=A(1),A(2)'],
  ['id|A (1)|A (2)', 'A=A (1),A (2)'],
  ['id|A[1]|A[2]', 'A=A[1],A[2]'],
  ['id|A#1|A#2', 'A=A#1,A#2'],
  ['id|A:1|A:2', 'A=A:1,A:2'],
  ['id|A*1|A*2', 'A=A*1,A*2'],
  ['id|A*_1|A*_2', 'A=A*_1,A*_2'],
  ['Sample|A*A1|A*A2|DRB1*DRB11|DRB1*DRB12', 'A=A*A1,A*A2; DRB1=DRB1*DRB11,DRB1*DRB12', { values: { 1: ['S1', 'S2'] } }],
  ['id|B1|B2', 'B=B1,B2'],
  ['id|C1|C2', 'C=C1,C2'],
  ['id|Cw1|Cw2', 'C=Cw1,Cw2'],
  ['id|CW_1|CW_2', 'C=CW_1,CW_2'],
  ['id|DRB1_1|DRB1_2', 'DRB1=DRB1_1,DRB1_2'],
  ['id|DRB11|DRB12', 'DRB1=DRB11,DRB12'],
  ['id|drb1.1|drb1.2', 'DRB1=drb1.1,drb1.2'],
  ['id|DRB1*1|DRB1*2', 'DRB1=DRB1*1,DRB1*2'],
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
  // the prefix HLA
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
  ['id|A_Allele1|A_Allele2', 'A=A_Allele1,A_Allele2'],
  ['id|HLA_A_Type1|HLA_A_Type2', 'A=HLA_A_Type1,HLA_A_Type2'],
  ['id|a_typ1|a_typ2', 'A=a_typ1,a_typ2'],
  ['id|A_type_1|A_type_2', 'A=A_type_1,A_type_2'],
  ['id|A typing 1|A typing 2', 'A=A typing 1,A typing 2'],
  ['id|A_1_allele|A_2_allele', 'A=A_1_allele,A_2_allele'],
  ['id|A_1_typing|A_2_typing', 'A=A_1_typing,A_2_typing'],
  ['id|A_hap1|A_hap2', 'A=A_hap1,A_hap2'],
  ['id|HLA_DRB1_Allele1|HLA_DRB1_Allele2|HLA_DRB3_Allele1|HLA_DRB3_Allele2|HLA_DRB4_Allele1|HLA_DRB4_Allele2|HLA_DRB5_Allele1|HLA_DRB5_Allele2', 'DRB1=HLA_DRB1_Allele1,HLA_DRB1_Allele2; DRB3=HLA_DRB3_Allele1,HLA_DRB3_Allele2; DRB4=HLA_DRB4_Allele1,HLA_DRB4_Allele2; DRB5=HLA_DRB5_Allele1,HLA_DRB5_Allele2'],
  // letters and words in place of numbers
  ['id|A_first|A_second', 'A=A_first,A_second'],
  // the number before the locus
  ['id|Allele1_A|Allele2_A', 'A=Allele1_A,Allele2_A'],
  ['id|allele_1_A|allele_2_A', 'A=allele_1_A,allele_2_A'],
  ['id|Allele 1 HLA-A|Allele 2 HLA-A', 'A=Allele 1 HLA-A,Allele 2 HLA-A'],
  ['id|first_A|second_A', 'A=first_A,second_A'],
  ['id|first_HLA-DRB1|second_HLA-DRB1', 'DRB1=first_HLA-DRB1,second_HLA-DRB1'],
  ['id|hap1_A|hap2_A', 'A=hap1_A,hap2_A'],
  ['id|1_A|2_A', 'A=1_A,2_A'],
  ['id|typ1_a|typ2_a', 'A=typ1_a,typ2_a'],
  // counted from 0
  ['id|A_0|A_1', 'A=A_0,A_1'],
  ['id|A0|A1', 'A=A0,A1'],
  ['id|HLA-A_0|HLA-A_1', 'A=HLA-A_0,HLA-A_1'],
  ['id|DRB1_0|DRB1_1', 'DRB1=DRB1_0,DRB1_1'],
  ['id|A.0|A.1|B.0|B.1', 'A=A.0,A.1; B=B.0,B.1'],
  // a program numbered the second of two equal names
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
  ['id|A|A.1|A.2', '', { refused: 'ambiguous columns for A: A, A.1, A.2' }],
  // the same name twice
  ['id|A|A|B|B', 'A=A#1,A#2; B=B#1,B#2'],
  ['id|HLA-A|HLA-A', 'A=HLA-A#1,HLA-A#2'],
  ['id|A|B|A|B', 'A=A#1,A#2; B=B#1,B#2'],
  ['id|A allele|A allele', 'A=A allele#1,A allele#2'],
  ['id|DRB345|DRB345', 'DRB3/4/5=DRB345#1,DRB345#2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|A|A|A', '', { refused: 'ambiguous columns for A: A#1, A#2' }],
  // merged cells
  ['id|HLA-A||HLA-B|', 'A=HLA-A,3; B=HLA-B,5'],
  ['id|A||DRB1|', 'A=A,3; DRB1=DRB1,5'],
  ['id|HLA-A|...3|HLA-B|...5', 'A=HLA-A,...3; B=HLA-B,...5'],
  ['id|HLA-A|Unnamed: 2|HLA-B|Unnamed: 4', 'A=HLA-A,Unnamed: 2; B=HLA-B,Unnamed: 4'],
  // DRB3, DRB4 and DRB5 in one pair
  ['id|DRB345_1|DRB345_2', 'DRB3/4/5=DRB345_1,DRB345_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3/4/5_1|DRB3/4/5_2', 'DRB3/4/5=DRB3/4/5_1,DRB3/4/5_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRBX_1|DRBX_2', 'DRB3/4/5=DRBX_1,DRBX_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3-5_1|DRB3-5_2', 'DRB3/4/5=DRB3-5_1,DRB3-5_2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|HLA-DRB3/4/5 1|HLA-DRB3/4/5 2', 'DRB3/4/5=HLA-DRB3/4/5 1,HLA-DRB3/4/5 2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB3.4.5.1|DRB3.4.5.2', 'DRB3/4/5=DRB3.4.5.1,DRB3.4.5.2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|HLA_DRB345_Allele1|HLA_DRB345_Allele2', 'DRB3/4/5=HLA_DRB345_Allele1,HLA_DRB345_Allele2', { values: { 2: DRBX, 3: DRBX } }],
  ['id|DRB345_1|DRB345_2', 'DRB3/4/5=DRB345_1,DRB345_2', { values: { 2: FAILURES, 3: ['failed', 'DRB5*01:01', ''] } }],
  ['id|A_1|A_2|DRB345_1|DRB345_2', 'A=A_1,A_2', { unread: ['DRB345_1 DRB345_2'] }],
  // several persons a row
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
  ['id|A|B', 'A=A; B=B', { values: { 2: ['A*01:01+A*02:01'], 3: ['B*07:02+B*08:01'] } }],
  ['id|HLA-A|HLA-B', 'A=HLA-A; B=HLA-B', { values: { 2: NUMBERS, 3: NUMBERS } }],
  // GL Strings
  ['id|gl', 'GL=gl', { values: { 2: GL } }],
  ['id|GL String', 'GL=GL String', { values: { 2: GL } }],
  ['id|typing|sex', 'GL=typing', { values: { 2: GL, 3: ['F', 'M'] } }],
  ['id|x1|x2', 'GL=x1; GL=x2', { values: { 2: NAMED, 3: NAMED } }],
  ['id|A_1|A_2|gl', 'A=A_1,A_2', { values: { 4: GL }, unread: ['gl'] }],
  ['id|A_1|A_2|gl', 'A=A_1,A_2', { values: { 4: [...GL, 'failed', 'pending', 'low dna'] }, unread: ['gl'] }],
  ['id|A_1|A_2|father_G', 'A=A_1,A_2', { values: { 4: ['01:01 01:01', '01:01 01:01', 'failed', 'low dna', 'pending'] }, unread: ['father_G'] }],
  ['id|A_1|A_2|HLA', 'A=A_1,A_2', { values: { 4: ['A1 B8', 'A2,24 B7', 'failed', 'pending', 'low dna'] }, unread: ['HLA'] }],
  // in other languages, and in words
  ['id|C_1|C_2|A_mat|B_mat', 'C=C_1,C_2', { unread: ['A_mat', 'B_mat'] }],
  ['id|C_1|C_2|A1 (molecular)|A2 (molecular)', 'C=C_1,C_2', { unread: ['A1 (molecular) A2 (molecular)'] }],
  ['id|C_1|C_2|mA1cd|mA2cd', 'C=C_1,C_2', { unread: ['mA1cd mA2cd'] }],
  ['id|A_1|A_2|x', 'A=A_1,A_2', { values: { 4: ['24:02', 'failed', 'low dna'] }, unread: ['x'] }],
  ['id|A_1|A_2|x', 'A=A_1,A_2', { values: { 4: ['10:00', 'failed', 'low dna'] } }],
  ['id|A|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['A*01:01+A*02:01'] }, unread: ['A'] }],
  // columns named in words of no known file are reported
  ['id|C_1|C_2|A_a|A_b', 'C=C_1,C_2', { unread: ['A_a A_b'] }],
  ['id|C_1|C_2|HLA-A_a|HLA-A_b', 'C=C_1,C_2', { unread: ['HLA-A_a HLA-A_b'] }],
  ['id|C_1|C_2|donor_A_a|donor_A_b', 'C=C_1,C_2', { unread: ['donor_A_a donor_A_b'] }],
  ['id|C_1|C_2|donor_A Allele A|donor_A Allele B', 'C=C_1,C_2', { unread: ['donor_A Allele A', 'donor_A Allele B'] }],
  ['id|C_1|C_2|1st_A|2nd_A', 'C=C_1,C_2', { unread: ['1st_A', '2nd_A'] }],
  ['id|C_1|C_2|h1_A|h2_A', 'C=C_1,C_2', { unread: ['h1_A h2_A'] }],
  ['id|C_1|C_2|A_maternal|A_paternal', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['A_maternal', 'A_paternal'] }],
  ['id|C_1|C_2|HLA-A Allel 1|HLA-A Allel 2', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['HLA-A Allel 1 HLA-A Allel 2'] }],
  ['id|C_1|C_2|DDQB11|DDQB12', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['DDQB11 DDQB12'] }],
  ['id|C_1|C_2|first_B|second_B', 'C=C_1,C_2', { values: { 4: FAILED, 5: FAILED }, unread: ['first_B second_B'] }],
  ['id|C_1|C_2|DRB111|DRB112', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['DRB111 DRB112'] }],
  ['id|REC_CW1|REC_CW2|REC_DQW1|REC_DQW2', 'REC C=REC_CW1,REC_CW2; REC DQB1=REC_DQW1,REC_DQW2', { values: { 4: NUMBERS, 5: NUMBERS } }],
  // two lines
  ['|A||B|/id|1|2|1|2', 'A=A 1,A 2; B=B 1,B 2'],
  ['id|HLA-A||HLA-B|/|1|2|1|2', 'A=HLA-A 1,HLA-A 2; B=HLA-B 1,HLA-B 2'],
  ['id|A|A|DRB1|DRB1/|Allele 1|Allele 2|Allele 1|Allele 2', 'A=A Allele 1,A Allele 2; DRB1=DRB1 Allele 1,DRB1 Allele 2'],
  ['|donor_A||donor_B|/id|1|2|1|2', 'donor A=donor_A 1,donor_A 2; donor B=donor_B 1,donor_B 2'],
  // the values decide
  ['id|A_1|A_2|e1|e2', 'A=A_1,A_2', { values: { 4: DECIMALS, 5: DECIMALS } }],
  // a date of birth is not a gene (issue 38)
  ['id|DOB|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['05/12/1980', '01/02/1975'] } }],
  ['id|DOB|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['1980-12-05', '1975-02-01'] } }],
  ['id|dob|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['05-12-80', '01-02-75'] } }],
  ['id|D.O.B.|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['05.12.1980', '01.02.1975'] } }],
  ['id|Donor DOB|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['19801205', '19750201'] } }],
  ['id|patient_dob|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['1980', '1975'] } }],
  ['id|DOB|A_1|A_2', 'A=A_1,A_2', { values: { 2: ['29560.0', '27426.0'] } }],
  ['id|DOB|A_1|A_2', 'A=A_1,A_2', { values: { 2: NONE } }],
  ['id|DOB|A_1|A_2', 'DOB=DOB; A=A_1,A_2', { values: { 2: ['01:01', '01:02'] } }],
  ['id|DOB|A_1|A_2', 'DOB=DOB; A=A_1,A_2', { values: { 2: ['DOB*01:01+DOB*01:02'] } }],
  ['id|HLA-DOB|A_1|A_2', 'DOB=HLA-DOB; A=A_1,A_2', { values: { 2: ['0101', '0102'] } }],
  ['id|DOB_1|DOB_2', 'DOB=DOB_1,DOB_2', { values: { 2: ['0101', '0102'], 3: ['0101', '0103'] } }],
  // counts that a program wrote as decimals, and typings that a spreadsheet changed to decimals (issue 38)
  ['id|A1|A2|B_1|B_2', 'B=B_1,B_2', { values: { 2: ['1935.0', '614.0'], 3: ['1935.0', '8277.0'] }, unread: ['A1 A2'] }],
  ['id|A1|A2|B_1|B_2', 'B=B_1,B_2', { values: { 2: ['0.0', '61433.0'], 3: ['870.0', '0.0'] }, unread: ['A1 A2'] }],
  ['id|A1|A2|B_1|B_2', 'A=A1,A2; B=B_1,B_2', { values: { 2: ['2.0', '24.0'], 3: ['3.0', '24.0'] } }],
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
  // reported with the locus and the person in the name
  ['id|C_1|C_2|HLA_A_1_3d|HLA_A_2_3d', 'C=C_1,C_2', { unread: ['HLA_A_1_3d HLA_A_2_3d'] }],
  ['id|C_1|C_2|A.allele1.2field|A.allele2.2field', 'C=C_1,C_2', { unread: ['A.allele1.2field A.allele2.2field'] }],
  ['id|C_1|C_2|A LR 1|A LR 2', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS }, unread: ['A LR 1 A LR 2'] }],
  ['id|C_1|C_2|DA1|DA2|RDR1|RDR2', 'C=C_1,C_2', { values: { 4: NUMBERS, 5: NUMBERS, 6: NUMBERS, 7: NUMBERS }, unread: ['DA1 DA2', 'RDR1 RDR2'] }],
  ['id|DA1|DA2|RA1|RA2', '', { values: { 2: NUMBERS, 3: NUMBERS, 4: NUMBERS, 5: NUMBERS }, refused: 'DA1 DA2 (numbers' }],
  ['id|A_1|A_2|Day 1|Day 2|RA', 'A=A_1,A_2', { values: { 4: NUMBERS, 5: NUMBERS, 6: NUMBERS } }],
  // a gene in front of the locus is not a person; a letter may be one
  ['id|DRB1_A1|DRB1_A2|B_A1|B_A2', 'DRB1=DRB1_A1,DRB1_A2; B=B_A1,B_A2'],
  ['id|A_1|A_2|AA1|AA2', 'A=A_1,A_2', { values: { 4: NUMBERS, 5: NUMBERS } }],
  ['id|A_A1|A_A2|HLA-DQB1_a1|HLA-DQB1_a2', 'A=A_A1,A_A2; DQB1=HLA-DQB1_a1,HLA-DQB1_a2'],
  ['id|donor_DRB1_A1|donor_DRB1_A2', 'donor DRB1=donor_DRB1_A1,donor_DRB1_A2'],
  ['id|F_A1|F_A2|M_A1|M_A2', 'F A=F_A1,F_A2; M A=M_A1,M_A2'],
  ['id|DRB1_A1|DRB1_A2|B_A1|B_A2|F_A1|F_A2|M_A1|M_A2', 'DRB1=DRB1_A1,DRB1_A2; B=B_A1,B_A2; F A=F_A1,F_A2; M A=M_A1,M_A2'],
  ['id|C_A1|C_A2|C_B1|C_B2|HLA-DRB1 1|HLA-DRB1 2', 'C A=C_A1,C_A2; C B=C_B1,C_B2; DRB1=HLA-DRB1 1,HLA-DRB1 2'],
  ['id|C_A1|C_A2|C_B1|C_B2', 'C A=C_A1,C_A2; C B=C_B1,C_B2'],
  ['id|C_1|C_2|A_G1|A_G2|A_P1|A_P2', 'C=C_1,C_2', { values: { 4: GROUPS, 5: GROUPS, 6: ['01:01P'], 7: ['24:02P'] }, unread: ['A_G1 A_G2', 'A_P1 A_P2'] }],
  // results without their source columns, and letters that stand for a method, a parent or HLA-G (issue 38)
  ['id|A_P|A_M', '', { refused: 'A_P A_M (typings, but the name has no locus)' }],
  ['id|A_1|A_P', 'A=A_1', { unread: ['A_P'] }],
  ['id|A|A_P|A_M', 'A=A', { unread: ['A_P A_M'] }],
  ['id|C_1|C_2|A_P|B_P|A_M|B_M', 'C=C_1,C_2', { unread: ['A_P A_M', 'B_P B_M'] }],
  ['id|A_1|A_2|C_1_lgx|C_2_lgx', 'A=A_1,A_2', { values: { 4: NAMED, 5: NAMED }, unread: ['C_1_lgx C_2_lgx'] }],
  ['id|A_1|A_2|C_1_G|C_1_lgx|C_2_G|C_2_lgx', 'A=A_1,A_2', { unread: ['C_1_G C_2_G', 'C_1_lgx C_2_lgx'] }],
  ['id|A_1|A_2|C_1_G_lgx|C_2_G_lgx', 'A=A_1,A_2', { unread: ['C_1_G_lgx C_2_G_lgx'] }],
  ['id|A_1|A_2|C_1_1F|C_2_1F|C_1_valid|C_2_valid', 'A=A_1,A_2', { values: { 6: ['yes', 'no'], 7: ['yes', 'no'] }, unread: ['C_1_1F C_2_1F'] }],
  ['id|A_1|A_2|A_1_lgx|A_2_lgx', 'A=A_1,A_2'],
  ['id|A_1|A_2|A_1_G_lgx|A_2_G_lgx', 'A=A_1,A_2'],
  ['id|A_mother_G|A_father_G', '', { refused: 'A_mother_G (typings, but the name has no locus)' }],
  ['id|A_1|A_2|A_mother_G|A_father_G', 'A=A_1,A_2', { unread: ['A_mother_G', 'A_father_G'] }],
  ['id|C_1|C_2|A_mother_a|A_mother_b', 'C=C_1,C_2', { unread: ['A_mother_a A_mother_b'] }],
  ['id|C_1|C_2|A_1_G', 'C=C_1,C_2', { unread: ['A_1_G'] }],
  ['id|C_1|C_2|A_1_C', 'C=C_1,C_2', { unread: ['A_1_C'] }],
  // numbers, whether whole or not
  ['id|C_1|C_2|drb1_1_lgx|drb1_2_lgx', 'C=C_1,C_2', { values: { 4: ['1935.0', '614.0', '0.0'], 5: ['614.0', '0.0'] }, unread: ['drb1_1_lgx drb1_2_lgx'] }],
  // two words that name no person: of one typing each they are perhaps the first and the second
  ['id|mother_G|father_G', '', { refused: 'mother_G father_G (two persons, or the two typings of one)' }],
  ['id|B_1|B_2|eerste_A|tweede_A', 'B=B_1,B_2', { unread: ['eerste_A tweede_A'] }],
  ['id|B_1|B_2|erste_A|erste_C|zweite_A|zweite_C', 'B=B_1,B_2', { unread: ['erste_A zweite_A', 'erste_C zweite_C'] }],
  ['id|B_1|B_2|donor_erste_A|donor_zweite_A|recipient_erste_A|recipient_zweite_A', 'B=B_1,B_2', { unread: ['donor_erste_A donor_zweite_A', 'recipient_erste_A recipient_zweite_A'] }],
  ['id|A|zweite_A', '', { refused: 'A zweite_A (two persons, or the two typings of one)' }],
  ['id|mother_A|father_A', 'mother A=mother_A; father A=father_A', { values: { 2: ['01:01+02:01'], 3: ['24:02+02:01'] } }],
  ['id|C_donor_A_1|C_donor_A_2|C_donor_DRB1_1|C_donor_DRB1_2', 'C_donor A=C_donor_A_1,C_donor_A_2; C_donor DRB1=C_donor_DRB1_1,C_donor_DRB1_2'],
  // one allele or antigen a column, with its presence or count, is no typing; one named like a locus is named
  ['id|A_1|A_2|Bw4|Bw6', 'A=A_1,A_2', { values: { 4: ['+', '-'], 5: ['-', '+'] } }],
  ['id|A_1|A_2|Bw', 'A=A_1,A_2', { values: { 4: ['4', '6', '4'] } }],
  ['id|A_1|A_2|HLA-Bw4/6', 'A=A_1,A_2', { values: { 4: ['4', '6', '4/6'] } }],
  ['id|A_1|A_2|DR51|DR52|DR53', 'A=A_1,A_2', { values: { 4: COUNTS, 5: ['pos', 'neg'], 6: WORDS } }],
  ['id|A_1|A_2|DR51/52/53', 'A=A_1,A_2', { values: { 4: ['52', '51/53'] } }],
  ['id|A_1|A_2|HLA-B27|DQ2', 'A=A_1,A_2', { values: { 4: ['positive', 'negative'], 5: WORDS }, unread: ['DQ2'] }],
  ['id|A_1|A_2|C1|C2', 'A=A_1,A_2', { values: { 4: WORDS, 5: WORDS }, unread: ['C1 C2'] }],
  ['id|A_1|A_2|B7_pos', 'A=A_1,A_2', { values: { 4: ['pos', 'neg'] } }],
  ['id|C_1|C_2|A_101|A_2402|B_702', 'C=C_1,C_2', { values: { 4: COUNTS, 5: ['0.98', '1e-05'], 6: ['1.02', '0'] } }],
  ['id|C_1|C_2|HLA_A*01:01|HLA.B.07.02', 'C=C_1,C_2', { values: { 4: COUNTS, 5: COUNTS } }],
  ['id|B_1|B_2|A1|A2|A3|A11|A24', 'B=B_1,B_2', { values: { 4: COUNTS, 5: COUNTS, 6: COUNTS, 7: ['0', '0'], 8: COUNTS }, unread: ['A1 A2'] }],
  ['id|A1|A2|A10|A24', 'A=A1,A2', { values: { 4: WORDS, 5: ['see note', 'no'] } }],
  ['id|A1|A2|A_1|A_2', '', { refused: 'ambiguous columns for A: A1, A2, A_1, A_2' }],
  ['id|A_1|A_second', '', { refused: 'ambiguous columns for A: A_1, A_second' }],
  ['id|A|HLA-A', '', { refused: 'ambiguous columns for A' }],
  ['id|x|y', '', { refused: 'x (typings, but the name has no locus)' }],
] // prettier-ignore

export const CONVENTIONS: readonly Convention[] = ROWS.map(([header, groups, more]) => ({
  header: header.includes('DRB3/4/5') ? [header] : header.split(/\/(?=id|\|)/),
  groups: groups === '' ? [] : groups.split('; '),
  ...more,
}))
