/** Small files in the formats of typing programs, and the table of each. */

export const lines = (...rows: string[]) => `${rows.join('\n')}\n`

/** Format, title, sample file, and its table. */
export const PROGRAM_FILES: readonly (readonly [name: string, title: string, text: string, table: string])[] = [
  [
    'phlat', 'PHLAT',
    lines('Locus\tAllele1\tAllele2\tLLtot\tPval1\tPval2', 'HLA_A\tA*02:01\tA*24:02\t-10.5\t1e-3\t0.5', 'HLA_B\tB*07:02\tB*07:02\t-9\t1\t1'),
    lines('sample,A_1,A_2,A_1_LLtot,A_1_Pval,A_2_LLtot,A_2_Pval,B_1,B_2,B_1_LLtot,B_1_Pval,B_2_LLtot,B_2_Pval', 'f,A*02:01,A*24:02,-10.5,1e-3,-10.5,0.5,B*07:02,B*07:02,-9,1,-9,1'),
  ],
  [
    'seq2hla', 'seq2HLA',
    lines('#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence', "A\tA*02:01'\t0.1\tA*24:02\t0.2", 'B\tB*07:02\tNA\tno\tNA'),
    lines('sample,A_1,A_2,A_1_Confidence,A_2_Confidence,B_1,B_2,B_1_Confidence,B_2_Confidence', 'f,A*02:01,A*24:02,0.1,0.2,B*07:02,,NA,'),
  ],
  [
    'rna2hla', 'RNA2HLA',
    lines('----HLA class I----', '#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence', 'A\tA*02:01\t0.1\tA*24:02\t0.2', '----HLA class II----', '#Locus\tAllele 1\tConfidence\tAllele 2\tConfidence', 'DRB1\tDRB1*15:01\t1\tno\tNA'),
    lines('sample,A_1,A_2,A_1_Confidence,A_2_Confidence,DRB1_1,DRB1_2,DRB1_1_Confidence,DRB1_2_Confidence', 'f,A*02:01,A*24:02,0.1,0.2,DRB1*15:01,,1,'),
  ],
  [
    'hla-la', 'HLA*LA',
    lines('Locus\tChromosome\tAllele\tQ1\tQ2\tAverageCoverage\tperfectG', 'A\t2\tA*24:02:01\t1\t-7\t40\t1', 'A\t1\tA*01:01:01;A*01:04\t0.9\t-7\t41\t1', 'B\t2\tB*07:02:01\t1\t-6\t40\t1'),
    lines('sample,A_1,A_2,A_1_Q1,A_1_AverageCoverage,A_1_perfectG,A_2_Q1,A_2_AverageCoverage,A_2_perfectG,B_1,B_2,B_1_Q1,B_1_AverageCoverage,B_1_perfectG,B_2_Q1,B_2_AverageCoverage,B_2_perfectG', 'f,A*01:01:01/A*01:04,A*24:02:01,0.9,41,1,1,40,1,,B*07:02:01,,,,1,40,1'),
  ],
  [
    'hlapers', 'HLApers',
    lines('locus\tallele\ttpm\tcounts', 'A\tIMGT_A*01:01:01\t10\t1', 'A\tIMGT_A*24:02:01-IMGT_A*24:03\t9\t2'),
    lines('sample,A_1,A_2,A_1_tpm,A_1_counts,A_2_tpm,A_2_counts', 'f,A*01:01:01,A*24:02:01/A*24:03,10,1,9,2'),
  ],
  [
    'hla-hd', 'HLA-HD',
    lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01', 'B\tHLA-B*07:02:01\t-', 'DRB3\tNot typed\tNot typed', 'DRB4\tHLA-DRB4*01:03:01\t-'),
    lines('sample,A_1,A_2,B_1,B_2,DRB3_1,DRB3_2,DRB4_1,DRB4_2', 'f,A*24:02:01,A*02:01:01,B*07:02:01,B*07:02:01,,,DRB4*01:03:01,'),
  ],
  [
    't1k', 'T1K',
    lines('HLA-A\t2\tHLA-A*02:01:01\t42.9\t15\tHLA-A*24:02:01\t42.0\t14', 'HLA-B\t1\tHLA-B*07:02\t83.9\t38\t.\t0\t-1', 'HLA-DRB3\t0\t.\t0\t-1\t.\t0\t-1'),
    lines('sample,A_1,A_2,A_1_abundance,A_1_quality,A_2_abundance,A_2_quality,B_1,B_2,B_1_abundance,B_1_quality,B_2_abundance,B_2_quality,DRB3_1,DRB3_2,DRB3_1_abundance,DRB3_1_quality,DRB3_2_abundance,DRB3_2_quality', 'f,A*02:01:01,A*24:02:01,42.9,15,42.0,14,B*07:02,,83.9,38,,,,,,,,'),
  ],
  [
    't1k', 'T1K',
    lines('HLA-A*02:01:01:01 15', 'HLA-A*24:02:01 14', 'HLA-B*07:02:01:01 38', 'HLA-DRB1*15:01:01 9'),
    lines('sample,A_1,A_2,A_1_abundance,A_1_quality,A_2_abundance,A_2_quality,B_1,B_2,B_1_abundance,B_1_quality,B_2_abundance,B_2_quality,DRB1_1,DRB1_2,DRB1_1_abundance,DRB1_1_quality,DRB1_2_abundance,DRB1_2_quality', 'f,A*02:01:01:01,A*24:02:01,,15,,14,B*07:02:01:01,,,38,,,DRB1*15:01:01,,,9,,'),
  ],
  [
    'kourami', 'Kourami',
    lines('A*02:01:01G\t546\t1.0\t546\t546\t14.0\t7.0\t7.0', 'A*02:01:01G\t546\t1.0\t546\t546\t14.0\t7.0\t7.0', 'B*07:02:01G\t249\t1.0\t249\t249\t29.0\t15.0\t11.0', 'B*08:01:01;B*08:01:02\t244\t0.979\t249\t249\t29.0\t15.0\t11.0'),
    lines('sample,A_1,A_2,A_1_matched,A_1_identity,A_2_matched,A_2_identity,B_1,B_2,B_1_matched,B_1_identity,B_2_matched,B_2_identity', 'f,A*02:01:01G,A*02:01:01G,546,1.0,546,1.0,B*07:02:01G,B*08:01:01/B*08:01:02,249,1.0,244,0.979'),
  ],
  [
    'lilac', 'LILAC',
    lines('Allele\tRefTotal\tRefUnique\tRefShared\tRefWild\tTumorTotal', 'A*02:01\t1250\t310\t930\t10\t0', 'A*24:02\t1100\t300\t800\t0\t0', 'B*07:02\t900\t0\t900\t0\t0', 'B*07:02\t900\t0\t900\t0\t0'),
    lines(`sample,${['A', 'B'].map((locus) => `${locus}_1,${locus}_2,${[1, 2].flatMap((slot) => ['RefTotal', 'RefUnique', 'RefShared', 'RefWild', 'TumorTotal'].map((name) => `${locus}_${slot}_${name}`)).join(',')}`).join(',')}`, 'f,A*02:01,A*24:02,1250,310,930,10,0,1100,300,800,0,0,B*07:02,B*07:02,900,0,900,0,0,900,0,900,0,0'),
  ],
  [
    'pharmcat', 'PharmCAT',
    lines('HLA-A\t*02:01/*24:02', 'HLA-B\t*07:02/*07:02'),
    lines('sample,A_1,A_2,B_1,B_2', 'f,A*02:01,A*24:02,B*07:02,B*07:02'),
  ],
  [
    'polysolver', 'POLYSOLVER',
    lines('HLA-A\thla_a_02_01_01_01\thla_a_24_02_01_02l', 'HLA-B\thla_b_07_02\thla_b_07_02'),
    lines('sample,A_1,A_2,B_1,B_2', 'f,A*02:01:01:01,A*24:02:01:02L,B*07:02,B*07:02'),
  ],
  [
    'spechla', 'SpecHLA',
    lines('# version: IPD-IMGT/HLA 3.38.0', 'Sample\tHLA_A_1\tHLA_A_2\tHLA_B_1\tHLA_B_2', 'S7\tA*02:01\tA*24:02;A*24:03\tB*07:02\t-'),
    lines('sample,A_1,A_2,B_1,B_2', 'S7,A*02:01,A*24:02/A*24:03,B*07:02,-'),
  ],
  [
    'hlaminer', 'HLAminer',
    lines('SUMMARY ', 'MOST LIKELY HLA class I ALLELES', 'HLA-A', '\tPrediction #1 - A*24', '\t\tA*24:02P,90.5,4.9e-3,32.1', '\t\tA*24:03,80.5,4.9e-3,30.1', '\tPrediction #2 - A*02', '\t\tA*02:01P,70,1e-3,20', '\t\tA*02:03,70,1e-3,20', '', 'HLA-B', '\tPrediction #1 - B*07', '\t\tB*07:02P,60,1e-3,19'),
    lines('sample,A_1,A_2,A_1_score,A_1_confidence,A_2_score,A_2_confidence,B_1,B_2,B_1_score,B_1_confidence,B_2_score,B_2_confidence', 'f,A*24:02P,A*02:01P/A*02:03,90.5,32.1,70,20,B*07:02P,,60,19,,'),
  ],
  [
    'hisat-genotype', 'HISAT-genotype',
    lines('# HISAT-genotype - 1.3.2', '\t\thisat2 graph', '\t\t\t\t1 A*02:01 (count: 60)', '', '\t\t\t\t1 ranked A*02:01:01 (abundance: 56.71%)', '\t\t\t\t2 ranked A*24:02 (abundance: 40.29%)', '\t\t\t\t3 ranked A*24:03 (abundance: 3.00%)', '\t\t\t\t1 ranked B*07:02 (abundance: 100.00%)'),
    lines('sample,A_1,A_2,A_1_abundance,A_2_abundance,B_1,B_2,B_1_abundance,B_2_abundance', 'f,A*02:01:01,A*24:02,56.71,40.29,B*07:02,,100.00,'),
  ],
  [
    'hlaforest', 'HLAforest',
    lines('ROOT:A\tROOT:A:02\tROOT:A:02:01', 'ROOT:A\tROOT:A:24\tROOT:A:24:02\tROOT:A:24:02:01', 'ROOT:B\tROOT:B:07\tROOT:B:07:02'),
    lines('sample,A_1,A_2,B_1,B_2', 'f,A*02:01,A*24:02:01,B*07:02,'),
  ],
  [
    'arcashla', 'arcasHLA',
    '{"A": ["A*02:01:01", "A*24:02:01"],\n "B": ["B*07:02:01"]}',
    lines('sample,A_1,A_2,B_1,B_2', 'f,A*02:01:01,A*24:02:01,B*07:02:01,'),
  ],
  [
    'arcashla', 'arcasHLA',
    '{"S1": {"A": ["A*02:01:01", "A*24:02:01"]}, "S2": {"B": ["B*07:02:01"]}}',
    lines('sample,A_1,A_2,B_1,B_2', 'S1,A*02:01:01,A*24:02:01,,', 'S2,,,B*07:02:01,'),
  ],
  [
    'xhla', 'xHLA',
    '{\n "subject_id": "17",\n "report_type": "hla_typing",\n "sample_id": "17",\n "hla": {\n  "alleles": [\n   "A*02:01",\n   "A*24:02",\n   "B*07:02",\n   "B*07:02"\n  ]\n }\n}\n',
    lines('sample,A_1,A_2,B_1,B_2', '17,A*02:01,A*24:02,B*07:02,B*07:02'),
  ],
] // prettier-ignore
