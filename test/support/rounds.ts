/** How often a property or a random trial is repeated: a tenth at a merge, all of it with HLA_LONG (`npm run test:long`). */

export const IS_LONG = process.env['HLA_LONG'] !== undefined

/** `all`: at night. A property of few runs keeps ten. */
export function rounds(all: number): number {
  return IS_LONG ? all : Math.min(all, Math.max(10, Math.ceil(all / 10)))
}
