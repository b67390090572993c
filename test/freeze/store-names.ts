/** Stable names for values that vary between two days at the store: ids, etags, page and upload tokens, dates. */

/** Ids of files, revisions, comments and drives; of users and groups; of domains. */
const ID = /(?<![\w-])1[\w-]{32}(?:[\w-]{4})?(?![\w-])|(?<![\w-])\d{20}k?(?![\w-])/g
const DATE = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

export class StoreNames {
  readonly #values = new Map<string, string>()
  /** Seen values -> their shown names. */
  readonly #shown = new Map<string, string>()
  readonly #began: { readonly at: number; readonly key: string }[] = []
  readonly #counts = new Map<string, number>()
  readonly #texts = new Map<string, string>()
  readonly #start = Date.now()

  readonly #url: string
  readonly #hooks: string | undefined

  constructor(url: string, hooks: string | undefined) {
    this.#url = url
    this.#hooks = hooks
    if (hooks !== undefined) this.#values.set('hooks', hooks)
    this.begin('before')
  }

  /** Values seen from now on are named after this step. */
  begin(key: string): void {
    this.#began.push({ at: Date.now(), key })
  }

  get step(): string {
    return this.#began.at(-1)?.key ?? ''
  }

  /** Stores a value under a name of the script. */
  keep(name: string, value: string): void {
    this.#values.set(name, value)
    const isLong = value.length >= 20 && !value.startsWith('"')
    // only the id of an upload address varies
    const upload = /upload_id=([\w-]+)/.exec(value)?.[1]
    if (isLong && !this.#shown.has(upload ?? value)) this.#shown.set(upload ?? value, `$${name}`)
  }

  /** Replaces names in a text by their values. */
  fill(text: string): string {
    return text.replaceAll(/\$([a-z][\w-]*(?:\.[a-z]+)?)/g, (whole, name: string) => {
      const value = this.#values.get(name)
      if (value === undefined) throw new Error(`nothing is ${whole}`)
      return value
    })
  }

  /** The shown name: by the first step that showed the value. */
  named(kind: string, value: string): string {
    const known = this.#shown.get(value)
    if (known !== undefined) return known
    const place = `${kind}@${this.step}`
    const count = this.#counts.get(place) ?? 0
    this.#counts.set(place, count + 1)
    const name = count === 0 ? place : `${place}/${count + 1}`
    this.#shown.set(value, name)
    return name
  }

  /** The step that already showed this long text; undefined if there is none. */
  before(text: string): string | undefined {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, this.step)
    return known
  }

  settle(text: string): string {
    return text
      .replaceAll(this.#hooks ?? '\u0000', '$HOOKS')
      .replaceAll(this.#url, '$STORE')
      .replaceAll(
        /("etag":"\\")(.*?)(\\"")/g,
        (_, open, value, end) => `${open}${this.named('etag', value)}${end}`,
      )
      .replaceAll(
        /^(etag: ")(.*)(")/gim,
        (_, open, value, end) => `${open}${this.named('etag', value)}${end}`,
      )
      .replaceAll(
        /("\w*[pP]ageToken":")(?!\d+")([^"]*)/g,
        (_, open, value) => `${open}${this.named('page', value)}`,
      )
      .replaceAll(
        /(pageToken=)(?!\d+[&"])([^&"]*)/g,
        (_, open, value) => `${open}${this.named('page', decodeURIComponent(value))}`,
      )
      .replaceAll(
        /(upload_id=|x-guploader-uploadid: )([\w-]{32})/gi,
        (_, open, value) => `${open}${this.named('upload', value)}`,
      )
      .replaceAll(
        /("resourceId":"|resource-id: )([\w-]{27})/g,
        (_, open, value) => `${open}${this.named('resource', value)}`,
      )
      .replaceAll(/"expiration":"\d{13}"/g, '"expiration":"$EXPIRATION"')
      .replaceAll(/"quotaBytesTotal":"\d+"/g, '"quotaBytesTotal":"$VOLUME"')
      .replaceAll(/\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT/g, '$DATE')
      .replaceAll(ID, (id) => this.named('id', id))
      .replaceAll(DATE, (date) => this.#dateName(date))
  }

  /** The name of the step with this date. */
  #dateName(date: string): string {
    const known = this.#shown.get(date)
    const time = Date.parse(date)
    if (known !== undefined || time < this.#start || time > Date.now()) return known ?? date
    return `@${this.#began.findLast(({ at }) => at <= time)?.key ?? ''}`
  }
}
