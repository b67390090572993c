/** What two sets of options differ in, one line each. Pure. */

/** `option into was after, is append` */
export function optionDifferences(then: unknown, now: unknown): string[] {
  return leaves(then, now).map(([name, a, b]) => `option ${name} was ${shown(a)}, is ${shown(b)}`)
}

/** Values that differ, by their path. */
function leaves(a: unknown, b: unknown, path = ''): [path: string, a: unknown, b: unknown][] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isObject(a) || !isObject(b)) return [[path, a, b]]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names.flatMap((name) =>
    leaves(ownValue(a, name), ownValue(b, name), path === '' ? name : `${path}.${name}`),
  )
}

function ownValue(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return value === undefined ? 'not given' : typeof value === 'string' ? value : JSON.stringify(value)
}
