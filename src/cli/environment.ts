/** Variables of the environment that say nothing: a script sets them empty where it would leave them out. */

/** Takes away those of ours that are empty, and switches that are off: `HLA_QUIET=0`. */
export function dropUndefined(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (name.startsWith('HLA_') && (value === '' || (SWITCHES.has(name) && isOff(value)))) delete env[name]
  }
}

/** Variables of options without a value, and HLA_DEBUG. */
const SWITCHES = new Set(['HLA_QUIET', 'HLA_DEBUG'])

function isOff(value: string): boolean {
  return /^(?:0|false|no|off)$/i.test(value)
}
