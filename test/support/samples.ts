/** Samples of metrics in the Prometheus text format. */
import { expect } from 'vitest'

/**
 * Name with labels -> value.
 * @throws where a line is no sample of a family that was described before it, or stands twice
 */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const described = new Set<string>()
  const samples = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    const [, family = ''] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (family !== '') described.add(family)
    if (line.startsWith('# ')) continue
    const [, sample = '', name = '', value = ''] =
      /^((\w+)(?:\{(?:\w+="[^"]*",?)+\})?) (\S+)$/.exec(line) ?? []
    const families = [name, name.replace(/_(?:bucket|sum|count)$/, '')]
    expect([line, families.some((one) => described.has(one)), samples.has(sample)]).toEqual([
      line,
      true,
      false,
    ])
    samples.set(sample, Number(value))
  }
  return samples
}
