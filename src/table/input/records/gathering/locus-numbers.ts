/** Numbers of the loci that records name, in the order they are met. */

export interface LocusNumbers {
  readonly number: (name: string) => number
  readonly names: readonly string[]
}

export function locusNumbers(): LocusNumbers {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    names,
    number(name) {
      let found = numbers.get(name)
      if (found === undefined) {
        numbers.set(name, (found = names.length))
        names.push(name)
      }
      return found
    },
  }
}
