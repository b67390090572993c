/** Example question and answer of each operation over 3.58.0, for the interface description; a test runs them. */
import { packageVersion } from '../../package-root.ts'

export interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>>
}

export const EXAMPLES: ReadonlyMap<string, OperationExample> = new Map([
  [
    'redux',
    {
      input: { gl_string: 'A*01:01:01:01+A*02:AB', reduction_method: 'lgx' },
      output: {
        gl_string: 'A*01:01:01:01+A*02:AB',
        reduction_method: 'lgx',
        ard: 'A*01:01+A*02:01/A*02:02',
        ipd_version: 3580,
        status: 'ok',
      },
    },
  ],
  [
    'ard',
    {
      input: { allele: 'A*01:AB' },
      output: {
        allele: 'A*01:AB',
        ard: 'A*01:01/A*01:02',
        ipd_version: 3580,
        hla_version: packageVersion(),
      },
    },
  ],
  [
    'cwd',
    {
      input: { gl_string: 'B*15:01:01/B*15:04' },
      output: {
        gl_string: 'B*15:01:01/B*15:04',
        cwd: 'B*15:01/B*15:04',
        cwd_mac: 'B*15:AD',
        catalogue: 'CWD 2.0.0',
      },
    },
  ],
  [
    'validate',
    {
      input: { gl_string: 'A*01:01+A*02:01' },
      output: { gl_string: 'A*01:01+A*02:01', valid: true, malformed: false },
    },
  ],
  [
    'mac',
    {
      input: { gl_string: 'A*01:01/A*01:02' },
      output: {
        mac: 'A*01:AB',
        gl_string: 'A*01:01/A*01:02',
        alleles: ['A*01:01', 'A*01:02'],
        direction: 'lookup',
      },
    },
  ],
  [
    'splits',
    {
      input: { allele: 'A25' },
      output: { allele: 'A25', broad: 'A10', splits: ['A25', 'A26', 'A34', 'A66'] },
    },
  ],
  [
    'similar',
    {
      input: { prefix: 'A*01:01:01:04' },
      output: { prefix: 'A*01:01:01:04', similar: ['A*01:01:01:04'], count: 1 },
    },
  ],
  [
    'blend',
    {
      input: { DRB1_SLUG: 'DRB1*03:01+DRB1*04:01', DRB3: 'DRB3*01:01', DRB4: 'DRB4*01:03', DRB5: '' },
      output: { DRBX_blend: 'DRB3*01:01+DRB4*01:03' },
    },
  ],
  [
    'explain',
    {
      input: { gl_string: 'A*01:335', reduction_method: 'G' },
      output: {
        gl_string: 'A*01:335',
        reduction_method: 'G',
        ard: 'A*01:335',
        ipd_version: 3580,
        steps: [
          { leaf: 'A*01:335', step: 1, title: 'parse', text: 'allele: locus A, fields 01 335' },
          {
            leaf: 'A*01:335',
            step: 2,
            title: 'known',
            text: 'hla_nom.txt:810, assigned 2019-11-30',
            file: 'hla_nom.txt',
            line: 810,
          },
          {
            leaf: 'A*01:335',
            step: 3,
            title: 'G group',
            text: 'none: alone on hla_nom_g.txt:433',
            file: 'hla_nom_g.txt',
            line: 433,
          },
          {
            leaf: 'A*01:335',
            step: 4,
            title: 'rule',
            text: 'without a G group, the name is returned unchanged',
          },
          { leaf: 'A*01:335', step: 5, title: 'result', text: 'A*01:335' },
          { leaf: 'A*01:335', step: 6, title: 'verdict', text: 'valid' },
          { leaf: 'A*01:335', step: 7, title: 'number', text: 'HLA26419' },
          { leaf: 'A*01:335', step: 8, title: 'common', text: 'CWD 2.0.0: none' },
        ],
        other: {
          P: 'A*01:01P',
          lg: 'A*01:01g',
          lgx: 'A*01:01',
          W: 'A*01:335',
          exon: 'A*01:335',
          U2: 'A*01:01',
          S: 'A1',
        },
      },
    },
  ],
  [
    'lift',
    {
      input: { gl_string: 'A*24:329', from: '3.20.0' },
      output: {
        gl_string: 'A*24:329',
        from: '3.20.0',
        to: '3.58.0',
        accession: '',
        result: '',
        lift_status: 'unknown',
        notes: [
          {
            level: 'warning',
            code: 'unknown-allele',
            message: 'A*24:329 is not in 3.20.0; it is in 3.23.0 to 3.38.0',
            offending: 'A*24:329',
            position: [0, 8],
          },
        ],
      },
    },
  ],
  [
    'diff',
    {
      input: { gl_string: 'A*01:01', from_release: '3.29.0', to_release: '3.58.0' },
      output: {
        gl_string: 'A*01:01',
        reduction_method: 'lgx',
        from_release: '3.29.0',
        to_release: '3.58.0',
        from_ard: 'A*01:01',
        to_ard: 'A*01:01',
        changed: false,
        reasons: [],
        gained: [],
        lost: [],
      },
    },
  ],
  [
    'match',
    {
      input: { patient: 'A*01:01+A*02:01^B*08:01+B*44:02', donor: 'A*01:01+A*02:01^B*08:01+B*44:03' },
      output: {
        patient: 'A*01:01+A*02:01^B*08:01+B*44:02',
        donor: 'A*01:01+A*02:01^B*08:01+B*44:03',
        level: 'P',
        homozygous: 2,
        count: '10/10',
        loci: [
          { locus: 'A', verdict: 'match', matched: [2, 2], gvh: [0, 0], hvg: [0, 0] },
          { locus: 'B', verdict: 'mismatch', matched: [1, 1], gvh: [1, 1], hvg: [1, 1], grade: 'allele' },
        ],
        total: { of: 4, matched: [3, 3], gvh: [1, 1], hvg: [1, 1], untyped: ['C', 'DRB1', 'DQB1'] },
        ipd_version: 3580,
        notes: [],
      },
    },
  ],
  [
    'count',
    {
      input: { gl_strings: ['A*02:01+A*24:02', 'A*02:01/A*02:06+A*24:09N'] },
      output: {
        of: 'alleles',
        reduction_method: 'lgx',
        persons: 2,
        counts: [
          { locus: 'A', kind: 'name', name: 'A*02:01', typings: 1, persons: 1 },
          { locus: 'A', kind: 'name', name: 'A*24:02', typings: 1, persons: 1 },
          { locus: 'A', kind: 'null', name: 'A*24:09N', typings: 1, persons: 1 },
          { locus: 'A', kind: 'ambiguous', name: '', typings: 1, persons: 1 },
        ],
        ipd_version: 3580,
      },
    },
  ],
  [
    'version',
    {
      input: {},
      output: {
        ipd_version: 3580,
        release: '3.58.0',
        release_date: '2024-10-09',
        mac_date: '2020-07-11',
        mac_codes: 12527,
      },
    },
  ],
] as const)
