/** Signals of the process that runs the tests. */
import { afterEach } from 'vitest'

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** After each test, removes what a service has added to them, as the end of its process would. */
export function keepSignals(): void {
  const before = SIGNALS.map((name) => [name, process.listeners(name)] as const)
  afterEach(() => {
    for (const [name, own] of before)
      for (const one of process.listeners(name)) if (!own.includes(one)) process.off(name, one)
  })
}
