/**
 * State of the page in its address: `/?gl=A*01:01&m=lgx`. Links can be shared, bookmarked, and revisited with the back
 * button. Two persons that are compared stand in the fragment (`/#gl=…&with=…`), which no server sees.
 */

export interface LinkState {
  readonly gl: string
  readonly method: string | undefined
  readonly antigens: string | undefined
  readonly isLenient: boolean
  /** Typing that it is compared with; empty for none. */
  readonly other: string
}

/** Maximum length: servers and browsers refuse addresses longer than several thousand characters. */
const MAX_QUERY_LENGTH = 6000

export function readLink(): LinkState {
  const values = new Map(
    shownState()
      .slice(1)
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
    other: values.get('with') ?? '',
  }
}

/** Part of the address that has the state. */
export function shownState(): string {
  return isState(location.hash) ? location.hash : location.search
}

/** False for the anchor of a section. */
function isState(hash: string): boolean {
  return /^#(?:gl|with)=/.test(hash)
}

/**
 * A new typing adds a history entry; a changed view of the same typing replaces it. Values equal to `usual` are left
 * out.
 */
export function writeLink(
  { gl, method, antigens, isLenient, other }: LinkState,
  usual: { readonly method: string; readonly antigens: string },
): void {
  const before = readLink()
  const isNew = gl !== '' && (gl !== before.gl || other !== before.other)
  const parts = [
    ...(gl === '' ? [] : [`gl=${encoded(gl)}`]),
    ...(method === undefined || method === usual.method ? [] : [`m=${encoded(method)}`]),
    ...(antigens === undefined || antigens === usual.antigens ? [] : [`antigens=${encoded(antigens)}`]),
    ...(isLenient ? ['accept=all'] : []),
    ...(gl === '' || other === '' ? [] : [`with=${encoded(other)}`]),
  ]
  const query = parts.join('&')
  const kept =
    query.length > MAX_QUERY_LENGTH ? parts.filter((part) => !/^(?:gl|with)=/.test(part)).join('&') : query
  const isFragment = /(?:^|&)with=/.test(kept)
  const anchor = isState(location.hash) ? '' : location.hash
  const address = `${location.pathname}${kept === '' ? '' : isFragment ? `#${kept}` : `?${kept}${anchor}`}`
  if (isNew && query.length <= MAX_QUERY_LENGTH) history.pushState(null, '', address)
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
