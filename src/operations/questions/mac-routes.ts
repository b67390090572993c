/** GET routes that expand codes: MACs, XX codes, and MACs via the HATS antigens of their alleles. */
import { isWrittenAsXx } from '../../engine/mac.ts'
import { HlaError } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { type HttpReply, type HttpRoute, isRecord } from '../http-face.ts'

export const MAC_ROUTES: readonly HttpRoute[] = [
  {
    method: 'GET',
    path: '/mac/{allele_code}',
    preset: { direction: 'expand' },
    summary: 'Returns the alleles that a MAC stands for',
    example: 'A*01:AB',
  },
  {
    method: 'GET',
    path: '/mac-hats/{allele_code}',
    preset: { direction: 'expand', hats: true },
    id: 'mac-hats',
    summary: 'Returns all two-field names that share a HATS antigen with the alleles of a MAC',
    example: 'A*01:AB',
  },
  {
    method: 'GET',
    path: '/xx/{xx_code}',
    preset: { direction: 'expand', xx: true },
    id: 'xx',
    summary: 'Returns the alleles that an XX code stands for',
    example: 'A*43:XX',
    refuse: refuseOtherThanXx,
    more: { xx_code: { type: 'string', description: 'the XX code; the same as "mac"' } },
    toBody: (output) => ({ ...output, xx_code: output['mac'] }),
  },
]

/** Reply of a basic server, which has another name for the code. */
export function xxReply({ status, body }: HttpReply): Readonly<Record<string, unknown>> | undefined {
  if (status !== 200 || !isRecord(body) || body['mac'] !== undefined) return undefined
  const { xx_code: mac, gl_string, alleles } = body
  return mac === undefined ? undefined : { mac, gl_string, alleles, direction: 'expand' }
}

/** Refuses input other than XX codes for `GET /xx`, which would be another question. */
function refuseOtherThanXx(text: string): HlaError | undefined {
  if (isWrittenAsXx(withoutPrefix(text))) return undefined
  return new HlaError('not-xx', `${text.slice(0, 60)} is not an XX code, such as A*01:XX`, {
    offending: text,
  })
}
