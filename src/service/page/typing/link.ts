/** The address of the page says what is looked up and how: `/?gl=A*01:01&m=lgx`. It can be given to others, kept, gone back to. */

export interface LinkState {
  readonly gl: string
  readonly method: string | undefined
  readonly antigens: string | undefined
  readonly isLenient: boolean
}

/** Servers and browsers refuse addresses that are longer than some thousand characters. */
const LONGEST = 6000

export function readLink(): LinkState {
  const values = new Map(
    location.search
      .replace(/^\?/, '')
      .split('&')
      .map((part) => {
        const [name = '', value = ''] = part.split(/=(.*)/s)
        // "+" is itself: a GL String that somebody wrote into a link is full of it
        return [name, decoded(value)] as const
      }),
  )
  return {
    gl: values.get('gl') ?? '',
    method: values.get('m'),
    antigens: values.get('antigens'),
    isLenient: values.get('accept') === 'all',
  }
}

/** Another typing is a step that one can go back; the same one in another way is not. `usual`: what need not be said. */
export function writeLink(
  { gl, method, antigens, isLenient }: LinkState,
  usual: { readonly method: string; readonly antigens: string },
): void {
  const isNew = gl !== '' && gl !== readLink().gl
  const parts = [
    ...(gl === '' ? [] : [`gl=${encoded(gl)}`]),
    ...(method === undefined || method === usual.method ? [] : [`m=${encoded(method)}`]),
    ...(antigens === undefined || antigens === usual.antigens ? [] : [`antigens=${encoded(antigens)}`]),
    ...(isLenient ? ['accept=all'] : []),
  ]
  const query = parts.join('&')
  const kept = query.length > LONGEST ? parts.filter((part) => !part.startsWith('gl=')).join('&') : query
  const address = `${location.pathname}${kept === '' ? '' : `?${kept}`}${location.hash}`
  if (isNew && query.length <= LONGEST) history.pushState(null, '', address)
  else history.replaceState(null, '', address)
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2F', '/')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
