/** The published files of a release, as text. */
import { existsSync, readFileSync } from 'node:fs'
import type { ReleaseTexts } from '../../src/reference/compile/compile.ts'
import { sharedPath } from './shared.ts'

export function publishedTexts(compact: string): ReleaseTexts {
  const read = (...path: string[]) => readFileSync(sharedPath('upstream/IMGTHLA', ...path), 'utf8')
  const wmda = (name: string) => read(compact, 'wmda', name)
  return {
    alleleList: read('Latest/allelelist', `Allelelist.${compact}.txt`),
    nomenclature: wmda('hla_nom.txt'),
    gGroups: wmda('hla_nom_g.txt'),
    pGroups: wmda('hla_nom_p.txt'),
    dnaSerology: wmda('rel_dna_ser.txt'),
    serology: wmda('rel_ser_ser.txt'),
    ...(existsSync(sharedPath('upstream/IMGTHLA', compact, 'tce')) && {
      tce: read(compact, 'tce', 'dpb_tce.csv'),
    }),
  }
}
