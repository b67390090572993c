/** THE LIST of what services of py-ard answer, and what is different here. Rows with an operation are tested with its recorded answers. */

export interface RequestRow {
  readonly request: string
  /** Of the recorded answers; undefined where none were recorded. */
  readonly recorded?: { readonly op: string; readonly method?: string }
  /** The member of the body that is the recorded answer. */
  readonly member?: string
  readonly note?: string
}

export const REQUESTS: readonly RequestRow[] = [
  {
    request: 'POST /redux',
    recorded: { op: 'redux' },
    member: 'ard',
    note: 'what is missing is 400, not 404',
  },
  {
    request: 'GET /ard/{allele}',
    recorded: { op: 'redux', method: 'lgx' },
    member: 'ard',
    note: 'what is missing is 400, not 404; a genotype or a list is 400 (`POST /redux` takes it), where py-ard answers 200',
  },
  {
    request: 'POST /cwd-redux',
    recorded: { op: 'cwd' },
    member: 'cwd',
    note: '`cwd_mac` with the code of the result',
  },
  {
    request: 'GET /mac/{allele_code}',
    recorded: { op: 'mac-expand' },
    member: 'gl_string',
    note: 'what is no MAC is 400, not 404',
  },
  {
    request: 'POST /mac',
    recorded: { op: 'mac-lookup' },
    member: 'mac',
    note: 'what is no list is 400, not 500',
  },
  {
    request: 'GET /xx/{xx_code}',
    recorded: { op: 'xx-expand' },
    member: 'gl_string',
    note: 'what is no XX code is 400, not 404',
  },
  {
    request: 'GET /mac-hats/{allele_code}',
    note: 'of releases from 3.64.0 on; of earlier ones 501, where py-ard answers 500',
  },
  {
    request: 'POST /validate',
    recorded: { op: 'validate' },
    member: 'valid',
    note: 'malformed text is 400, an unknown name 404',
  },
  { request: 'GET /valid?gl_string=', recorded: { op: 'validate' }, member: 'valid' },
  { request: 'GET /splits/{allele}', recorded: { op: 'splits' }, note: 'none is 404 in both' },
  {
    request: 'GET /similar/{allele_prefix}',
    recorded: { op: 'similar' },
    note: 'a list; none is 404, not 400',
  },
  {
    request: 'POST /blend',
    recorded: { op: 'blend' },
    member: 'DRBX_blend',
    note: 'typings that do not fit are 404, not 200; genes that are left out are empty, not 500',
  },
  { request: 'GET /version', note: 'with the data, their checksums and their age' },
  {
    request: 'Accept: text/plain',
    note: 'text for `/version`, `/ard`, `/mac`, `/mac-hats`, `/xx`, `/validate` and `/valid`, for who names it before JSON; `*/*` gets JSON here, text from py-ard. Errors are JSON in both',
  },
  {
    request: '/ui',
    note: 'leads to the page; the interface is described at `/docs` and `/openapi.json`',
  },
]
