/** Main script of the page: the release in use, the two forms, their buttons, and the link to the current state. */
import type { Version } from './answers.ts'
import { byId, element, part } from '../../web/page/elements.ts'
import { METHODS, methodTitle } from '../../web/page/methods.ts'
import { send, useToken } from './service.ts'
import { isPastedTable } from './table/pasted.ts'
import { prepareTableForm, takePasted } from './table/table-form.ts'
import {
  chosenLevel,
  prepareAntigenLevel,
  setLevel,
  showLevels,
  DEFAULT_LEVEL,
} from './typing/antigen-level.ts'
import { completeNames } from './typing/completion.ts'
import { readLink, shownState, writeLink } from './typing/link.ts'
import { otherTyping, prepareMatch, setOtherTyping, showMatch } from './typing/match.ts'
import { offerMethods, DEFAULT_METHOD } from './typing/methods.ts'
import { offerReleases, prepareOtherRelease } from './typing/other-release.ts'
import { forgetTyping, lookUp, type ServiceFacts } from './typing/typing.ts'

let known: Promise<ServiceFacts> = introduce()
/** State of the address that is currently shown. */
let followed = ''

const typing = byId('typing', HTMLTextAreaElement)
const lenient = byId('lenient', HTMLInputElement)
const method = byId('method', HTMLSelectElement)
method.append(
  ...METHODS.map(({ name, summary }) =>
    element('option', { value: name, title: summary }, methodTitle(name)),
  ),
)

prepareTableForm(() => known)
prepareAntigenLevel(lookAgain)
prepareMatch(look)
method.addEventListener('change', lookAgain)
prepareOtherRelease(() =>
  part('meaning').hidden
    ? undefined
    : { text: readTyping(), method: method.value, release: known.then(({ release }) => release) },
)
part('typing-form').addEventListener('submit', (event) => {
  event.preventDefault()
  look()
})
completeNames(typing)
// a GL String has a single line, so Enter submits
typing.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented) return
  event.preventDefault()
  byId('typing-form', HTMLFormElement).requestSubmit()
})
typing.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (!isPastedTable(text)) return void setTimeout(look)
  event.preventDefault()
  takePasted(text)
})
for (const example of part('examples').querySelectorAll('button')) {
  example.addEventListener('click', () => use(example.textContent ?? ''))
}
part('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  useToken(byId('token', HTMLInputElement).value)
  known = introduce()
})
window.addEventListener('popstate', () => {
  // only the fragment changed
  if (shownState() !== followed) followLink()
})
followLink()

function readTyping(): string {
  return typing.value.trim()
}

function look(): void {
  const text = readTyping()
  if (isPastedTable(text)) return takePasted(text)
  sayLink(text)
  if (text === '') return
  const accept = lenient.checked ? ['all'] : undefined
  void showMatch({ patient: text, donor: otherTyping(), accept })
  void lookUp(() => ({ text, method: method.value, accept, antigens: chosenLevel() }), known, use)
}

function sayLink(gl: string): void {
  const state = {
    gl,
    method: method.value,
    antigens: chosenLevel(),
    isLenient: lenient.checked,
    other: otherTyping(),
  }
  writeLink(state, { method: DEFAULT_METHOD, antigens: DEFAULT_LEVEL })
  followed = shownState()
}

/** Looks a shown typing up again after a change of level or method. */
function lookAgain(): void {
  if (part('meaning').hidden) sayLink(readLink().gl)
  else look()
}

/** Sets the form from the address: on opening, and on going back. */
function followLink(): void {
  const link = readLink()
  followed = shownState()
  typing.value = link.gl
  lenient.checked = link.isLenient
  setOtherTyping(link.other)
  const isMethod = METHODS.some(({ name }) => name === (link.method ?? DEFAULT_METHOD))
  method.value = isMethod ? (link.method ?? DEFAULT_METHOD) : DEFAULT_METHOD
  showLevels()
  const wrong = [
    ...(isMethod ? [] : [noMethod(link.method ?? '')]),
    ...[setLevel(link.antigens)].filter((text) => text !== undefined),
  ]
  if (link.gl === '') forgetTyping()
  if (wrong.length > 0) refuseLink(wrong.join(' '))
  else if (link.gl !== '') look()
}

function noMethod(name: string): string {
  return `The link asks for method "${name}", and the release does not have it. ${DEFAULT_METHOD} is chosen instead.`
}

function refuseLink(why: string): void {
  const status = part('typing-status')
  status.className = 'failed'
  status.textContent = why
}

function use(text: string): void {
  typing.value = text
  look()
  typing.focus()
}

/** Shows the release and data in use. */
async function introduce(): Promise<ServiceFacts> {
  try {
    const answer = await send('version')
    const version = (await answer.json()) as Version // its output schema
    const codes = version.mac_codes ?? 0
    const starter = version.dataset === 'starter'
    part('release').textContent = [
      `${starter ? 'starter set of ' : ''}IPD-IMGT/HLA ${version.release}`,
      ...(codes === 0 ? [] : [`${codes.toLocaleString('en')} codes of ${version.mac_date}`]),
    ].join(' · ')
    part('starter').hidden = !starter
    part('install').textContent = `hla data install ${version.release}`
    part('identity').textContent =
      `hla ${version.hla_version} · ${version.data_id ?? `${version.release}${starter ? '+starter' : ''}`}`
    offer(version)
    return version
  } catch (error) {
    part('release').textContent = error instanceof Error ? error.message : String(error)
    return { release: 'this release', methods: METHODS.map(({ name }) => name), loci: [] }
  }
}

function offer({ release, methods, releases }: Version): void {
  const asked = method.value
  offerMethods(methods)
  offerReleases(releases.filter((name) => name !== release))
  if (method.value === asked) return
  method.value = DEFAULT_METHOD
  forgetTyping()
  refuseLink(noMethod(asked))
}
