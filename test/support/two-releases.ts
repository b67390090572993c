/** Small releases in folders of a source: 3.58.0 with the names of 3.57.0; 3.57.0, in which an allele has another antigen; and others of 3.57.0. */
import { join } from 'node:path'
import {
  ALLELE_LIST,
  published,
  smallBranch,
  withChecksums,
  within,
  writeFiles,
} from './published-release.ts'

const DATE = '2024-07-01'

/** `source` has both, `revised` 3.57.0 with other antigens, `broken` one whose groups contradict each other. */
export function writeReleases(folder: string): void {
  const former = smallBranch('3.57.0', DATE)
  const with3570 = (name: string, rows: readonly string[]) =>
    within('3570', new Map([...former, [name, published(name, '3.57.0', DATE, rows)]]))
  const antigens = (antigen: string) =>
    with3570('wmda/rel_dna_ser.txt', ['A*;01:01:01:01;1;;;', 'A*;01:01:01:02N;0;;;', `B*;07:02:01:01;${antigen};;;`]) // prettier-ignore
  const list = 'allelelist/Allelelist.3570.txt'
  const latter = new Map([...smallBranch('3.58.0'), [list, published(list, '3.57.0', DATE, ALLELE_LIST)]])
  writeFiles(join(folder, 'source'), new Map([...within('3580', withChecksums(latter)), ...antigens('703')]))
  writeFiles(join(folder, 'revised'), antigens('7'))
  const groups = ['A*;01:01:01:01;', 'A*;01:01:01:02N;', 'B*;07:02:01:01;']
  writeFiles(join(folder, 'broken'), with3570('wmda/hla_nom_g.txt', groups))
}
