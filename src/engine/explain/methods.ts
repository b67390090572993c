/** How each method is explained. */
import type { Method } from '../reduce/methods.ts'
import { explainLg, explainLgx, explainU2 } from './ard.ts'
import { explainExon, explainFirstField, explainW } from './fields.ts'
import { explainG, explainP } from './groups.ts'
import { explainHats, explainS } from './serology.ts'
import type { Context, Derivation } from './step.ts'

/** A name of the release -> how the method gets from it to its answer. */
export const EXPLAINERS: Readonly<Record<Method, (name: string, context: Context) => Derivation>> = {
  G: explainG,
  P: explainP,
  lg: explainLg,
  lgx: explainLgx,
  W: explainW,
  exon: explainExon,
  U2: explainU2,
  S: explainS,
  '1F': explainFirstField,
  hats: explainHats,
}
