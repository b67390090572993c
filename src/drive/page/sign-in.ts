/** Where people say who they are: by an e-mail address and a password, or by a token. */
import { byId, element, part } from '../../web/page/elements.ts'
import { describeError, fetchWays, noteSession, signIn, useToken } from './service.ts'

/** `enter` is called when somebody has signed in. */
export function watchForms(enter: () => Promise<void>): void {
  part('password-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void enterByPassword(enter)
  })
  part('token-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const box = byId('token', HTMLInputElement)
    useToken(box.value.trim())
    box.value = ''
    void enter()
  })
}

export function showForms(isShown: boolean): void {
  for (const id of ['password-form', 'token-form']) part(id).hidden = !isShown
  if (isShown) void offerOpenId()
  else part('openid').hidden = true
}

const BACK = '#signed-in/'

/** Where an outside provider has sent somebody back to; they go on where they were going. */
export function takeSignedIn(): void {
  if (!location.hash.startsWith(BACK)) return
  noteSession()
  const to = decodeURIComponent(location.hash.slice(BACK.length))
  history.replaceState(null, '', to.startsWith('#') ? to : '#')
}

/** Without an answer there are the forms. */
async function offerOpenId(): Promise<void> {
  const { openId } = await fetchWays().catch(() => ({ openId: undefined }))
  if (openId === undefined || part('password-form').hidden) return
  const href = `${openId.start}?${new URLSearchParams({ to: location.hash }).toString()}`
  part('openid').replaceChildren(element('a', { href, class: 'download' }, `Sign in with ${openId.name}`))
  part('openid').hidden = false
}

async function enterByPassword(enter: () => Promise<void>): Promise<void> {
  const [email, password] = [byId('email', HTMLInputElement), byId('password', HTMLInputElement)]
  try {
    await signIn(email.value, password.value)
    password.value = ''
    part('token-status').textContent = ''
    await enter()
  } catch (error) {
    part('token-status').textContent = describeError(error)
    password.select()
  }
}
