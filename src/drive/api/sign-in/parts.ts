/** What the forms have in common. */
import type { FastifyRequest } from 'fastify'
import type { DriveContext } from '../requests/call.ts'
import { type Html, html } from './html.ts'
import { readPerson } from './openid/person.ts'

export interface FormState {
  readonly problem?: string | undefined
  /** As it was typed. */
  readonly email?: string | undefined
  readonly status?: number
}

/** Who allows it: whom the provider has named, or who gives a password; and whether. */
export function decisionFields(
  drive: DriveContext,
  request: FastifyRequest,
  { problem, email = '' }: FormState,
): Html {
  const person = readPerson(drive, request)
  const alert = problemText(problem)
  if (person === undefined)
    return html`${providerLink(drive, request)}${alert}${credentialFields(email)}${buttons('Sign in and allow')}`
  return html`<p>
      <strong>${drive.options.openId?.name}</strong> says that you are <strong>${person}</strong>.
      <a href="${providerPath(request)}&amp;other=1">Sign in as somebody else</a>
    </p>
    ${alert}
    <input type="hidden" name="email" value="${person}" />
    ${buttons('Allow')}`
}

function providerLink({ options: { openId } }: DriveContext, request: FastifyRequest): Html | undefined {
  if (openId === undefined) return undefined
  return html`<p><a class="download" href="${providerPath(request)}">Sign in with ${openId.name}</a></p>`
}

/** It leads back to the same request. */
function providerPath({ url }: FastifyRequest): string {
  return `/sign-in/openid?to=${encodeURIComponent(url)}`
}

function credentialFields(email: string): Html {
  return html`<label for="email">E-mail address</label>
    <input id="email" name="email" type="email" autocomplete="username" required value="${email}" />
    <label for="password">Password</label>
    <input id="password" name="password" type="password" autocomplete="current-password" required />`
}

function buttons(allow: string): Html {
  return html`<button class="main" name="decision" value="allow">${allow}</button>
    <button name="decision" value="refuse" formnovalidate>Refuse</button>`
}

export function problemText(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p role="alert">${text}</p>`
}
