/** What a result column is called. Pure. */

/** `{col}_{method}` of A_1 by lgx is `A_1_lgx`. In one go, and by a function: a label may hold `{method}` or `$&` itself. */
export function resultName(naming: string, label: string, method: string): string {
  return naming.replaceAll(/\{(col|method)\}/g, (_, part: string) => (part === 'col' ? label : method))
}
