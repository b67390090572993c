/** Pages that the service renders: whatever they show, each tag that opens is closed, and no sign of a tag is left over. */

/** Tags without an end. */
const VOID: ReadonlySet<string> = new Set(['!doctype', 'input', 'link', 'meta', 'path', 'rect'])

/** Does nothing with other answers. @throws {Error} a tag that is not closed, was not opened, or is not whole */
export function mustBeWhole(headers: Headers, text: string): void {
  if (headers.get('content-security-policy')?.includes("form-action 'self'") !== true) return
  const open: string[] = []
  const shown = text.replaceAll(
    /<(\/?)([!\w-]+)([^<>]*)>/g,
    (tag, end: string, name: string, rest: string) => {
      if (rest.replaceAll(/ [\w-]+="[^"]*"| [\w-]+|\/$/g, '').trim() !== '')
        throw new Error(`not a tag: ${tag}`)
      if (end !== '' && open.pop() !== name) throw new Error(`${tag} closes nothing: ${text}`)
      if (end === '' && !VOID.has(name)) open.push(name)
      return ''
    },
  )
  if (open.length > 0 || /[<>"]/.test(shown))
    throw new Error(`not a whole page, with ${open.join(', ')} left open: ${text}`)
}
