/** `hla serve`: runs the HTTP service. */
import { commandOf, late } from '../options/declare-command.ts'
import { SERVE_OPTIONS } from '../options/serve-options.ts'

export const SERVE = commandOf({
  usage: 'serve',
  options: SERVE_OPTIONS,
  // without output: the service runs until it is stopped
  examples: [
    'hla serve --port 8080',
    'hla serve --port 8080 --release 3.58.0 --max-table 64MiB',
    'hla serve --port 8080 --workers 2 --access-log off --rate-limit 100',
  ],
  run: late(() => import('../run/serve/serve.ts'), 'serve'),
})
