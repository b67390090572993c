/**
 * State of the page in its address: `/?gl=A*01:01&m=lgx`. Links can be shared, bookmarked, and revisited with the back
 * button.
 */

export interface LinkState {
  readonly gl: string
  readonly method: string | undefined
  readonly antigens: string | undefined
  readonly isLenient: boolean
}

/** Maximum length: servers and browsers refuse addresses longer than several thousand characters. */
const LONGEST = 6000

export function readLink(): LinkState {
  const values = new Map(
    location.search
      .replace(/^\?/, '')
      .split('&')
      .map((part) => {
        const [name = '', value = ''] = part.split(/=(.*)/s)
        // "+" is literal: a hand-written link with a GL String is full of it
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

/**
 * A new typing adds a history entry; a changed view of the same typing replaces it. Values equal to `usual` are left
 * out.
 */
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
